// SPDX-License-Identifier: Apache-2.0
import SyncFormats
import Testing

@Suite("text that fits a terminal")
struct FittedTextTests {
  @Test(
    "lines are broken between words, and go on indented",
    arguments: [
      ("short", 10, "short"),
      ("one two three", 8, "one two\n    three"),
      ("  + a/name.mp3  1 KiB  note", 18, "  + a/name.mp3  1\n      KiB  note"),
      ("unbreakableword", 8, "unbreakableword"),
      ("a unbreakableword b", 8, "a\n    unbreakableword\n    b"),
      ("first line\nsecond line", 10, "first line\nsecond\n    line"),
      ("夜の ドライブ", 8, "夜の\n    ドライブ"),
      ("", 8, ""),
      ("ends\n", 8, "ends\n"),
    ])
  func breaks(_ text: String, _ columns: Int, _ fitted: String) {
    #expect(text.fitted(toColumns: columns) == fitted)
  }

  @Test("colours take no columns")
  func colours() {
    let tinted = "\u{1B}[32mone\u{1B}[0m two"
    #expect(tinted.fitted(toColumns: 7) == tinted)
    #expect(tinted.fitted(toColumns: 6) == "\u{1B}[32mone\u{1B}[0m\n   two")
  }
}
