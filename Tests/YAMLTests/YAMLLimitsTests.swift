// SPDX-License-Identifier: Apache-2.0
import Testing
import YAML

@Suite("hostile documents are refused before they cost anything")
struct YAMLLimitsTests {
  @Test(
    "a hundred thousand collections inside each other stop at the sixty-fifth",
    arguments: [("[", 1), ("{a: ", 4), ("- ", 2), ("? ", 2)])
  func depth(opening: String, width: Int) {
    let text = String(repeating: opening, count: 100_000)
    #expect(throws: YAMLError(.tooDeep(limit: 64), at: YAMLMark(line: 1, column: 64 * width + 1))) {
      try YAMLDocument(Array(text.utf8))
    }
  }

  @Test("a block that is indented a thousand times stops at its sixty-fifth mapping")
  func indentation() {
    let text = (0..<1000).map { String(repeating: " ", count: $0) + "a:\n" }.joined()
    #expect(throws: YAMLError(.tooDeep(limit: 64), at: YAMLMark(line: 65, column: 65))) {
      try YAMLDocument(Array(text.utf8))
    }
  }

  @Test("sixty-four collections inside each other are read")
  func deepEnough() throws {
    let text = String(repeating: "[", count: 64) + String(repeating: "]", count: 64)
    #expect(try YAMLDocument(Array(text.utf8)).root != nil)
  }

  @Test("aliases do not go deeper than what is written out")
  func depthThroughAliases() {
    let text = "a: &a0 [x]\n" + (1...70).map { "k\($0): &a\($0) [*a\($0 - 1)]\n" }.joined()
    #expect(throws: YAMLError(.tooDeep(limit: 64), at: YAMLMark(line: 64, column: 12, length: 4))) {
      try YAMLDocument(Array(text.utf8))
    }
  }

  @Test("a scalar of a hundred megabytes is not read to its end", arguments: ["", "\"", "|\n  "])
  func hugeScalar(opening: String) {
    let text = Array("key: \(opening)".utf8) + [UInt8](repeating: UInt8(ascii: "a"), count: 100_000_000)
    #expect(throws: YAMLError(.scalarTooLarge(limit: 1 << 20), at: YAMLMark(line: 1, column: 1, length: 3))) {
      try YAMLDocument(text)
    }
  }

  @Test("a scalar a little above its limit is refused where it begins")
  func largeScalar() {
    var limits = YAMLLimits()
    limits.scalarSize = 100
    let text = "a: \(String(repeating: "x", count: 100))\nb: \(String(repeating: "x", count: 101))\n"
    #expect(throws: YAMLError(.scalarTooLarge(limit: 100), at: YAMLMark(line: 2, column: 4, length: 101))) {
      try YAMLDocument(Array(text.utf8), limits: limits)
    }
  }

  @Test("a document above its limit is refused unread")
  func largeDocument() {
    var limits = YAMLLimits()
    limits.documentSize = 10
    #expect(throws: YAMLError(.documentTooLarge(limit: 10), at: YAMLMark(line: 1, column: 1))) {
      try YAMLDocument(Array("a: bcdefghi".utf8), limits: limits)
    }
  }

  @Test("aliases of aliases stop when they repeat too much")
  func bomb() {
    let list = { (name: String) in "[" + Array(repeating: name, count: 9).joined(separator: ", ") + "]" }
    let text =
      "a: &a \(list("x"))\nb: &b \(list("*a"))\nc: &c \(list("*b"))\nd: &d \(list("*c"))\n"
      + "e: &e \(list("*d"))\nf: &f \(list("*e"))\ng: &g \(list("*f"))\nh: &h \(list("*g"))\n"
    #expect(throws: YAMLError(.tooManyRepeatedNodes, at: YAMLMark(line: 6, column: 8, length: 2))) {
      try YAMLDocument(Array(text.utf8))
    }
  }

  @Test("a large document may repeat a small mapping everywhere")
  func manyMerges() throws {
    let items = (0..<20_000).map { "- { <<: *d, id: \($0) }\n" }.joined()
    let document = try YAMLDocument(Array("- &d { a: 1, b: 2, c: 3, d: 4 }\n\(items)".utf8))
    #expect(document.problems.isEmpty)
  }
}
