// SPDX-License-Identifier: Apache-2.0
import SyncCore
import Testing

@Suite("a file name")
struct FileNameTests {
  private let portable = FileNaming(isPortable: true)
  private let posix = FileNaming(isPortable: false)

  @Test(
    "a text from outside becomes one harmless component",
    arguments: [
      ("Night Drive", "Night Drive"), ("../..", "_"), ("..", ""), (".", ""), ("", ""), ("   ", ""),
      (".hidden", "hidden"),
      ("-rf", "rf"), ("--", ""), ("- a -", "a -"), ("end.", "end"), ("end. . ", "end"), ("a\nb\tc", "a b c"),
      ("a\0b", "a b"), ("a/b", "a_b"), ("AC/\u{301}DC", "AC_\u{301}DC"), ("\u{1B}[31mred", "[31mred"),
      ("\u{202E}gpj.mp3", "gpj.mp3"), ("a\u{9B}b", "a b"), ("a\u{2028}b", "a b"), ("🎵 Müsic", "🎵 Müsic"),
      ("a  b", "a b"), ("...a", "a"),
    ])
  func cleaned(text: String, expected: String) {
    #expect(posix.cleaned(text) == expected)
    #expect(portable.cleaned(text) == expected)
  }

  @Test(
    "portable names have no sign and no word that another system takes",
    arguments: [
      ("CON", "_CON"), ("con.txt", "_con.txt"), ("Com1", "_Com1"), ("LPT9.x.y", "_LPT9.x.y"), ("COM0", "COM0"),
      ("CONSOLE", "CONSOLE"), ("nul", "_nul"),
      ("COM¹", "_COM¹"), ("lpt³.mp3", "_lpt³.mp3"), ("COM10", "COM10"), ("com", "com"), ("CONIN$", "_CONIN$"),
      ("conout$.x", "_conout$.x"), ("CON .txt", "_CON .txt"), ("NULL", "NULL"), ("a:b", "a_b"), ("a\\b", "a_b"),
      ("what?*<>|\"", "what______"),
    ])
  func portableOnly(text: String, expected: String) {
    #expect(portable.cleaned(text) == expected)
    #expect(posix.cleaned(text) == text)
  }

  @Test("what fits stays, what does not is cut between characters and marked")
  func fitted() {
    #expect(portable.fitted(String(repeating: "a", count: 255), reserving: 0, tag: "12345678").utf8.count == 255)
    let cut = portable.fitted(String(repeating: "é", count: 300), reserving: 10, tag: "12345678")
    #expect(cut.hasSuffix("é [12345678]"))
    #expect((243...245).contains(cut.utf8.count))
    #expect(!cut.unicodeScalars.contains("\u{FFFD}"))
  }

  @Test("a name is in normal form C")
  func composed() {
    for naming in [portable, posix] {
      #expect(Array(naming.cleaned("Cafe\u{301}").utf8) == Array("Caf\u{E9}".utf8))
      #expect(Array(naming.cleaned("か\u{3099}").utf8) == Array("が".utf8))
    }
  }

  @Test(
    "names are one where the file system holds them for one",
    arguments: [
      ("Night", "night", true), ("Straße", "STRASSE", true), ("ΟΔΟΣ", "οδος", true), ("Cafe\u{301}", "CAF\u{C9}", true),
      ("a", "b", false), ("Cafe", "Café", false),
    ])
  func keys(one: String, other: String, isOne: Bool) throws {
    #expect((portable.key(try path(one)) == portable.key(try path(other))) == isOne)
    #expect(posix.key(try path(one)) != posix.key(try path(other)))
  }

  @Test("a text that is one endless character leaves its mark")
  func endlessCharacter() {
    let zalgo = "a" + String(repeating: "\u{301}", count: 300)
    #expect(portable.fitted(zalgo, reserving: 4, tag: "12345678") == "[12345678]")
  }
}
