// SPDX-License-Identifier: Apache-2.0
import SyncCore
import Testing

@Suite("a glob")
struct GlobTests {
  @Test(
    "matches a whole text",
    arguments: [
      ("", "", true), ("", "a", false), ("*", "", true), ("*", "anything", true), ("?", "", false), ("?", "é", true),
      ("abc", "abc", true), ("abc", "abcd", false), ("a*", "abc", true), ("*c", "abc", true), ("a*c", "abbbc", true),
      ("a*c", "abbb", false), ("*b*", "abc", true), ("**", "x", true), ("a?c", "abc", true), ("a?c", "ac", false),
      ("*.mp3", "x.mp3.mp3", true), ("[a-c]x", "bx", true), ("[a-c]x", "dx", false), ("[!a-c]x", "dx", true),
      ("[^a-c]x", "ax", false), ("[]x]", "]", true), ("[a-]", "-", true), ("[c-a]", "b", false), ("[a", "[a", true),
      ("\\*", "*", true), ("\\*", "x", false), ("a\\", "a\\", true), ("*a*b*c*", "xxaxxbxxc", true),
    ])
  func whole(_ row: (pattern: String, text: String, matches: Bool)) {
    #expect(Glob(row.pattern).matches(row.text) == row.matches)
  }

  @Test("may be told to ignore case")
  func ignoringCase() {
    #expect(Glob("*TRAILER*", ignoringCase: true).matches("The trailer"))
    #expect(!Glob("*TRAILER*").matches("The trailer"))
    #expect(Glob("[A-Z]", ignoringCase: true).matches("q"))
  }

  @Test("of many stars against a long text that fails takes no longer than their product")
  func manyStars() {
    let pattern = String(repeating: "*a", count: 200) + "b"
    #expect(!Glob(pattern).matches(String(repeating: "a", count: 5000)))
  }
}
