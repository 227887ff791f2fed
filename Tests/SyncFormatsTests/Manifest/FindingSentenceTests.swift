// SPDX-License-Identifier: Apache-2.0
import SyncCore
import SyncFormats
import Testing

@Suite("what no readable manifest can show has its sentence too")
struct FindingSentenceTests {
  @Test(
    "the sentence of a fact",
    arguments: [
      (
        Finding.Fact.document(.tooDeep(limit: 64)),
        "more than 64 lists and mappings inside each other: nothing in a manifest is that deep"
      ),
      (
        .document(.documentTooLarge(limit: ByteCount(256 << 20))),
        "the manifest is larger than 256MiB: split it"
      ),
      (
        .document(.scalarTooLarge(limit: ByteCount(1 << 20))),
        "a text or comment here is longer than 1MiB: shorten it"
      ),
      (.document(.invalidUTF8(byte: 0xE9)), "the byte 0xE9 is not UTF-8: save the manifest as UTF-8"),
      (.document(.utf16), "the manifest is in UTF-16 or UTF-32: save it as UTF-8"),
      (.document(.nul), "a NUL character cannot be part of a manifest: remove it"),
      (
        .document(.controlCharacter(0x1B)),
        "the control character U+001B cannot stand as itself: remove it, or write it as an escape in double quotes"
      ),
      (
        .document(.lineSeparator(0x2028)),
        "the character U+2028 is a line break to some YAML readers and not to others: remove it, or write it as"
          + " \"\\u2028\" in double quotes"
      ),
      (.document(.outOfMemory), "there was not enough memory to read on"),
      (
        .value(key: "library.path", .path(.homeUnknown)),
        "\"library.path\": \"~\" stands for the home directory, which is not known: set HOME, or write the path out"
      ),
      (.value(key: "library.path", .path(.nul)), "\"library.path\": a path cannot have a NUL in it"),
    ])
  func sentence(fact: Finding.Fact, sentence: String) {
    let picture = DiagnosticRenderer(file: "m", source: [])
    #expect(picture.render(Finding(fact, at: SourceMark(line: 1, column: 1))) == "m:1:1: error: \(sentence)")
  }

  @Test(
    "encodings and characters that are refused are shown where they stand",
    arguments: [
      (Array("version: 1\nname: caf".utf8) + [0xE9, 0x0A], "2:10", "the byte 0xE9 is not UTF-8"),
      ([0xFF, 0xFE, 0x76, 0x00], "1:1", "the manifest is in UTF-16"),
      (Array("version: 1\nname: a\0b\n".utf8), "2:8", "a NUL character"),
      (Array("version: 1\nname: \u{1B}[0m\n".utf8), "2:7", "the control character U+001B"),
      (Array("version: 1\nname: a\u{2028}b\n".utf8), "2:8", "the character U+2028"),
    ])
  func bytes(source: [UInt8], place: String, sentence: String) {
    let reading = ManifestReader.read(
      source, directory: "/m", fileStem: "m", environment: ManifestEnvironment())
    let picture = DiagnosticRenderer(file: "m", source: source)
    #expect(reading.manifest == nil && reading.findings.count == 1)
    #expect(reading.findings.allSatisfy { picture.render($0).hasPrefix("m:\(place): error: \(sentence)") })
  }

  @Test("without a home directory ~ is refused")
  func noHome() {
    let source = Array("version: 1\nlibrary: { path: ~/lib }\nplaylists: { p: { feed: f } }\n".utf8)
    let reading = ManifestReader.read(source, directory: "/m", fileStem: "m", environment: ManifestEnvironment())
    #expect(reading.findings.map(\.fact) == [.value(key: "library.path", .path(.homeUnknown))])
  }

  @Test("every sentence is one line")
  func oneLine() {
    let picture = DiagnosticRenderer(file: "m", source: [])
    let fact = Finding.Fact.key(.unknown("a\nb\u{9B}", section: "x\ry", nearest: nil))
    #expect(
      picture.render(Finding(fact, at: SourceMark(line: 1, column: 1)))
        == #"m:1:1: error: unknown key "a\u{A}b\u{9B}" in "x\u{D}y": remove it, or begin its name with "x-" to have it ignored"#
    )
  }
}
