// SPDX-License-Identifier: Apache-2.0
import SyncCore
import Testing

@Suite("a checksum")
struct ChecksumTests {
  @Test("has as many digits as its algorithm", arguments: Checksum.Algorithm.allCases)
  func digits(algorithm: Checksum.Algorithm) throws {
    let hex = String(repeating: "Ab", count: algorithm.digits / 2)
    let checksum = try #require(Checksum("\(algorithm):\(hex)"))
    #expect(checksum.algorithm == algorithm)
    #expect(checksum.hex == hex.lowercased())
    #expect(checksum.text == "\(algorithm):\(hex.lowercased())")
    #expect(Checksum(algorithm, hex: hex.dropLast()) == nil)
    #expect(Checksum(algorithm, hex: hex + "0") == nil)
  }

  @Test(
    "anything else is refused",
    arguments: [
      "", ":", "sha256", "sha256:", "crc32:00000000", "md5:" + String(repeating: "g", count: 32),
      "md5: " + String(repeating: "0", count: 31), "md5:" + String(repeating: "０", count: 32),
    ])
  func refused(text: String) { #expect(Checksum(text) == nil) }

  @Test("names its algorithm in any case")
  func upperCase() { #expect(Checksum("SHA1:" + String(repeating: "0", count: 40))?.algorithm == .sha1) }

  @Test("a file's digest has 64 digits")
  func digest() {
    #expect(SHA256Digest(hex: String(repeating: "F", count: 64))?.hex == String(repeating: "f", count: 64))
    #expect(SHA256Digest(hex: "") == nil)
  }
}
