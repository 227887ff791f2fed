// SPDX-License-Identifier: Apache-2.0
import SyncCore
import SyncDisk
import SyncDiskTestSupport
import SyncFormats
import Testing

@Suite("the marker in a library")
struct LibraryMarkerFileTests {
  private let marker = LibraryMarker(
    id: StateWorkshop.libraryID, createdAt: Timestamp(secondsSince1970: 1_763_704_803))

  @Test("it is made once and read back", arguments: FileSystemTwin.allCases)
  func creates(_ twin: FileSystemTwin) throws {
    let work = try twin.workshop()
    let marker = try #require(marker)
    #expect(try LibraryMarker.read(work.files, in: work.root) == nil)
    try marker.create(work.files, in: work.root)
    #expect(try LibraryMarker.read(work.files, in: work.root) == marker)
    #expect(try work.files.list(work.place(".syncjob")).map(\.name) == ["library.json"])
    #expect(try work.files.status(of: work.place(".syncjob/library.json"))?.mode == .privateFile)
    let error = #expect(throws: FileError.self) { try marker.create(work.files, in: work.root) }
    #expect(error?.isPresent == true)
  }

  @Test("a damaged one is an error that names it", arguments: FileSystemTwin.allCases)
  func damaged(_ twin: FileSystemTwin) throws {
    let work = try twin.workshop()
    try work.files.makeFolders(try work.place(".syncjob"), mode: .privateFolder)
    try work.write(".syncjob/library.json", "")
    let path = try work.place(".syncjob/library.json").text
    #expect(throws: StateError.badMarker(path: path, .blank)) { try LibraryMarker.read(work.files, in: work.root) }
  }
}
