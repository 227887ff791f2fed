// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import SyncCore
@testable import SyncFormats

@Suite("the kept form of a listing")
struct ListingFileTests {
  /// Feeds with entries of all kinds and with all flaws of a document that was read to its end.
  static let feeds = [
    "<rss/>",
    "<rss><channel><title>Só</title></channel></rss>",
    """
    <rss xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd"><channel><title>T</title>
    <itunes:author>A</itunes:author><itunes:explicit>yes</itunes:explicit>
    <item><title>Grün &amp; Rot</title><guid>g</guid><pubDate>Mon, 05 Jan 2026 08:10:00 +0000</pubDate>
    <itunes:duration>1:02:03</itunes:duration><itunes:season>7</itunes:season>
    <itunes:episodeType>bonus</itunes:episodeType><itunes:author>B</itunes:author>
    <enclosure url="https://A.example:8443/a%20b.mp3?x=1&amp;token=2" type="audio/mpeg" length="123"/></item>
    <item><enclosure url="http://[2001:db8::1]/b"/><pubDate>soon</pubDate></item>
    <item><enclosure url="http://b.example?c"/><itunes:explicit>no</itunes:explicit></item>
    <item><title>no file</title><guid>n</guid><itunes:duration>9</itunes:duration></item>
    <item><title>bad</title><enclosure url="mailto:a"/></item><item><title>a &nbsp; b</title></item>
    </channel></rss>
    """,
    "<rss><channel><item><enclosure url=\"https://a.example/1\"/></item></channel></rss> and more",
    "<rss><channel><title>a\u{1}b</title></channel></rss>",
    """
    <rss xmlns:podcast="https://podcastindex.org/namespace/1.0" xmlns:psc="http://podlove.org/simple-chapters">
    <channel><language>de</language><itunes:image href="https://a.example/feed.png"/>
    <item><enclosure url="https://a.example/1"/></item>
    <item><enclosure url="https://a.example/2"/><itunes:image href="https://a.example/2.png"/>
    <itunes:episode>2</itunes:episode><podcast:chapters url="https://a.example/2.json"/>
    <podcast:transcript url="https://a.example/2.vtt"/>
    <psc:chapters><psc:chapter start="0" title="One"/></psc:chapters></item></channel></rss>
    """,
  ]

  @Test("a listing comes out as it went in", arguments: feeds)
  func keeps(_ feed: String) throws {
    let listing = FeedReader.read(Array(feed.utf8))
    let bytes = try #require(ListingFile.encode(listing))
    let decoded = try #require(ListingFile.decode(bytes[...]))
    #expect(decoded == listing)
    #expect(decoded.entries.map(\.url.requestText) == listing.entries.map(\.url.requestText))
    #expect(decoded.entries.map(\.url.identity) == listing.entries.map(\.url.identity))
  }

  @Test("a listing that is cut or has bytes behind it is none", arguments: feeds)
  func cut(_ feed: String) throws {
    let bytes = try #require(ListingFile.encode(FeedReader.read(Array(feed.utf8))))
    #expect(bytes.indices.allSatisfy { ListingFile.decode(bytes[..<$0]) == nil })
    #expect(ListingFile.decode((bytes + [0])[...]) == nil)
  }

  @Test("any changed byte gives another listing or none", arguments: feeds)
  func changed(_ feed: String) throws {
    let bytes = try #require(ListingFile.encode(FeedReader.read(Array(feed.utf8))))
    for index in bytes.indices {
      var damaged = bytes
      damaged[index] ^= 0x81
      // Every entry can be read, whatever it says.
      _ = ListingFile.decode(damaged[...])?.entries.map(\.url.redacted)
    }
  }

  @Test("a reader that reads a document differently has another revision")
  func revision() throws {
    let kept = try Self.feeds.map { try #require(ListingFile.encode(FeedReader.read(Array($0.utf8)))) }
    let print = kept.joined().map { String($0, radix: 16) }.joined(separator: " ").fingerprint
    // If only the print differs, raise the revision of the reader, or the version if the format of the file has changed.
    #expect("\(ListingFile.version).\(FeedReader.revision) \(print)" == "7.7 43568902")
  }

  @Test("a count, a time or an address that is impossible makes the bytes none, and takes no memory")
  func impossible() throws {
    var entry = ListingEntry(url: try RemoteURL("https://a.example/1"))
    let listing = Listing(entries: [entry], completeness: .whole)
    let bytes = try #require(ListingFile.encode(listing))
    // Behind the title and the completeness come the numbers of the unusable entries and the flaws (all and listed), then
    // the texts and the entries, whose first two numbers are the place of the URL.
    let texts = 6 + "https://a.example/1".utf8.count
    for place in [2, 4, 5, texts, texts + 1, texts + 2] {
      var damaged = bytes
      damaged.replaceSubrange(place...place, with: [0xFF, 0xFF, 0xFF, 0x7F])
      #expect(ListingFile.decode(damaged[...]) == nil, "\(place)")
    }
    for wrong in ["ftps:", "https:\0/a", "http://@a", "https://\u{1}b", "https://a #"] {
      var damaged = bytes
      damaged.replaceSubrange(6..<(6 + wrong.utf8.count), with: wrong.utf8)
      #expect(ListingFile.decode(damaged[...]) == nil, "\(wrong)")
    }
    entry.published = Timestamp(secondsSince1970: .min)
    let timed = try #require(ListingFile.encode(Listing(entries: [entry], completeness: .whole)))
    #expect(ListingFile.decode(timed[...]) == nil)
  }

  @Test("the host of a URL is read from its text, which is requested, and not kept beside it")
  func host() throws {
    let listing = Listing(entries: [ListingEntry(url: try RemoteURL("https://a.example/1"))], completeness: .whole)
    var bytes = try #require(ListingFile.encode(listing))
    bytes.replaceSubrange(14..<15, with: Array("b".utf8))
    let url = try #require(ListingFile.decode(bytes[...])?.entries.first?.url)
    #expect(url.text == "https://b.example/1" && url.host == "b.example")
  }

  @Test("a listing that was not read whole, or whose URLs contain a login, is not kept")
  func refused() {
    #expect(ListingFile.encode(FeedReader.read(Array("<rss><channel><item/>".utf8))) == nil)
    let login = "<rss><channel><item><enclosure url=\"https://anna:secret@a.example/1\"/></item></channel></rss>"
    #expect(ListingFile.encode(FeedReader.read(Array(login.utf8))) == nil)
  }
}
