// SPDX-License-Identifier: Apache-2.0
import SyncCore
import Testing

@testable import SyncFormats

@Suite("XSPF: the playlist file")
struct XSPFTests {
  @Test("an entry is written with everything that is known of it")
  func whole() throws {
    var entry = PlaylistFileEntry(path: try #require(LibraryPath("Roads/50% #1?.mp3")), title: "Tea & <b>Toast</b>")
    (entry.artist, entry.album, entry.duration) = ("The Example", "Roads", .milliseconds(61_250))
    let bare = PlaylistFileEntry(path: try #require(LibraryPath("a:b/Só.mp3")), title: "One\u{202E}\nTwo\u{FFFE}")
    let text = XSPF.text(title: "Road trip", entries: [entry, bare])
    #expect(
      PlaylistMark(playlist: "roads", file: "R 5%?>.xspf").marked(text, .xspf) == """
        <?xml version="1.0" encoding="UTF-8"?>
        <?syncjob-playlist roads R 5%25%3F>.xspf?>
        <playlist version="1" xmlns="http://xspf.org/ns/0/">
          <title>Road trip</title>
          <trackList>
            <track>
              <location>Roads/50%25%20%231%3F.mp3</location>
              <title>Tea &amp; &lt;b&gt;Toast&lt;/b&gt;</title>
              <creator>The Example</creator>
              <album>Roads</album>
              <duration>61250</duration>
            </track>
            <track>
              <location>a%3Ab/S%C3%B3.mp3</location>
              <title>One Two </title>
            </track>
          </trackList>
        </playlist>

        """)
  }

  @Test("a mark is read from where it was written", arguments: PlaylistFormat.allCases)
  func mark(_ format: PlaylistFormat) throws {
    for file in ["Roads.xspf", "a b?>%3F%25.x", "-- ?.m3u8"] {
      let mark = PlaylistMark(playlist: "roads", file: file)
      let text = mark.marked(format == .m3u8 ? "#EXTM3U\n" : XSPF.text(title: nil, entries: []), format)
      #expect(PlaylistMark(head: text, format) == mark)
      let other = try #require(PlaylistFormat.allCases.first { $0 != format })
      #expect(PlaylistMark(head: text, other) == nil)
      #expect(PlaylistMark(head: String(text.prefix { $0 != "\n" }), format) == nil)
    }
  }

  @Test("a file that is read again as a list has the same items")
  func readAgain() throws {
    var random = SplitMix(state: 67)
    let characters = Array("aé &<>\"'%?#:;-~[]@!$()*+,=\\|日\u{301}🎵\t")
    func text() -> String {
      String((0..<Int.random(in: 1...12, using: &random)).map { _ in characters.randomElement(using: &random)! })
    }
    let base = try RemoteURL("https://a.example/library/Road%20trip.xspf")
    for _ in 1...300 {
      let entries = (0..<4).compactMap { number -> PlaylistFileEntry? in
        guard let path = LibraryPath("\(number)\(text())/\(text()).mp3") else { return nil }
        var entry = PlaylistFileEntry(path: path, title: text())
        if Bool.random(using: &random) { entry.artist = text() }
        if Bool.random(using: &random) { entry.album = text() }
        if Bool.random(using: &random) { entry.duration = .milliseconds(Int.random(in: 1...9_999_999, using: &random)) }
        return entry
      }
      let title = text()
      let written = PlaylistMark(playlist: "roads", file: title).marked(
        XSPF.text(title: title, entries: entries), .xspf)
      let list = ListReader.read(Array(written.utf8), base: base)
      #expect(list.completeness == .whole && list.flaws.count == 0 && list.title == title.displayed)
      #expect(list.entries.map(\.title) == entries.map(\.title.displayed))
      #expect(list.entries.map(\.author) == entries.map { $0.artist?.displayed })
      #expect(list.entries.map(\.album) == entries.map { $0.album?.displayed })
      #expect(list.entries.map(\.duration) == entries.map(\.duration))
      #expect(list.entries.map { decoded($0.url.path) } == entries.map { "/library/\(path(of: $0))" })
    }
  }

  private func path(of entry: PlaylistFileEntry) -> String {
    if case .path(let path) = entry.place { path.text } else { "" }
  }

  private func decoded(_ path: String) -> String {
    var bytes: [UInt8] = []
    var rest = Array(path.utf8)[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%"), let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
      else {
        bytes.append(byte)
        continue
      }
      bytes.append(value)
      rest = rest.dropFirst(2)
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
