// SPDX-License-Identifier: Apache-2.0
import Glibc
import SyncCore
import SyncFormats
import SyncJob
import SyncTestSupport
import Testing

@Suite("the file of a manifest")
struct ManifestFileTests {
  /// A file that is nothing but a hole takes no room on the disk.
  private func read(size: Int) throws -> ManifestFile {
    let folder = try TemporaryDirectory("syncjob-manifest")
    let path = folder.file("big.yaml")
    try FileBytes.write([], to: path)
    try #require(truncate(path, size) == 0)
    return try ManifestFile.read(path)
  }

  @Test("is read whole as long as it may be: one that was cut would want less than what was written")
  func large() throws {
    let size = 70 << 20
    #expect(try read(size: size).bytes.count == size)
  }

  @Test("is refused by its size, before a byte of it is read")
  func tooLarge() throws {
    let limit = ManifestReader.maximumSize
    let problem = #expect(throws: ManifestFile.Problem.self) { try read(size: limit + 1) }
    #expect(problem?.cause == .tooLarge(limit: ByteCount(Int64(limit))))
  }

  @Test("is read no further than the reader needs to refuse it for its comments", arguments: ["# so\n", "\n", "#"])
  func comments(_ piece: String) throws {
    let folder = try TemporaryDirectory("syncjob-manifest")
    let path = folder.file("big.yaml")
    try FileBytes.write("version: 1\n" + String(repeating: piece, count: (8 << 20) / piece.utf8.count), to: path)
    let file = try ManifestFile.read(path)
    #expect(file.bytes.count < 6 << 20)
    let reading = ManifestReader.read(
      file.bytes, directory: "/", fileStem: "big", environment: ManifestEnvironment(variables: [:], home: nil))
    #expect(reading.findings.map(\.fact) == [.document(.scalarTooLarge(limit: ByteCount(1 << 20)))])
  }
}
