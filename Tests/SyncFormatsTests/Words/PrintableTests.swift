// SPDX-License-Identifier: Apache-2.0
import SyncCore
import Testing

@testable import SyncFormats

@Suite("text from outside")
struct PrintableTests {
  @Test(
    "shows what a terminal might obey, and leaves the rest",
    arguments: [
      ("Night Drive é 🎵", "Night Drive é 🎵"), ("\u{1B}]52;c;x\u{7}", "\\u{1B}]52;c;x\\u{7}"),
      ("a\nb\t", "a\\u{A}b\\u{9}"),
      ("\u{9B}31m", "\\u{9B}31m"), ("\u{202E}gpj", "\\u{202E}gpj"), ("a\u{2028}b\u{FEFF}", "a\\u{2028}b\\u{FEFF}"),
      ("\u{7F}\0", "\\u{7F}\\u{0}"), ("\r\n", "\\u{D}\\u{A}"), ("<script>", "<script>"), ("", ""),
    ])
  func printable(text: String, expected: String) {
    #expect(text.printable == expected)
    #expect(text.quoted == "\"\(expected)\"")
  }

  @Test("is shortened when a sentence quotes it, even if it is one character")
  func excerpt() throws {
    let accents = "e" + String(repeating: "\u{301}", count: 1_000_000)
    for text in [String(repeating: "x", count: 5_000_000), accents] {
      #expect(text.excerpt.unicodeScalars.count == 201 && text.excerpt.hasSuffix("…"))
      let problems: [SourceProblem] = [
        .refused(code: 40, message: text), .notAFeed(root: text), .notAnOutline(root: text),
        .notAList(.xml(root: text)), .notAList(.hls(tag: text)), .malformed(line: 1, detail: text),
        .unreachable(.redirectRefused(to: text, .notHTTP)), .unreachable(.invalidURL(text)),
        .unreachable(.malformedResponse(detail: text)), .unreachable(.network(detail: text)),
      ]
      for problem in problems { #expect(problem.words.utf8.count < 1_000, "\(problem.words.prefix(80))") }
      var flaws = ListingFlaws()
      flaws.append(.badURL(text))
      #expect(flaws.notes.map(\.shortened).description.utf8.count < 1_000)
    }
    for text in ["", "é", String(repeating: "é", count: 200)] {
      #expect(text.excerpt == text)
      #expect(ListingNote.badURL(text).shortened == .badURL(text))
    }
  }

  @Test(
    "a login is left out of what is not a URL",
    arguments: [
      ("ftp://u:p@host/x", "ftp://***@host/x"), ("bob:secret@host/x.mp3", "***@host/x.mp3"),
      ("http:\\\\bob:secret@host", "***@host"), ("bob:se/cret@host", "***@host"), ("me@host", "me@host"),
      ("a:b", "a:b"),
    ])
  func logins(text: String, shown: String) { #expect(text.withoutLogin == shown) }

  @Test(
    "what looks like a login is left out of a path",
    arguments: [
      ("//bob:secret@host/l.mp3", "//***@host/l.mp3"), ("/music/a@b/c:d.mp3", "/music/a@b/c:d.mp3"),
      ("bob:secret@host/x", "***@host/x"),
    ])
  func loginsInPaths(text: String, shown: String) { #expect(text.withoutLoginInPath == shown) }
}
