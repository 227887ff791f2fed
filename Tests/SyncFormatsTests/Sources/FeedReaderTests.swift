// SPDX-License-Identifier: Apache-2.0
import SyncCore
import Testing

@testable import SyncFormats

func feedBytes(_ items: String, head: String = "") -> [UInt8] {
  Array(
    """
    <?xml version="1.0" encoding="UTF-8"?>
    <rss version="2.0" xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd" xmlns:media="urn:m"><channel>
    <title>World Brief</title>\(head)
    \(items)
    </channel></rss>
    """.utf8)
}

private func episode(_ url: String, _ change: (inout ListingEntry) -> Void = { _ in }) throws -> ListingEntry {
  var episode = ListingEntry(url: try RemoteURL(url))
  change(&episode)
  return episode
}

@Suite("the feed reader")
struct FeedReaderTests {
  @Test("a feed gives its episodes with everything it says of them")
  func whole() throws {
    let feed = FeedReader.read(
      feedBytes(
        """
        <image><title>not this</title></image>
        <item>
          <title>  Night
            Drive &amp; more </title><itunes:title>Night Drive</itunes:title>
          <guid isPermaLink="false"> ep-1 </guid>
          <pubDate>Mon, 05 Jan 2026 08:30:00 +0100</pubDate>
          <enclosure url="https://m.example.net/1.mp3?a=1&amp;b=2" length="8600000" type="Audio/MPEG; x=y"/>
          <itunes:duration>1:02:03</itunes:duration><itunes:author>Anna</itunes:author>
          <description><![CDATA[<title>not this</title> & <b>this</b>]]></description>
        </item>
        <item><enclosure url=" https://m.example.net/two words.mp3 " length="0" type=""/>
          <itunes:title><![CDATA[Two &amp; <b>]]></itunes:title><media:title>no</media:title></item>
        """, head: "<itunes:author>The Example</itunes:author>"))
    let first = try episode("https://m.example.net/1.mp3?a=1&b=2") {
      $0.guid = "ep-1"
      $0.title = "Night Drive & more"
      $0.author = "Anna"
      $0.traits.mediaType = "audio/mpeg"
      $0.length = ByteCount(8_600_000)
      $0.published = Timestamp(rfc3339: "2026-01-05T07:30:00Z")
      $0.duration = .seconds(3723)
    }
    let second = try episode("https://m.example.net/two%20words.mp3") {
      $0.title = "Two &"
      $0.author = "The Example"
    }
    var expected = Listing(title: "World Brief", entries: [first, second], completeness: .whole)
    expected.author = "The Example"
    #expect(feed == expected)
  }

