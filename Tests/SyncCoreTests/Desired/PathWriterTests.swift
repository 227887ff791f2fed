// SPDX-License-Identifier: Apache-2.0
import SyncCore
import Testing

@Suite("a writer of paths")
struct PathWriterTests {
  private static let scalars: [Unicode.Scalar] = [
    "a", "b", "Z", "c", "o", "n", "C", "O", "N", "1", " ", " ", ".", "-", "_", "/", ":", "?", "\u{A0}", "\u{AD}", "é",
    "ü", "Я", "й", "ς", "\u{301}", "\u{306}", "が", "\u{3099}", "日", "한", "\u{11AB}", "🎵", "\u{FE0F}", "\u{200D}",
    "\u{2013}", "\u{2028}", "\u{FEFF}", "\u{85}", "\u{37E}", "\u{212B}", "¹", "$",
  ]

  private func fields(_ title: String, playlist: String = "Mix") throws -> LayoutFields {
    var item = try item("x")
    item.title = title
    return LayoutFields(playlist: playlist, item: Boxed(item), position: 7)
  }

  @Test("takes the short way only to where the long one leads")
  func shortcut() throws {
    var random = SeededGenerator(11)
    let template = try LayoutTemplate("{playlist}/{title}")
    for naming in [
      FileNaming(isPortable: true), FileNaming(isPortable: false), FileNaming(isPortable: true, unit: .utf16),
    ] {
      var writer = PathWriter(naming)
      for _ in 0..<3000 {
        var view = String.UnicodeScalarView()
        for _ in 0..<Int.random(in: 0...12, using: &random) {
          view.append(Self.scalars[.random(in: 0..<Self.scalars.count, using: &random)])
        }
        let (text, tag) = (String(view), try id("x").tag)
        let cleaned = naming.cleaned(text)
        let expected = naming.fitted(cleaned.isEmpty ? tag : cleaned, reserving: 0, tag: tag)
        let path = writer.path(template, try fields(text, playlist: text), fileExtension: "mp3")
        let bytes = path.components.map { Array($0.utf8) }
        #expect(bytes == [Array(expected.utf8), Array(expected.utf8)], "\(text.unicodeScalars.map(\.value))")
        #expect(writer.isPlace(path, of: try fields(text, playlist: text), in: template, fileExtension: "mp3"))
      }
    }
  }

  @Test(
    "knows a place of its own, and one that was set apart once",
    arguments: [
      ("Mix/Night.mp3", true), ("Mix/Night [TAG].mp3", true), ("Mix/Night [TAG-2].mp3", true),
      ("Mix/Night [TAG-12].mp3", true), ("Mix/night.mp3", false), ("Night.mp3", false), ("Mix/Night.ogg", false),
      ("Mix/Night [TAG-1].mp3", false), ("Mix/Night [TAG-x].mp3", false), ("Mix/Night [00000000].mp3", false),
      ("Mix/Night [TAG]", false), ("Mix/Day [TAG].mp3", false), ("Mix/Night  [TAG].mp3", false),
    ])
  func places(text: String, isPlace: Bool) throws {
    let tag = try id("x").tag
    let place = try path(text.split(separator: "TAG", omittingEmptySubsequences: false).joined(separator: tag))
    var writer = PathWriter(FileNaming(isPortable: true))
    #expect(writer.isPlace(place, of: try fields("Night"), in: .item, fileExtension: "mp3") == isPlace)
  }

  @Test("takes two spellings of one text for one")
  func spellings() throws {
    var writer = PathWriter(FileNaming(isPortable: false))
    #expect(
      writer.isPlace(try path("Mix/Cafe\u{301}.mp3"), of: try fields("Caf\u{E9}"), in: .item, fileExtension: "mp3"))
    let written = writer.path(.item, try fields("Cafe\u{301}"), fileExtension: "mp3")
    #expect(Array(written.text.utf8) == Array("Mix/Caf\u{E9}.mp3".utf8))
  }

  @Test("takes the first alternative that is not empty")
  func alternatives() throws {
    let template = try LayoutTemplate("{album|artist|'Various'}/{published:%F|id} {title}")
    var writer = PathWriter(FileNaming(isPortable: true))
    var fields = try fields("t")
    #expect(writer.path(template, fields, fileExtension: "mp3").text == "Various/x t")
    fields.item.artist = "Anna"
    #expect(writer.path(template, fields, fileExtension: "mp3").text == "Anna/x t")
    (fields.item.album, fields.item.published) = ("Roads", try time("2026-01-05"))
    #expect(writer.path(template, fields, fileExtension: "mp3").text == "Roads/2026-01-05 t")
    fields.item.album = ""
    #expect(writer.path(template, fields, fileExtension: "mp3").text == "Anna/2026-01-05 t")
  }

  @Test("measures names in what the disk counts")
  func units() throws {
    let title = String(repeating: "日", count: 200)
    let template = try LayoutTemplate("{title}.{ext}")
    func name(_ unit: FileNaming.Unit, _ title: String) throws -> String {
      var writer = PathWriter(FileNaming(isPortable: true, unit: unit))
      return writer.path(template, try fields(title), fileExtension: "mp3").text
    }
    #expect(try name(.utf16, title) == title + ".mp3")
    #expect(try name(.bytes, title).utf8.count <= 255)
    let long = try name(.utf16, String(repeating: "🎵", count: 200))
    #expect((250...255).contains(long.utf16.count))
    #expect(long.hasSuffix(" [\(try id("x").tag)].mp3"))
  }
}
