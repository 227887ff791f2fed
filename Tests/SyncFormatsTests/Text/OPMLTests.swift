// SPDX-License-Identifier: Apache-2.0
import SyncCore
import Testing

@testable import SyncFormats

@Suite("OPML: the feeds that are exported")
struct OPMLTests {
  @Test("are read again with their titles and URLs")
  func readAgain() throws {
    let titles = ["World", "Tea & \"Toast\"", "שלום 🎧", "a\nb\u{1B}c", "]]>", "'#,'"]
    let feeds = try titles.enumerated().map { number, title in
      OPML.Feed(title: title, url: try RemoteURL("https://f.example/\(number)?a=1&b=\"ü'"))
    }
    let listing = OutlineReader.read(Array(OPML.text(title: "My <feeds>", feeds: feeds).utf8))
    #expect(listing.completeness == .whole && listing.flaws.listed.isEmpty)
    #expect(listing.entries.map(\.url) == feeds.map(\.url))
    #expect(listing.entries.map(\.title) == titles.map { $0.displayed?.plain })
  }

  @Test("are read again, whatever their titles and URLs have in them")
  func anyTitles() throws {
    // No markup: a title in a document may be escaped HTML, of which the reader keeps the text.
    let pieces = [
      "a", "Ü", "< b", "&", "&#0;", "]]>", "<!--", "\"", "'", "\\", "🎧", "שלום", "\u{202E}", "\n", "\r\n",
      "\t", "\u{0}", "\u{1B}[31m", "  ", "%20", "e\u{301}", "<?x?>",
    ]
    for seed in 0..<200 {
      var random = SplitMix(state: UInt64(seed))
      func text() -> String {
        (0..<Int.random(in: 0..<7, using: &random)).map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
      }
      let feeds = try (0..<Int.random(in: 0..<12, using: &random)).map { number in
        OPML.Feed(title: text(), url: try RemoteURL("https://f.example/\(number)?a=1&b=\"<ü>'&amp;c=%26#x"))
      }
      let document = OPML.text(title: text(), feeds: feeds)
      let listing = OutlineReader.read(Array(document.utf8))
      #expect(listing.completeness == .whole && listing.flaws.listed.isEmpty, "\(seed): \(document)")
      #expect(listing.entries.map(\.url) == feeds.map(\.url), "\(seed): \(document)")
      let titles = feeds.map { ($0.title.displayed ?? $0.url.host).displayed?.plain }
      #expect(listing.entries.map(\.title) == titles, "\(seed): \(document)")
    }
  }

  @Test("are none for a manifest without feeds")
  func empty() {
    let text = OPML.text(title: nil, feeds: [])
    #expect(OutlineReader.read(Array(text.utf8)).completeness == .whole)
  }
}