  @Test("items without something to fetch, bad URLs and bad dates are noted")
  func notes() throws {
    let feed = FeedReader.read(
      feedBytes(
        """
        <item><title>Text only</title></item>
        <item><title>Relative</title><enclosure url="/a.mp3" type="audio/mpeg"/></item>
        <item><title>File</title><enclosure url="file:///etc/passwd"/></item>
        <item><title>Nothing</title><enclosure url=" " length="1"/></item>
        <item><title>Dated</title><enclosure url="http://a.example/d.mp3" length="many"/><pubDate>soon</pubDate>
          <itunes:duration>long</itunes:duration></item>
        """))
    #expect(feed.entries == [try episode("http://a.example/d.mp3") { $0.title = "Dated" }])
    #expect(feed.unusable.map(\.title) == ["Text only", "Relative", "File", "Nothing"])
    #expect(feed.completeness == .whole)
    #expect(
      feed.flaws.listed == [
        ListingFlaw(.withoutEnclosure(title: "Text only"), line: 4, entry: 1),
        ListingFlaw(.badURL("/a.mp3"), line: 5, entry: 2),
        ListingFlaw(.badURL("file:///etc/passwd"), line: 6, entry: 3),
        ListingFlaw(.withoutEnclosure(title: "Nothing"), line: 7, entry: 4),
        ListingFlaw(.badDate("soon"), line: 8, entry: 5),
      ])
  }

  @Test("a thousand flaws are listed, the rest is counted, and none quotes more than a person wants to read")
  func manyFlaws() {
    let long = String(repeating: "x", count: 9000)
    let item = "<item><title>\(long)</title><enclosure url='ftp://a.example/\(long)'/></item>\n"
    let feed = FeedReader.read(feedBytes(String(repeating: item, count: 1200)))
    #expect(feed.flaws.count == 1200)
    #expect(feed.flaws.listed.count == 1000)
    #expect(feed.flaws.listed.map(\.line) == (4..<1004).map { $0 })
    #expect(feed.flaws.listed.allSatisfy { $0.note.words.utf8.count < 300 })
  }

  @Test("of several enclosures the first with sound counts; repeated items stay as they are")
  func several() {
    let item = """
      <item><guid>1</guid><enclosure url="http://a.example/c.jpg" type="image/jpeg"/><enclosure
      url="http://a.example/a.mp3" type="audio/mpeg"/><enclosure url="http://a.example/a.ogg" type="audio/ogg"/></item>
      """
    let feed = FeedReader.read(feedBytes(item + item))
    #expect(feed.entries.map(\.url.text) == ["http://a.example/a.mp3", "http://a.example/a.mp3"])
    #expect(feed.entries.map(\.guid) == ["1", "1"])
  }

  @Test("HTML names, stray ampersands and broken bytes leave the items usable, with a note")
  func repaired() {
    let item = "<item><title>Caf&eacute;&nbsp;& &amp; bar</title><enclosure url='http://a.example/x?a=1&b=2'/></item>"
    let feed = FeedReader.read(feedBytes(item))
    #expect(feed.completeness == .whole)
    #expect(feed.entries.map(\.title) == ["Café & & bar"])
    #expect(feed.entries.map(\.url.text) == ["http://a.example/x?a=1&b=2"])
    #expect(feed.flaws.notes == [.unknownReference("&eacute;"), .unknownReference("&nbsp;"), .unknownReference("&")])

    let latin =
      Array("<item><title>Caf".utf8) + [0xE9] + Array("</title><enclosure url='http://a.example/1'/></item>".utf8)
    var bytes = feedBytes("@")
    let place = bytes.firstIndex(of: UInt8(ascii: "@")) ?? 0
    bytes.replaceSubrange(place...place, with: latin)
    let broken = FeedReader.read(Array("\u{FEFF}\n\n ".utf8) + bytes)
    #expect(broken.completeness == .whole)
    #expect(broken.entries.map(\.title) == ["Café"])
    #expect(broken.flaws.notes == [.repairedEncoding])

    let declared = String(decoding: feedBytes("@"), as: UTF8.self).replacing("UTF-8", with: "ISO-8859-1").split(
      separator: "@")
    let third = FeedReader.read(Array(declared[0].utf8) + latin + Array(declared[1].utf8))
    #expect(third.entries.map(\.title) == ["Café"])
    #expect(third.flaws.notes.isEmpty)
  }

  @Test("iTunes fields are known by a prefix without declaration too")
  func undeclaredPrefix() {
    let text =
      "<rss><channel><item><enclosure url='http://a.example/1'/><itunes:duration>60</itunes:duration></item></channel></rss>"
    #expect(FeedReader.read(Array(text.utf8)).entries.map(\.duration) == [.seconds(60)])
  }

  @Test(
    "content after the end is the first flaw, and the entries count",
    arguments: [
      ("<html>502</html>", 2), ("<rss><channel/></rss>", 2), ("<?xml version='1.0'?><rss/>", 2), ("\nerror", 3),
      ("<!DOCTYPE x [<!ENTITY e 'e'>]>", 2),
    ])
  func followed(content: String, line: Int) {
    let item = "<item><title>&nbsp;</title><enclosure url='http://a.example/1'/></item>"
    let feed = FeedReader.read(Array("<rss><channel>\(item)</channel></rss>\n\(content)".utf8))
    #expect(feed.completeness == .followedByContent)
    #expect(feed.entries.count == 1)
    #expect(feed.flaws.notes == [.contentAfterEnd, .unknownReference("&nbsp;")])
    #expect(feed.flaws.listed.first?.line == line)
  }

  @Test(
    "white space, comments and processing instructions may follow the end",
    arguments: ["", "\r\n\t ", "<!-- a --><!-- <b> -->", "\n<?php end?>\n", "\u{0}\u{0}"])
  func ended(content: String) {
    #expect(FeedReader.read(Array("<rss><channel/></rss>\(content)".utf8)).completeness == .whole)
  }

  @Test(
    "what is no feed says what it is",
    arguments: [
      ("", .empty), (" \r\n\t", .empty), ("\u{FEFF}", .empty), ("<!DOCTYPE html><html><body>x<br></body>", .webPage),
      ("\n<!doctype HTML>\n<title>x", .webPage), ("<html><p>cut", .webPage), ("<HTML lang=en>", .webPage),
      ("<!-- hi --> <!doctype html><html>", .webPage),
      ("<?xml version='1.0'?><!DOCTYPE html PUBLIC 'a' 'b'><html xmlns='http://www.w3.org/1999/xhtml'/>", .webPage),
      ("<feed xmlns='urn:x'><title>t</title></feed>", .notAFeed(root: "feed")),
      ("<opml version='2.0'/>", .otherKind(.opml)), ("#EXTM3U\n#EXTINF:1,A\na.mp3\n", .otherKind(.list)),
      ("\u{FEFF}[playlist]\nFile1=a.mp3\n", .otherKind(.list)), ("<playlist version='1'/>", .otherKind(.list)),
      ("<rdf:RDF xmlns:rdf='urn:r'/>", .notAFeed(root: "rdf:RDF")),
      ("<?xml version='1.0' encoding='utf-7'?><rss/>", .malformed(line: 1, detail: "encoding utf-7")),
    ] as [(String, SourceProblem)])
  func noFeed(text: String, problem: SourceProblem) {
    let feed = FeedReader.read(Array(text.utf8))
    #expect(feed == Listing(completeness: .partial(problem), flaws: feed.flaws))
  }

  @Test("JSON without the version of a JSON Feed is no feed, and not damaged")
  func json() {
    #expect(FeedReader.read(Array("{\"error\": 1}".utf8)).completeness == .partial(.notAJSONFeed))
  }

  @Test(
    "what could do harm is refused at once, and what came before counts",
    arguments: [
      (
        "<!DOCTYPE l [<!ENTITY l '\(String(repeating: "lol", count: 1000))'>]><rss>"
          + "\(String(repeating: "&l;", count: 3000))</rss>", "8.00 MiB of text from declared entities"
      ),
      ("<!DOCTYPE l [\(String(repeating: "<!ENTITY l ''>", count: 20_000))]><rss/>", "256 KiB of declarations"),
      (
        "<!DOCTYPE l [\((1...30).map { "<!ENTITY e\($0) '&e\($0 - 1);'>" }.joined())]><rss>&e30;</rss>",
        "20 levels of entities"
      ),
      ("<rss\((0..<1_000_000).map { " a\($0)=''" }.joined())/>", "256 attributes"),
      (String(repeating: "<rss>", count: 100_000), "100 levels"),
    ])
  func hostile(text: String, what: String) {
    #expect(FeedReader.read(Array(text.utf8)).completeness == .partial(.excessive(what)))
  }

  @Test("an entity that contains itself makes a damaged document")
  func entityInItself() {
    let text = "<!DOCTYPE rss [<!ENTITY a '&b;'>\n<!ENTITY b '&a;'>]><rss>&a;</rss>"
    #expect(
      FeedReader.read(Array(text.utf8)).completeness
        == .partial(.malformed(line: 2, detail: "the entity a contains itself")))
  }

  @Test("entities that a feed declares are text, and those of files are not read")
  func entities() {
    let feed = FeedReader.read(
      Array(
        """
        <!DOCTYPE rss [<!ENTITY show "Tea &amp; Toast"><!ENTITY host 'https://a.example'>
        <!ENTITY file SYSTEM "file:///etc/hostname">]>
        <rss><channel><title>&show;</title><item><title>&show; 1 &file;</title><enclosure url="&host;/1"/></item>
        </channel></rss>
        """.utf8))
    #expect(feed.completeness == .whole && feed.title == "Tea & Toast")
    #expect(feed.entries.map(\.title) == ["Tea & Toast 1 &file;"])
    #expect(feed.entries.map(\.url.text) == ["https://a.example/1"])
    #expect(feed.flaws.listed == [ListingFlaw(.unknownReference("&file;"), line: 3)])
  }

  @Test("kind, season and language are read, the last from the channel where an item does not say")
  func traits() {
    let feed = FeedReader.read(
      feedBytes(
        """
        <item><enclosure url="http://a.example/1.mp3"/><itunes:episodeType>Trailer</itunes:episodeType>
          <itunes:season>3</itunes:season><itunes:explicit>no</itunes:explicit></item>
        <item><enclosure url="http://a.example/2.mp3"/><itunes:episodeType>opera</itunes:episodeType>
          <itunes:season>first</itunes:season></item>
        """, head: "<itunes:explicit>yes</itunes:explicit>"))
    #expect(feed.entries.map(\.traits.kind) == [.trailer, .full])
    #expect(feed.entries.map(\.traits.season) == [3, nil])
    #expect(feed.entries.map(\.traits.isExplicit) == [false, true])
  }

  @Test("references are relative to the nearest xml:base, else to the document's address")
  func references() throws {
    let bytes = Array(
      """
      <rss xml:base="/media/"><channel>
      <item><enclosure url="1.mp3"/></item><item><enclosure url="/2.mp3"/></item><item><enclosure url="//b.example/3"/></item>
      <item xml:base="season 1/../s2/"><enclosure url="4.mp3"/></item>
      <item xml:base="https://c.example/x/"><enclosure url="5.mp3" xml:base="y/"/></item>
      <item xml:base="ftp://d.example/"><enclosure url="6.mp3"/></item>
      <item xml:base=""><enclosure url="?7"/></item>
      </channel></rss>
      """.utf8)
    let base = try RemoteURL("http://a.example/feeds/all.xml?token=1")
    let urls = FeedReader.read(bytes, base: base).entries.map(\.url.text)
    #expect(
      urls == [
        "http://a.example/media/1.mp3", "http://a.example/2.mp3", "http://b.example/3",
        "http://a.example/media/s2/4.mp3",
        "https://c.example/x/y/5.mp3", "http://a.example/media/?7",
      ])
    #expect(FeedReader.read(bytes).entries.map(\.url.text) == ["https://c.example/x/y/5.mp3"])
  }

  @Test("titles and names are text, cut to 1 KiB; guids stay as they are written")
  func titles() {
    let long = String(repeating: "é", count: 2000)
    let feed = FeedReader.read(
      feedBytes(
        """
        <item><title>&lt;b&gt;Bold&lt;/b&gt; R&amp;amp;B &#150; 2</title><guid>&lt;b&gt;1&amp;amp;</guid>
        <itunes:author><![CDATA[<i>Anna</i>]]></itunes:author><enclosure url="http://a.example/1"/></item>
        <item><title>One<br/>Two</title><enclosure url="http://a.example/2"/></item>
        <item><title><![CDATA[<br>]]></title><itunes:title>Named</itunes:title><enclosure url="http://a.example/3"/></item>
        <item><title>\(long)</title><enclosure url="http://a.example/4"/></item>
        """))
    #expect(feed.entries.map(\.title) == ["Bold R&B – 2", "One Two", "Named", String(repeating: "é", count: 512)])
    #expect(feed.entries[0].author == "Anna")
    #expect(feed.entries[0].guid == "<b>1&amp;")
  }
}
