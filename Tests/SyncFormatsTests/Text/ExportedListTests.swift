// SPDX-License-Identifier: Apache-2.0
import SyncCore
import Testing

@testable import SyncFormats

@Suite("a playlist that is exported and read again")
struct ExportedListTests {
  /// Texts with everything that has a meaning in one of the formats.
  private static let pieces = [
    "a", "Ü", " - ", "-", "#", "#EXTINF:1,", ",", "\"", "'", "<b>", "&amp;", "&", "]]>", "\\", "{", "}", "🎧", "שלום",
    "\u{202E}",
    "\n", "\r\n", "\u{0}", "\u{1B}[31m", "%20", "  ", ":", "=", "https://x.example/", "e\u{301}",
  ]

  private func below(_ count: Int, _ random: inout SplitMix) -> Int { Int.random(in: 0..<count, using: &random) }

  private func text(_ random: inout SplitMix, atMost count: Int) -> String? {
    let text = (0..<below(count, &random)).map { _ in Self.pieces[below(Self.pieces.count, &random)] }.joined()
    return text.displayed == nil ? nil : text
  }

  private func entry(_ number: Int, _ random: inout SplitMix) throws -> PlaylistFileEntry {
    var urls = [
      try RemoteURL("https://m.example/\(number)?a=b&c=%20#x"), try RemoteURL("http://[::1]:8/\(number)/ü.ogg"),
    ]
    if below(2, &random) == 0 { urls.removeLast() }
    var item = Item(id: try #require(ItemID("i\(number)")), title: "", main: Candidate(url: urls[0]))
    item.title = text(&random, atMost: 6) ?? "t"
    item.artist = text(&random, atMost: 4)
    item.album = text(&random, atMost: 4)
    item.duration = below(3, &random) == 0 ? nil : .seconds(below(5000, &random) + 1)
    return PlaylistFileEntry(item, at: .urls(urls))
  }

  @Test("has the same items in each format", arguments: ["m3u8", "xspf", "jspf"])
  func roundTrip(format: String) throws {
    for seed in 0..<200 {
      var random = SplitMix(state: UInt64(seed))
      let entries = try (0..<below(12, &random)).map { try entry($0, &random) }
      let title = text(&random, atMost: 5)
      let written =
        switch format {
        case "m3u8": M3U8.exported(title: title, entries: entries)
        case "xspf": XSPF.text(title: title, entries: entries)
        default: JSPF.text(title: title, entries: entries)
        }
      let list = ListReader.read(Array(written.utf8))
      #expect(list.completeness == .whole && list.flaws.listed.isEmpty, "\(seed): \(written)")
      #expect(list.entries.count == entries.count, "\(seed): \(written)")
      for (read, entry) in zip(list.entries, entries) {
        guard case .urls(let urls) = entry.place else { continue }
        #expect(read.url == urls[0] && read.alternatives == (format == "m3u8" ? [] : Array(urls.dropFirst())))
        let expected = [entry.title, entry.artist, entry.album].map { $0?.displayed?.plain }
        #expect([read.title, read.author, read.album] == expected, "\(seed): \(written)")
        #expect(read.duration == entry.duration)
      }
    }
  }
}
