// SPDX-License-Identifier: Apache-2.0
import Testing
import YAML

@Suite("what is no YAML is refused with its place")
struct YAMLErrorTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let name: String
    let bytes: [UInt8]
    let error: YAMLError

    init(_ name: String, _ bytes: [UInt8], _ problem: YAMLError.Problem, _ line: Int, _ column: Int, _ length: Int = 1)
    {
      self.name = name
      self.bytes = bytes
      error = YAMLError(problem, at: YAMLMark(line: line, column: column, length: length))
    }

    var testDescription: String { name }
  }

  static let cases: [Case] = [
    Case("Latin-1", Array("a: 1\nb: caf".utf8) + [0xE9, 0x0A], .invalidUTF8(byte: 0xE9), 2, 7),
    Case("a cut sequence", Array("ä: ".utf8) + [0xE2, 0x82], .invalidUTF8(byte: 0xE2), 1, 4),
    Case("an overlong sequence", [0xC0, 0x80], .invalidUTF8(byte: 0xC0), 1, 1),
    Case("a surrogate", [0x61, 0xED, 0xA0, 0x80], .invalidUTF8(byte: 0xED), 1, 2),
    Case("UTF-16, little end first", [0xFF, 0xFE, 0x61, 0x00], .utf16, 1, 1),
    Case("UTF-16, big end first", [0xFE, 0xFF, 0x00, 0x61], .utf16, 1, 1),
    Case("UTF-16 without a mark", [0x61, 0x00, 0x3A, 0x00], .nul, 1, 2),
    Case("a NUL", Array("a: 1\nb: x\0y\n".utf8), .nul, 2, 5),
    Case("a NUL behind a byte order mark", Array("\u{FEFF}a: \0".utf8), .nul, 1, 5),
    Case("an escape character", Array("a: \u{1B}[0m\n".utf8), .controlCharacter(0x1B), 1, 4),
    Case("a delete character", Array("a: \u{7F}\n".utf8), .controlCharacter(0x7F), 1, 4),
    Case("a C1 character", Array("a: \u{9B}\n".utf8), .controlCharacter(0x9B), 1, 4),
    Case("a next-line character", Array("a: b\u{85}c\n".utf8), .lineSeparator(0x85), 1, 5),
    Case("a line separator", Array("a: b\u{2028}c\n".utf8), .lineSeparator(0x2028), 1, 5),
    Case("a paragraph separator", Array("ä\u{2029}".utf8), .lineSeparator(0x2029), 1, 2),
    Case("a tab as indentation", Array("a:\n\tb: c\n".utf8), .tab, 2, 1),
    Case("a tab behind a carriage return", Array("a:\r\tb: c\r".utf8), .tab, 2, 1),
    Case("a second document", Array("a: 1\n---\nb: 2\n".utf8), .secondDocument, 2, 1, 3),
    Case("an unknown alias", Array("a: *b\n".utf8), .unknownAlias("b"), 1, 4, 2),
    Case("an alias inside itself", Array("a: &b [*b]\n".utf8), .aliasInsideItself("b"), 1, 8, 2),
    Case(
      "an unclosed quote", Array("a: \"b\n".utf8),
      .syntax("found unexpected end of stream", context: "while scanning a quoted scalar", contextLine: 1), 2, 1),
    Case(
      "a colon in a plain value", Array("a: b: c\n".utf8),
      .syntax("mapping values are not allowed in this context", context: nil, contextLine: nil), 1, 5),
  ]

  @Test("the first problem that makes the rest unreadable", arguments: cases)
  func refused(_ testCase: Case) {
    #expect(throws: testCase.error) { try YAMLDocument(testCase.bytes) }
  }

  @Test("problems that leave the rest readable are all told")
  func collected() throws {
    let text = "a: !!int 1\n[b]: 2\nc: \"\\0\"\nd: { <<: 3 }\n"
    let document = try YAMLDocument(Array(text.utf8))
    #expect(
      document.problems == [
        YAMLError(.tag("tag:yaml.org,2002:int"), at: YAMLMark(line: 1, column: 4)),
        YAMLError(.keyNotScalar, at: YAMLMark(line: 2, column: 1)),
        YAMLError(.nul, at: YAMLMark(line: 3, column: 4, length: 4)),
        YAMLError(.mergeOfOther, at: YAMLMark(line: 4, column: 10)),
      ])
  }
}
