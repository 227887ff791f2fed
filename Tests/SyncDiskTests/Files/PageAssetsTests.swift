// SPDX-License-Identifier: Apache-2.0
import SyncCore
import SyncFormats
import Testing

@testable import SyncDisk

@Suite("the policy of the page of reports")
struct PageAssetsTests {
  @Test(
    "names its style and its script by their digests",
    arguments: [(PageAssets.style, PageAssets.styleDigest), (PageAssets.script, PageAssets.scriptDigest)])
  func digests(text: String, digest: String) {
    var running = RunningDigest()
    Array(text.utf8).withUnsafeBytes { unsafe running.update($0) }
    let hex = Array(running.finishHash().hex)
    let bytes = stride(from: 0, to: hex.count, by: 2).compactMap { UInt8(String(hex[$0...($0 + 1)]), radix: 16) }
    #expect(digest == "sha256-\(Self.base64(bytes))")
  }

  private static func base64(_ bytes: [UInt8]) -> String {
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
    var text = ""
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let part = bytes[start..<min(start + 3, bytes.count)]
      let bits = part.reduce(0) { $0 << 8 | UInt32($1) } << (8 * UInt32(3 - part.count))
      for place in 0...part.count { text.append(alphabet[Int(bits >> (18 - 6 * UInt32(place)) & 63)]) }
    }
    return text + String(repeating: "=", count: (3 - bytes.count % 3) % 3)
  }
}
