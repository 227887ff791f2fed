// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Curl

@Suite("The framing of a body") struct BodyFramingTests {
  private func framing(
    _ fields: [(String, String)], version: ResponseHead.Version = .http11, status: Int = 200, head: Bool = false
  ) throws -> BodyFraming {
    try BodyFraming(
      version: version, status: status, isReplyToHead: head,
      fields: fields.map { HeaderField(received: $0.0, $0.1) })
  }

  @Test("follows the order of RFC 9112 §6.3")
  func table() throws {
    let length = ("content-LENGTH", "12")
    let chunked = ("Transfer-Encoding", "Chunked")
    #expect(try framing([]) == .untilClose)
    #expect(try framing([length]) == .length(12))
    #expect(try framing([length, length]) == .length(12))
    #expect(try framing([("Content-Length", "12, 12")]) == .length(12))
    #expect(try framing([length, chunked]) == .chunked)
    #expect(try framing([length, ("Transfer-Encoding", "identity")]) == .length(12))
    #expect(try framing([length], status: 304) == .none)
    #expect(try framing([chunked], status: 204) == .none)
    #expect(try framing([length], head: true) == .none)
    #expect(try framing([length], version: .http2) == .stream(12))
    #expect(try framing([], version: .http2) == .stream(nil))
  }

  @Test(
    "refuses lengths that contradict each other or are none",
    arguments: ["-1", "+1", "1 2", "1,2", "", "0x10", "9223372036854775808", "1e3", "٣"])
  func contradictions(value: String) {
    #expect(throws: BodyFraming.Contradiction.self) { try framing([("Content-Length", value)]) }
  }
}
