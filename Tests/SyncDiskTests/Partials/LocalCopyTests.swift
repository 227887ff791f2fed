// SPDX-License-Identifier: Apache-2.0
import SyncCore
import SyncDiskTestSupport
import Testing

@testable import SyncDisk

@Suite("the copy of a local file")
struct LocalCopyTests {
  private let work: Workshop
  private let folder: String

  init() throws {
    work = try FileSystemTwin.real.workshop()
    folder = try #require(work.directory).path
  }

  private func source(_ bytes: [UInt8]) throws -> LocalFile {
    try work.files.create(work.place("a"), bytes, mode: .sharedFile)
    return try LocalFile(RemoteURL(file: "\(folder)/a".utf8), below: LocalRoots(list: "\(folder)/l"))
  }

  private static func bytes(_ count: Int) -> [UInt8] { (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) } }

  @Test("has the same bytes on the real file system and on one that can only write", arguments: [1, 300_000, 20 << 20])
  func same(count: Int) async throws {
    let bytes = Self.bytes(count)
    let file = try source(bytes)
    for twin in FileSystemTwin.allCases {
      let work = try twin.workshop()
      let target = try work.files.open(try work.place("copy"), for: .creating(.sharedFile))
      let copy = LocalCopy(file, into: target)
      var length = ByteCount.zero
      while length.bytes < count { length = try await copy.advance(from: length).get() }
      #expect(length.bytes == count)
      let isSame = try work.files.read(try work.place("copy"), limit: ByteCount(Int64(count))) == bytes
      #expect(isSame)
    }
  }

  @Test("of a file that became shorter fails")
  func shortened() async throws {
    let file = try source(Self.bytes(1000))
    try work.files.open(work.place("a"), for: .writing).truncate(to: ByteCount(2))
    let work = try FileSystemTwin.fake.workshop()
    let copy = LocalCopy(file, into: try work.files.open(try work.place("copy"), for: .creating(.sharedFile)))
    guard case .failure(let failure) = await copy.advance(from: .zero) else {
      Issue.record("copied bytes that are not there")
      return
    }
    #expect(failure == .localFile(path: file.path, .changed))
  }
}
