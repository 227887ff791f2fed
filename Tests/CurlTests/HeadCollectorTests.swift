// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Curl

@Suite("The collector of heads") struct HeadCollectorTests {
  private func collect(_ lines: [String]) throws -> HeadCollector.RawHead? {
    try collect(lines.map { Array($0.utf8) })
  }

  private func collect(_ lines: [[UInt8]]) throws -> HeadCollector.RawHead? {
    var collector = HeadCollector()
    var head: HeadCollector.RawHead?
    for line in lines { head = try line.withUnsafeBytes { try collector.take($0) } ?? head }
    return head
  }

  @Test("keeps the fields in order with every repetition")
  func fields() throws {
    let head = try collect(["HTTP/1.1 200 OK\r\n", "A: 1\r\n", "b:2 \r\n", "A:\t3\r\n", "C:\r\n", "\r\n"])
    #expect(head?.fields.map(\.name) == ["A", "b", "A", "C"])
    #expect(head?.fields.map(\.value) == ["1", "2", "3", ""])
  }

  @Test("is not complete before the empty line, of which a lone line feed is one")
  func completeness() throws {
    #expect(try collect(["HTTP/1.1 200 OK\r\n", "A: 1\r\n"]) == nil)
    #expect(try collect(["HTTP/1.1 200 OK\n", "A: 1\n", "\n"])?.fields.count == 1)
  }

  @Test("reads a status line without reason")
  func statusLines() throws {
    #expect(try collect(["HTTP/2 404 \r\n", "\r\n"])?.version == .http2)
    #expect(try collect(["HTTP/1.0 200\r\n", "\r\n"])?.status == 200)
  }

  @Test("joins folded lines")
  func folded() throws {
    let head = try collect(["HTTP/1.1 200 OK\r\n", "A: 1\r\n", "  2\r\n", "\r\n"])
    #expect(head?.fields.map(\.value) == ["1 2"])
  }

  @Test("reads UTF-8 as such and other bytes as Latin-1")
  func encodings() throws {
    let start = Array("HTTP/1.1 200 OK\r\n".utf8)
    let head = try collect([start, Array("A: é".utf8) + [13, 10], Array("B: ".utf8) + [0xE9, 13, 10], [13, 10]])
    #expect(head?.fields.map(\.value) == ["é", "é"])
    #expect(head?.fields.map(\.octets) == [Array("é".utf8), [0xE9]])
  }

  @Test(
    "refuses what is not a header section",
    arguments: [
      ["HELLO\r\n"], ["HTTP/1.1 20 OK\r\n"], ["HTTP/1.1 200 OK\r\n", "nothing\r\n"], ["HTTP/1.1 200 OK\r\n", " x\r\n"],
    ])
  func malformed(lines: [String]) {
    #expect(throws: HeadCollector.Problem.self) { try collect(lines) }
  }

  @Test("refuses a second response")
  func second() {
    #expect(throws: HeadCollector.Problem.malformed(detail: "a second response")) {
      try collect(["HTTP/1.1 200 OK\r\n", "\r\n", "HTTP/1.1 200 OK\r\n"])
    }
  }
}
