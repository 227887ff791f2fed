// SPDX-License-Identifier: Apache-2.0
import SyncCore
import Testing

@testable import SyncFormats

/// Documents that unpack to more entries than memory can hold. The limits are lowered here.
@Suite("a source with too many entries")
struct ManyEntriesTests {
  private static let limit = 3

  private func feed(_ entries: [String], end: String = "</channel></rss>") -> Listing {
    var reader = FeedReader(base: nil, charset: nil, maximumEntries: Self.limit)
    for part in ["<rss><channel><title>T</title>"] + entries + [end] { reader.feed(Array(part.utf8)[...]) }
    return reader.finish()
  }

  private func list(_ parts: [String]) -> Listing {
    var reader = ListReader(ListPlace(maximumEntries: Self.limit), charset: nil)
    for part in parts { reader.feed(Array(part.utf8)[...]) }
    return reader.finish()
  }

  private func items(_ numbers: Range<Int>) -> [String] {
    numbers.map { "<item><enclosure url=\"https://a.example/\($0).mp3\"/></item>" }
  }

  private static let documents: [(name: String, parts: @Sendable (Int) -> [String])] = [
    ("m3u", { count in ["#EXTM3U\n"] + (0..<count).map { "https://a.example/\($0).mp3\n" } }),
    ("pls", { count in ["[playlist]\n"] + (0..<count).map { "File\($0)=https://a.example/\($0).mp3\n" } }),
    (
      "xspf",
      { count in
        ["<playlist xmlns=\"http://xspf.org/ns/0/\"><trackList>"]
          + (0..<count).map { "<track><location>https://a.example/\($0).mp3</location></track>" }
          + ["</trackList></playlist>"]
      }
    ),
    (
      "jspf",
      { count in
        let tracks = (0..<count).map { "{\"location\": [\"https://a.example/\($0).mp3\"]}" }
        return ["{\"playlist\": {\"track\": [\(tracks.joined(separator: ","))]}}"]
      }
    ),
  ]

  @Test("is read up to the limit, is not whole, and says so")
  func feeds() {
    #expect(feed(items(0..<3)).completeness == .whole)
    for extra in [items(3..<4), items(3..<9), ["<item/>"], items(3..<4) + ["<broken"]] {
      let listing = feed(items(0..<3) + extra)
      #expect(listing.completeness == .partial(.excessive("3 entries")) && listing.entries.count == 3)
      #expect(listing.unusable.isEmpty)
    }
    // Entries that cannot be used take memory, too.
    #expect(feed(["<item/><item/>"] + items(0..<2)).completeness == .partial(.excessive("3 entries")))
    let json = (0..<4).map { "{\"id\": \"\($0)\", \"attachments\": [{\"url\": \"https://a.example/\($0).mp3\"}]}" }
    for (count, completeness) in [(3, Completeness.whole), (4, .partial(.excessive("3 entries")))] {
      var reader = FeedReader(base: nil, charset: nil, maximumEntries: Self.limit)
      let text =
        "{\"version\": \"https://jsonfeed.org/version/1\", \"items\": [\(json.prefix(count).joined(separator: ","))]}"
      reader.feed(Array(text.utf8)[...])
      let listing = reader.finish()
      #expect(listing.completeness == completeness && listing.entries.count == 3)
    }
  }

  @Test("is a list, too", arguments: [0, 1, 2, 3])
  func lists(_ index: Int) {
    let (name, parts) = Self.documents[index]
    let whole = list(parts(3))
    #expect(whole.completeness == .whole && whole.entries.count == 3, "\(name)")
    for count in [4, 9] {
      let listing = list(parts(count))
      #expect(listing.completeness == .partial(.excessive("3 entries")) && listing.entries.count == 3, "\(name)")
    }
  }

  @Test("is a page of yt-dlp, too, where failed and unusable entries count")
  func pages() throws {
    let page = #"{"id": "1", "url": "https://m.example/1"}"#
    for (entries, used, isWhole) in [
      ([page, page, page], 3, true), ([page, page, page, page], 3, false), ([page, "null", "{}", page], 1, false),
      ([page, #"{"entries": [\#(page), \#(page), \#(page)]}"#], 3, false),
    ] {
      let bytes = Array("{\"entries\": [\(entries.joined(separator: ","))]}".utf8)
      let listing = try #require(YtDlpListing(bytes, maximumEntries: Self.limit)).listing
      #expect(listing.entries.count == used)
      #expect(listing.completeness == (isWhole ? .whole : .partial(.excessive("3 entries"))))
    }
  }

  @Test("is refused if it is an answer of a server")
  func answers() throws {
    func answer(_ count: Int) throws(SourceProblem) -> SubsonicAnswer {
      let songs = (1..<count).map { #"{"id": "\#($0)"}"# }.joined(separator: ",")
      let elements = #""starred2": {"album": {"id": "a"}, "song": [\#(songs)]}"#
      return try SubsonicAnswer(
        Array(#"{"subsonic-response": {"status": "ok", \#(elements)}}"#.utf8), maximumEntries: Self.limit)
    }
    #expect(try answer(3).songs.count == 2)
    #expect(throws: SourceProblem.excessive("3 entries")) { try answer(4) }
  }

  @Test("or one with one entry that names a whole document of files is read in time", .timeLimit(.minutes(1)))
  func oneEntry() throws {
    let locations = (0..<100_000).map { "<location>https://a.example/\($0).mp3</location>" }.joined()
    let text = "<playlist xmlns=\"http://xspf.org/ns/0/\"><trackList><track>\(locations)</track></trackList></playlist>"
    let listing = ListReader.read(Array(text.utf8))
    let track = try #require(listing.entries.indices.first.map { listing.entries[$0] })
    #expect(listing.completeness == .whole && track.url.text.hasSuffix("/0.mp3") && track.alternatives.count == 99)
    let enclosures = (0..<100_000).map { "<enclosure url=\"https://a.example/\($0).mp3\"/>" }.joined()
    let feed = FeedReader.read(Array("<rss><channel><item>\(enclosures)</item></channel></rss>".utf8))
    #expect(feed.completeness == .whole && feed.entries.count == 1)
  }
}
