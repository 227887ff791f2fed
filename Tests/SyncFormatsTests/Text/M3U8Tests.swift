// SPDX-License-Identifier: Apache-2.0
import SyncCore
import SyncFormats
import Testing

@Suite("the M3U8 writer")
struct M3U8Tests {
  private func entry(
    _ path: String, _ title: String = "T", artist: String? = nil, duration: Duration? = nil
  ) throws -> PlaylistFileEntry {
    PlaylistFileEntry(path: try #require(LibraryPath(path)), title: title, artist: artist, duration: duration)
  }

  @Test("a playlist has its title, and length, name and path of each item")
  func playlist() throws {
    let text = M3U8.text(
      title: "Commute mix",
      entries: [
        try entry(
          "Commute mix/Night Drive.mp3", "Night Drive", artist: "The Example", duration: .milliseconds(225_500)),
        try entry("Ü/é.ogg", "é, ü"),
      ])
    #expect(
      text == """
        #EXTM3U
        #PLAYLIST:Commute mix
        #EXTINF:226,The Example - Night Drive
        Commute mix/Night Drive.mp3
        #EXTINF:-1,é, ü
        Ü/é.ogg

        """)
  }

  @Test("an empty playlist is its first line")
  func empty() {
    #expect(M3U8.text(title: nil, entries: []) == "#EXTM3U\n")
  }

  @Test(
    "a title stays one harmless line",
    arguments: [
      ("a\nb\r\n#EXTINF:1,c", "a b #EXTINF:1,c"), ("\u{1B}]52;c;x\u{7}\u{9B}31m", "]52;c;x 31m"),
      ("a\u{202E}gpj\u{2066}.mp3\u{200F}", "agpj.mp3"), ("a\u{2028}b\0c\u{85}d", "a b c d"),
      ("  =cmd  <script>", "=cmd <script>"),
    ])
  func hostile(title: String, expected: String) throws {
    let lines = M3U8.text(title: title, entries: [try entry("a.mp3", title)]).split(separator: "\n")
    #expect(lines == ["#EXTM3U", "#PLAYLIST:\(expected)", "#EXTINF:-1,\(expected)", "a.mp3"])
  }

  @Test("a path is never taken for a comment, trimmed or broken in two")
  func paths() throws {
    let text = M3U8.text(title: nil, entries: [try entry("#1/a.mp3"), try entry(" b.mp3"), try entry("c\nd.mp3")])
    #expect(text.split(separator: "\n").filter { !$0.hasPrefix("#") } == ["./#1/a.mp3", "./ b.mp3"])
  }
}
