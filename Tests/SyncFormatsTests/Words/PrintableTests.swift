// SPDX-License-Identifier: Apache-2.0
import SyncFormats
import Testing

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
}
