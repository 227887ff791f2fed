// SPDX-License-Identifier: Apache-2.0
import Glibc
import SyncCore
import SyncFormats
import SyncIO
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

  @Test("is known for too large when it is")
  func tooLarge() throws {
    let file = try read(size: ManifestReader.maximumSize + (1 << 20))
    #expect(file.bytes.count > ManifestReader.maximumSize)
    let reading = ManifestReader.read(
      file.bytes, directory: "/", fileStem: "big", environment: ManifestEnvironment(variables: [:], home: nil))
    #expect(reading.manifest == nil)
    #expect(
      reading.findings.map(\.fact) == [.document(.documentTooLarge(limit: .init(Int64(ManifestReader.maximumSize))))])
  }
}
