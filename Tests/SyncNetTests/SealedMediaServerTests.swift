// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import SyncNet

@Suite("requests for sealed media")
struct SealedMediaServerTests {
  private static let cases: [(String, Range<Int64>?)] = [
    ("", 0..<100), ("Range: bytes=0-", 0..<100), ("range:bytes=10-19", 10..<20), ("Range: bytes=90-200", 90..<100),
    ("Range: bytes=-5", 95..<100), ("Range: bytes=-500", 0..<100), ("Range: bytes=100-", nil),
    ("Range: bytes=5-4", nil),
    ("Range: bytes=-0", nil), ("Range: bytes=a-", nil), ("Range: bytes=0-1,5-6", 0..<100),
    ("Range: lines=1-2", 0..<100),
  ]

  @Test("each range is answered by those bytes, or by none", arguments: cases)
  func range(_ field: String, _ range: Range<Int64>?) throws {
    let request = try #require(MediaRequest("GET /abc.mp3 HTTP/1.1\r\nHost: 127.0.0.1\r\n\(field)\r\n\r\n"))
    #expect(request.name == "abc.mp3" && !request.isHead)
    #expect(request.range(of: 100) == range)
  }

  @Test("anything but GET and HEAD is refused")
  func methods() {
    #expect(MediaRequest("HEAD /a HTTP/1.1\r\n\r\n")?.isHead == true)
    for line in ["POST /a HTTP/1.1", "GET a HTTP/1.1", "GET /a", "", "GET / a HTTP/1.1"] {
      #expect(MediaRequest("\(line)\r\n\r\n") == nil, "\(line)")
    }
  }
}
