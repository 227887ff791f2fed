// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import SyncCore

@Suite("the joined pages of a feed")
struct ListingPagesTests {
  /// An entry for each word: the guid, a colon and the path of the URL; without a guid, the path alone.
  private func page(_ words: String, _ completeness: Completeness = .whole) throws -> Listing {
    let entries = try words.split(separator: " ").map { word in
      let parts = word.split(separator: ":").map(String.init)
      var entry = ListingEntry(url: try RemoteURL("https://a.example/\(parts.last ?? "")"))
      entry.guid = parts.count == 2 ? parts[0] : nil
      return entry
    }
    return Listing(entries: ListingEntries(entries), completeness: completeness)
  }

  private func text(_ listing: Listing) -> String {
    listing.entries.map { [$0.guid, String($0.url.path.dropFirst())].compactMap(\.self).joined(separator: ":") }
      .joined(separator: " ")
  }

  @Test(
    "have each entry once, the newest first",
    arguments: [
      ("g1:1 g2:2", "g3:3", "g1:1 g2:2 g3:3"),
      // An archive repeats an entry, whose URL has changed since.
      ("g1:1 g2:2", "g2:old g3:3", "g1:1 g2:2 g3:3"),
      ("1 2", "2 3", "1 2 3"),
      // A guid that occurs twice identifies nothing.
      ("g:1 g:2", "g:2 g:3", "g:1 g:2 g:3"),
      ("g:1", "g:2 g:3", "g:1 g:2 g:3"),
      // Another guid with the same URL.
      ("g1:1", "g2:1", "g1:1 g2:1"),
    ])
  func joined(_ first: String, _ second: String, _ expected: String) throws {
    var pages = ListingPages(try page(first))
    pages.append(try page(second))
    #expect(text(pages.listing) == expected)
  }

  @Test("keep an entry of the last reading that is on no page, for one reading")
  func held() throws {
    var pages = ListingPages(try page("g1:1"))
    pages.append(try page("g3:3"))
    pages.hold(try page("g1:1 g2:2 g3:moved 3 4"))
    #expect(pages.listing.unusable.map(\.guid) == ["g2", nil])
  }

  @Test("are as complete as the least complete one")
  func completeness() throws {
    var pages = ListingPages(try page("1"))
    pages.append(try page("2", .followedByContent))
    #expect(pages.listing.completeness == .followedByContent)
    pages.end(.continued, .morePages(2))
    #expect(pages.listing.completeness == .continued && pages.listing.flaws.notes == [.morePages(2)])
    pages.end(.partial(.page(3, .empty)))
    #expect(!pages.listing.completeness.hasEnd)
  }
}
