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

  @Test("are none for a manifest without feeds")
  func empty() {
    let text = OPML.text(title: nil, feeds: [])
    #expect(OutlineReader.read(Array(text.utf8)).completeness == .whole)
  }
}
