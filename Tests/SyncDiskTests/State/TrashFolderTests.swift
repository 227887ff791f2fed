// SPDX-License-Identifier: Apache-2.0
import SyncCore
import SyncDisk
import SyncDiskTestSupport
import Testing

@Suite("the trash")
struct TrashFolderTests {
  private let now = Timestamp(secondsSince1970: 1_763_704_803)

  private func library(_ twin: FileSystemTwin) throws -> (Workshop, TrashFolder) {
    let work = try twin.workshop()
    let state = try StateFolder.open(work.files, inLibrary: work.root, making: true)
    try work.files.makeFolders(try work.place("Mix/deep"), mode: .sharedFolder)
    try work.write("Mix/deep/a.mp3", "aaaa")
    try work.write("Mix/b.mp3", "bb")
    return (work, state.trash)
  }

  private func path(_ text: String) throws -> LibraryPath { try #require(LibraryPath(text)) }

  @Test("a removed file lies there under its path and the time of the run", arguments: FileSystemTwin.allCases)
  func takes(_ twin: FileSystemTwin) throws {
    let (work, trash) = try library(twin)
    var batch = trash.batch(at: now)
    let entry = try batch.take(try path("Mix/deep/a.mp3"), of: work.root)
    _ = try batch.take(try path("Mix/b.mp3"), of: work.root)
    try batch.sync()
    #expect(
      entry == .init(batch: "2025-11-21T060003Z", path: try path("Mix/deep/a.mp3"), size: ByteCount(4), trashedAt: now))
    #expect(try work.text(".syncjob/trash/2025-11-21T060003Z/Mix/deep/a.mp3") == "aaaa")
    #expect(try work.text("Mix/deep/a.mp3") == nil)
    #expect(try trash.list().map(\.path.text) == ["Mix/b.mp3", "Mix/deep/a.mp3"])
    #expect(try trash.list().map(\.size).sum() == ByteCount(6))
  }

  @Test("a second file of one path and time overwrites none", arguments: FileSystemTwin.allCases)
  func keepsBoth(_ twin: FileSystemTwin) throws {
    let (work, trash) = try library(twin)
    var batch = trash.batch(at: now)
    _ = try batch.take(try path("Mix/b.mp3"), of: work.root)
    try work.write("Mix/b.mp3", "second")
    #expect(try batch.take(try path("Mix/b.mp3"), of: work.root).batch == "2025-11-21T060003Z-2")
    #expect(try trash.list().map(\.size.bytes) == [2, 6])
    #expect(try trash.list().map(\.trashedAt) == [now, now])
  }

  @Test("what is older than it is kept goes, with the folders that it leaves empty", arguments: FileSystemTwin.allCases)
  func expires(_ twin: FileSystemTwin) throws {
    let (work, trash) = try library(twin)
    var old = trash.batch(at: now - .days(8))
    _ = try old.take(try path("Mix/deep/a.mp3"), of: work.root)
    var young = trash.batch(at: now - .days(6))
    _ = try young.take(try path("Mix/b.mp3"), of: work.root)
    let cleaning = try trash.expire(olderThan: .days(7), now: now)
    #expect(cleaning == .init(files: 1, freed: ByteCount(4)))
    #expect(
      try work.files.list(work.place(".syncjob/trash")).map(\.name) == [(now - .days(6)).rfc3339.filter { $0 != ":" }])
    #expect(try trash.empty() == .init(files: 1, freed: ByteCount(2)))
    #expect(try work.files.list(work.place(".syncjob/trash")).isEmpty)
  }

  @Test("a file comes back to where it was, and never over another", arguments: FileSystemTwin.allCases)
  func restores(_ twin: FileSystemTwin) throws {
    let (work, trash) = try library(twin)
    var batch = trash.batch(at: now)
    let entry = try batch.take(try path("Mix/deep/a.mp3"), of: work.root)
    try work.files.removeFolder(try work.place("Mix/deep"))
    try trash.restore(entry, into: work.root)
    #expect(try work.text("Mix/deep/a.mp3") == "aaaa")
    #expect(try trash.list().isEmpty)
    let again = try batch.take(try path("Mix/deep/a.mp3"), of: work.root)
    try work.write("Mix/deep/a.mp3", "theirs")
    let error = #expect(throws: FileError.self) { try trash.restore(again, into: work.root) }
    #expect(error?.isPresent == true)
    #expect(try work.text("Mix/deep/a.mp3") == "theirs")
  }

  @Test("a file that is gone is no trash, and no trash is empty", arguments: FileSystemTwin.allCases)
  func missing(_ twin: FileSystemTwin) throws {
    let (work, trash) = try library(twin)
    #expect(try trash.list().isEmpty)
    var batch = trash.batch(at: now)
    let error = #expect(throws: FileError.self) { try batch.take(path("Mix/no.mp3"), of: work.root) }
    #expect(error?.isMissing == true)
  }
}
