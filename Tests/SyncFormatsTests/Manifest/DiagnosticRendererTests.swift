// SPDX-License-Identifier: Apache-2.0
import SyncCore
import SyncFormats
import Testing

@Suite("a finding is shown with its line, safely and aligned")
struct DiagnosticRendererTests {
  @Test("the caret stands below wide characters and after combining ones")
  func wide() {
    #expect(lines("日本: e\u{301}x: y\n", at: 5, 2) == ["日本: e\u{301}x: y", "      ^"])
    #expect(lines("日本: ab\n", at: 1, 2) == ["日本: ab", "^~~~"])
    #expect(lines("日本: e\u{301}x\n", at: 7, 1) == ["日本: e\u{301}x", "       ^"])
  }

  @Test("control characters, turned text and tabs are shown as escapes, and the caret knows")
  func escapes() {
    #expect(
      lines("a\tb\u{1B}[0m\u{202E}: x\n", at: 10, 1) == [#"a\tb\u{1B}[0m\u{202E}: x"#, "                      ^"])
  }

  @Test("bytes that are no UTF-8 are shown as such")
  func invalidBytes() {
    let source = Array("a: caf".utf8) + [0xE9]
    let picture = DiagnosticRenderer(file: "m.yaml", source: source)
    let text = picture.render(Finding(.document(.invalidUTF8(byte: 0xE9)), at: SourceMark(line: 1, column: 7)))
    #expect(
      text == """
        m.yaml:1:7: error: the byte 0xE9 is not UTF-8: save the manifest as UTF-8
        a: caf\u{FFFD}
              ^
        """)
  }

  @Test("a long line is cut to what lies around the place")
  func longLine() {
    let source = String(repeating: "x", count: 5000) + "HERE" + String(repeating: "y", count: 5000)
    let expected = "…" + String(repeating: "x", count: 60) + "HERE" + String(repeating: "y", count: 52) + "…"
    #expect(lines(source, at: 5001, 4) == [expected, String(repeating: " ", count: 61) + "^~~~"])
  }

  @Test("lines end with LF, CR or both, and a byte order mark is not shown")
  func lineEnds() {
    let picture = DiagnosticRenderer(file: "m", source: Array("\u{FEFF}one\r\ntwo\rthree\nfour".utf8))
    let shown = (1...5).map { line in
      picture.render(Finding(.document(.tab), at: SourceMark(line: line, column: 1))).split(separator: "\n").dropFirst()
        .first
    }
    #expect(shown == ["one", "two", "three", "four", nil])
  }

  @Test(
    "what may be a credential is starred out in the line",
    arguments: [
      ("  url: https://anna:pw@h/a?k=v", "  url: https://*******@h/a?***"),
      ("  Authorization: Bearer abc", "  Authorization: **********"),
      ("  \"X-Auth-Token\" : 'abc'", "  \"X-Auth-Token\" : *****"),
      ("  title: The token of love", "  title: The token of love"),
      ("  a: https://h/token/x # see: y", "  a: https://h/token/x # see: y"),
    ])
  func secrets(source: String, shown: String) { #expect(lines(source, at: 1, 1)[0] == shown) }

  @Test("a value that is to be hidden is not shown at all")
  func hidden() {
    let picture = DiagnosticRenderer(file: "m", source: Array("  H: secret and more\n".utf8))
    let finding = Finding(
      .value(key: "downloads.headers.H", .header(.badValue)), at: SourceMark(line: 1, column: 6, length: 15),
      hidesValue: true)
    #expect(picture.render(finding).split(separator: "\n").dropFirst() == ["  H: ***", "     ^~~"])
  }

  @Test("the file's own name cannot speak to a terminal either")
  func fileName() {
    let picture = DiagnosticRenderer(file: "m\u{1B}]0;x\u{7}.yaml", source: [])
    #expect(
      picture.render(Finding(.document(.empty), at: SourceMark(line: 1, column: 1)))
        == #"m\u{1B}]0;x\u{7}.yaml:1:1: error: the manifest is empty: begin with "version: 1" and "library:""#)
  }

  private func lines(_ source: String, at column: Int, _ length: Int) -> [String] {
    let picture = DiagnosticRenderer(file: "m.yaml", source: Array(source.utf8))
    let mark = SourceMark(line: 1, column: column, length: length)
    return picture.render(Finding(.document(.tab), at: mark)).split(separator: "\n").dropFirst().map(String.init)
  }
}
