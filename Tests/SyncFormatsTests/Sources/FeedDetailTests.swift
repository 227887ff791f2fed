// SPDX-License-Identifier: Apache-2.0
import SyncCore
import Testing

@testable import SyncFormats

@Suite("the details of a feed and its entries")
struct FeedDetailTests {
  private static let base = "https://a.example/feeds/"

  private func rss(_ channel: String, item: String = "") throws -> Listing {
    let text = """
      <rss xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd" xmlns:media="http://search.yahoo.com/mrss/"
        xmlns:podcast="https://podcastindex.org/namespace/1.0" xmlns:psc="http://podlove.org/simple-chapters"
        xmlns:googleplay="http://www.google.com/schemas/play-podcasts/1.0" xmlns:dc="http://purl.org/dc/elements/1.1/"
        xmlns:atom="http://www.w3.org/2005/Atom" xml:lang="fr">
        <channel>\(channel)<item><enclosure url="1.mp3"/>\(item)</item></channel></rss>
      """
    return FeedReader.read(Array(text.utf8), base: try RemoteURL(Self.base))
  }

  @Test(
    "the picture of an entry is found in every dialect, the best first",
    arguments: [
      (#"<itunes:image href="i 1.png"/>"#, "https://a.example/feeds/i%201.png"),
      ("<itunes:image> /i.png </itunes:image>", "https://a.example/i.png"),
      (#"<podcast:image href="//b.example/p.png"/>"#, "https://b.example/p.png"),
      (#"<googleplay:image href="g.png"/>"#, "https://a.example/feeds/g.png"),
      (#"<media:thumbnail url="t.png"/>"#, "https://a.example/feeds/t.png"),
      (#"<media:content url="m" medium="image"/>"#, "https://a.example/feeds/m"),
      (#"<media:group><media:thumbnail url="t.png"/></media:group>"#, "https://a.example/feeds/t.png"),
      (#"<media:thumbnail url="t.png"/><itunes:image href="i.png"/>"#, "https://a.example/feeds/i.png"),
      (#"<itunes:image href="mailto:x"/><media:thumbnail url="t.png"/>"#, "https://a.example/feeds/t.png"),
      ("<image><url>e.png</url><title>no</title></image>", "https://a.example/feeds/e.png"), ("<url>x</url>", nil),
    ] as [(String, String?)])
  func images(_ item: String, _ expected: String?) throws {
    let entry = try rss("<title>T</title>", item: item).entries[0]
    #expect(entry.image?.text == expected)
    #expect(entry.title == nil)
  }

  @Test("a feed has a picture, an author and a language, which its entries do not take")
  func feed() throws {
    let listing = try rss(
      """
      <title>T</title><image><url>c.png</url><title>no</title><link>no</link></image><itunes:author>A</itunes:author>
      <language>de-AT</language>
      """)
    #expect(listing.image?.text == "https://a.example/feeds/c.png" && listing.title == "T")
    #expect(listing.author == "A" && listing.language == "de-AT")
    #expect(listing.entries[0].image == nil && listing.entries[0].author == "A")
    let other = try rss(#"<itunes:image href="i.png"/><image><url>c.png</url></image>"#)
    #expect(other.image?.text == "https://a.example/feeds/i.png" && other.language == "fr")
    let rdf = """
      <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/"
        xmlns:dc="http://purl.org/dc/elements/1.1/"><channel><title>T</title><image rdf:resource="no"/>
        <dc:language>en</dc:language></channel><image><title>no</title><url>https://a.example/r.png</url></image></rdf:RDF>
      """
    let found = FeedReader.read(Array(rdf.utf8))
    #expect(found.image?.text == "https://a.example/r.png" && found.title == "T" && found.language == "en")
    let atom = """
      <feed xmlns="http://www.w3.org/2005/Atom" xml:lang="sv" xml:base="https://a.example/"><icon>i.png</icon>
      <logo>l.png</logo><author><name>A</name></author></feed>
      """
    let third = FeedReader.read(Array(atom.utf8))
    #expect(third.image?.text == "https://a.example/l.png" && third.author == "A" && third.language == "sv")
  }

  @Test("season, number, chapters and transcript are those of Apple and Podcasting 2.0")
  func numbers() throws {
    let entry = try rss(
      "",
      item: """
        <podcast:season name="x">3</podcast:season><podcast:episode>12</podcast:episode>
        <podcast:chapters url="c.json" type="application/json+chapters"/>
        <podcast:transcript url="t.vtt" type="text/vtt"/><podcast:transcript url="t.srt" type="application/srt"/>
        """
    ).entries[0]
    #expect(entry.traits.season == 3 && entry.number == 12)
    #expect(entry.chapters?.text == "https://a.example/feeds/c.json")
    #expect(entry.transcript?.text == "https://a.example/feeds/t.vtt")
    let apple = try rss(
      "",
      item: """
        <podcast:season>3</podcast:season><itunes:season>4</itunes:season><itunes:episode>x</itunes:episode>
        <podcast:episode>0</podcast:episode><podcast:episode>1</podcast:episode>
        <atom:link rel="http://podlove.org/simple-chapters" href="p.psc"/>
        """
    ).entries[0]
    #expect(apple.traits.season == 4 && apple.number == 0)
    #expect(apple.chapters?.text == "https://a.example/feeds/p.psc")
  }

  @Test("the chapters in a feed have a time and a title, and the others are left out")
  func marks() throws {
    let chapters = """
      <psc:chapters version="1.2"><psc:chapter start="00:00:00.000" title="Intro &amp;amp; more"/>
      <psc:chapter start="1:02.5" title="Two" href="https://a.example/"/><psc:chapter start="soon" title="no"/>
      <psc:chapter start="90"/><psc:other start="91" title="no"/><psc:chapter start="0:02:00" title="Three"/>
      </psc:chapters>
      """
    let entry = try rss("", item: chapters).entries[0]
    #expect(
      entry.marks == [
        ChapterMark(start: .zero, title: "Intro & more"), ChapterMark(start: .milliseconds(62_500), title: "Two"),
        ChapterMark(start: .seconds(120), title: "Three"),
      ])
    let many = String(repeating: #"<psc:chapter start="1" title="x"/>"#, count: 2000)
    #expect(try rss("", item: "<psc:chapters>\(many)</psc:chapters>").entries[0].marks.count == 1000)
  }

  @Test("a JSON Feed has a picture and a language, and its items have pictures")
  func json() throws {
    let text = #"""
      {"version":"https://jsonfeed.org/version/1.1","icon":"i.png","favicon":"f.png","language":"en",
       "authors":[{"name":"A"}],"items":[
        {"id":"1","image":"1.png","banner_image":"b.png","attachments":[{"url":"1.mp3"}]},
        {"id":"2","banner_image":"b.png","attachments":[{"url":"2.mp3"}]},{"id":"3","attachments":[{"url":"3.mp3"}]}]}
      """#
    let listing = FeedReader.read(Array(text.utf8), base: try RemoteURL(Self.base))
    #expect(listing.image?.text == "https://a.example/feeds/i.png" && listing.language == "en")
    #expect(listing.author == "A")
    #expect(
      listing.entries.map(\.image?.text) == ["https://a.example/feeds/1.png", "https://a.example/feeds/b.png", nil])
  }
}
