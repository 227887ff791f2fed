// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Curl

@Suite("A field to send") struct HeaderFieldTests {
  @Test("cannot smuggle another field", arguments: ["a\r\nB: c", "a\nB: c", "a\0b", "a\r"])
  func smuggling(value: String) {
    #expect(throws: HeaderField.Problem.badValue(ofField: "X")) { try HeaderField(sending: "X", value) }
  }

  @Test("has a token for a name", arguments: ["", "a b", "a:", "é", "a\r\n", "(x)"])
  func names(name: String) {
    #expect(throws: HeaderField.Problem.badName(name)) { try HeaderField(sending: name, "x") }
  }

  @Test("is found whatever the case of its name, but not by half of it")
  func matching() {
    let head = ResponseHead(
      version: .http11, status: 200,
      fields: [HeaderField(received: "ETag", "1"), HeaderField(received: "etag", "2")],
      framing: .untilClose, connectedTo: nil, redirectTarget: nil)
    #expect(head["ETAG"] == "1")
    #expect(head.values(of: "eTag") == ["1", "2"])
    #expect(head["ETa"] == nil)
  }

  @Test("a range begins at or after zero and does not end before it begins")
  func ranges() {
    #expect(ByteRange(from: -1) == nil)
    #expect(ByteRange(from: 5, through: 4) == nil)
    #expect(ByteRange(from: 5, through: 5)?.text == "5-5")
    #expect(ByteRange(from: 0)?.text == "0-")
  }
}
