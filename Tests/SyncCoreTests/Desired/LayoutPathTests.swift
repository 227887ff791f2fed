// SPDX-License-Identifier: Apache-2.0
import SyncCore
import Testing

@Suite("a laid out path")
struct LayoutPathTests {
  private let portable = FileNaming(isPortable: true)

  private func fields(_ title: String, playlist: String = "Mix", name: String = "x") throws -> LayoutFields {
    var item = try item(name)
    item.title = title
    return LayoutFields(playlist: playlist, item: Boxed(item), position: 7)
  }

  private func laidOut(_ title: String, playlist: String = "Mix", attempt: Int = 0) throws -> String {
    LayoutTemplate.item.path(
      try fields(title, playlist: playlist), fileExtension: "mp3", naming: portable, attempt: attempt
    ).text
  }

  @Test("fields are filled in")
  func filled() throws {
    var fields = try fields("Night Drive")
    fields.item.artist = "The Example"
    fields.item.published = try time("2026-01-05T23:00:00Z")
    let template = try LayoutTemplate("{playlist}/{artist}/{album}/{position:3} {published:%Y} {title} {id}.{ext}")
    #expect(
      template.path(fields, fileExtension: "ogg", naming: portable).text
        == "Mix/The Example/\(fields.item.id.tag)/007 2026 Night Drive x.ogg")
  }

  @Test(
    "titles that mean harm stay inside the library",
    arguments: [
      ("../..", "Mix/_.mp3"), ("CON", "Mix/_CON.mp3"), ("end.", "Mix/end.mp3"), ("-rf", "Mix/rf.mp3"),
      ("a\nb", "Mix/a b.mp3"), ("/etc/passwd", "Mix/_etc_passwd.mp3"), ("🎵", "Mix/🎵.mp3"), ("x.mp3", "Mix/x.mp3.mp3"),
    ])
  func harmful(title: String, expected: String) throws { #expect(try laidOut(title) == expected) }

  @Test("a title of which nothing is left takes the item's tag", arguments: ["", "..", " ", "\u{202E}"])
  func empty(title: String) throws {
    let tag = try id("x").tag
    #expect(try laidOut(title) == "Mix/\(tag).mp3")
    #expect(try laidOut("t", playlist: title) == "\(tag)/t.mp3")
  }

  @Test("a long title is cut to 255 bytes with its tag")
  func long() throws {
    let name = try laidOut(String(repeating: "ab ", count: 100)).dropFirst("Mix/".count)
    #expect(name.utf8.count <= 255)
    #expect(name.utf8.count > 240)
    #expect(name.hasSuffix(" [\(try id("x").tag)].mp3"))
  }

  @Test("two titles that differ only by case or normal form can be told apart")
  func sameName() throws {
    let pairs = [("Cafe\u{301}", "Caf\u{E9}"), ("Night", "NIGHT"), ("One", "One")]
    for (one, other) in pairs {
      let first = LayoutTemplate.item.path(
        try fields(one, name: "first"), fileExtension: "mp3", naming: portable)
      let second = LayoutTemplate.item.path(
        try fields(other, name: "second"), fileExtension: "mp3", naming: portable, attempt: 1)
      #expect(first != second)
      #expect(first.text.lowercased() != second.text.lowercased())
    }
  }

  @Test("every attempt is another path")
  func attempts() throws {
    for title in ["Night Drive", String(repeating: "x", count: 400), ".."] {
      let paths = try (0..<20).map { try laidOut(title, attempt: $0) }
      #expect(Set(paths).count == 20)
      #expect(paths.allSatisfy { $0.hasSuffix(".mp3") })
    }
  }

  @Test("a layout without an extension has none")
  func noExtension() throws {
    #expect(try LayoutTemplate("{title}").path(try fields("a.b"), fileExtension: "mp3", naming: portable).text == "a.b")
  }

  @Test("whatever the fields hold, every component is legal")
  func fuzz() throws {
    var random = SeededGenerator(7)
    let templates = try [
      .item, .episode, LayoutTemplate("{artist}/{album}/{position:4}{title}.{ext}"), LayoutTemplate("{id}"),
      LayoutTemplate("x/{published:%H%%}/{title}{ext}"),
    ]
    let scalars: [Unicode.Scalar] = [
      "a", "Z", " ", ".", "-", "/", "\\", ":", "?", "\0", "\n", "\u{1B}", "\u{9B}", "\u{202E}", "\u{301}", "\u{200D}",
      "é", "日", "🎵", "\u{1F1E6}", "\u{FEFF}", "\"", "'", "$", "C", "O", "N", "%", "{", "}", "\u{2028}",
    ]
    func text() -> String {
      var view = String.UnicodeScalarView()
      for _ in 0..<Int.random(in: 0...400, using: &random) {
        view.append(scalars[.random(in: 0..<scalars.count, using: &random)])
      }
      return String(view)
    }
    for round in 0..<1500 {
      var fields = try fields(text(), playlist: text(), name: "item-\(round)")
      (fields.item.artist, fields.item.album) = (text(), Bool.random(using: &random) ? text() : nil)
      fields.item.published = Bool.random(using: &random) ? try time("2026-01-05") : nil
      let naming = FileNaming(isPortable: .random(using: &random))
      let path = templates[round % templates.count].path(
        fields, fileExtension: "m4a", naming: naming, attempt: round % 4)
      #expect(LibraryPath(path.text) == path)
      for component in path.components {
        #expect(component.utf8.count <= 255)
        #expect(!component.unicodeScalars.contains { $0.isControl || $0.isInvisible })
        #expect(!" .-".unicodeScalars.contains(try #require(component.unicodeScalars.first)))
        #expect(!" .".unicodeScalars.contains(try #require(component.unicodeScalars.last)))
        if naming.isPortable {
          #expect(!component.unicodeScalars.contains { "\\:*?\"<>|".unicodeScalars.contains($0) })
        }
      }
    }
  }

  @Test("a tag is eight hexadecimal digits, another for another id")
  func tag() throws {
    #expect(try id("x").tag.utf8.count == 8)
    #expect(try id("x").tag != id("y").tag)
    // FNV-1a of nothing is its offset basis, cbf29ce484222325: folded 84222325 ^ cbf29ce4.
    #expect("".fingerprint == "4fd0bfc1")
  }
}
