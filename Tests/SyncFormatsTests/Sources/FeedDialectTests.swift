// SPDX-License-Identifier: Apache-2.0
import SyncCore
import Testing

@testable import SyncFormats

@Suite("the dialects of feeds")
struct FeedDialectTests {
  private func read(_ document: String, base: String? = nil) throws -> Listing {
    FeedReader.read(Array(document.utf8), base: try base.map { try RemoteURL($0) })
  }

  private static let atom = """
    <feed xmlns="http://www.w3.org/2005/Atom" xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd"
      xml:base="https://a.example/feeds/">
      <title type="html">World &amp;amp; Brief</title><id>urn:feed</id><updated>2026-02-01T00:00:00Z</updated>
      <author><name>The Example</name><uri>https://a.example/</uri></author>
      <link rel="enclosure" href="not-of-an-entry.mp3"/>
      <entry>
        <title>Night <b xmlns="http://www.w3.org/1999/xhtml">Drive</b></title><id>urn:1</id>
        <updated>2026-01-07T00:00:00Z</updated><published>2026-01-05T08:30:00+01:00</published>
        <author><name>Anna</name><email>anna@a.example</email></author>
        <link rel="alternate" href="page.html"/><link href="other.mp3"/>
        <link rel="enclosure" type="image/png" href="cover.png"/>
        <link rel="enclosure" type="audio/mpeg" length="8600000" href="../1.mp3"/>
        <source><title>not this</title><id>not-this</id><author><name>Nobody</name></author></source>
        <itunes:duration>62:03</itunes:duration>
      </entry>
      <entry xml:base="https://b.example/"><id>urn:2</id><title>Two</title><updated>2026-01-04T00:00:00Z</updated>
        <link rel="ENCLOSURE" href="2.mp3"/></entry>
      <entry><title>Only a page</title><id>urn:3</id><link href="page.html"/></entry>
    </feed>
    """

  @Test("Atom 1.0 gives its entries with everything it says of them")
  func atom() throws {
    let listing = try read(Self.atom, base: "https://host.example/x")
    #expect(listing.completeness == .whole && listing.title == "World & Brief")
    #expect(listing.entries.map(\.guid) == ["urn:1", "urn:2"])
    let first = listing.entries[0]
    #expect(first.title == "Night Drive" && first.author == "Anna" && first.duration == .seconds(3723))
    #expect(first.url.text == "https://a.example/1.mp3" && first.length == ByteCount(8_600_000))
    #expect(first.traits.mediaType == "audio/mpeg" && first.published == Timestamp(rfc3339: "2026-01-05T07:30:00Z"))
    let second = listing.entries[1]
    #expect(second.url.text == "https://b.example/2.mp3" && second.author == "The Example")
    #expect(second.published == Timestamp(rfc3339: "2026-01-04T00:00:00Z"))
    #expect(listing.unusable.map(\.guid) == ["urn:3"])
    #expect(listing.flaws.listed.map(\.note) == [.withoutEnclosure(title: "Only a page")])
  }

  @Test(
    "Atom 0.3, a prefix for Atom, and Atom without a namespace are read alike",
    arguments: [
      (#"<feed version="0.3" xmlns="http://purl.org/atom/ns#">"#, "", "</feed>"),
      (#"<a:feed xmlns:a="http://www.w3.org/2005/Atom">"#, "a:", "</a:feed>"), ("<feed>", "", "</feed>"),
    ])
  func otherAtoms(_ head: String, _ prefix: String, _ tail: String) throws {
    let entry = """
      <PREFIXentry><PREFIXid>1</PREFIXid><PREFIXtitle>One</PREFIXtitle><PREFIXissued>2026-01-05T08:30:00Z</PREFIXissued>
      <PREFIXmodified>2026-01-06T08:30:00Z</PREFIXmodified><PREFIXlink rel="enclosure" href="https://a.example/1"/>
      </PREFIXentry>
      """
    let listing = try read("\(head)\(entry.replacing("PREFIX", with: prefix))\(tail)")
    #expect(listing.completeness == .whole)
    #expect(listing.entries.map(\.guid) == ["1"] && listing.entries.map(\.title) == ["One"])
    #expect(listing.entries.map(\.published) == [Timestamp(rfc3339: "2026-01-05T08:30:00Z")])
  }

  @Test("RSS 1.0 has its items next to the channel, and names them by their address")
  func rdf() throws {
    let listing = try read(
      """
      <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/"
        xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:enc="http://purl.oclc.org/net/rss_2.0/enc#">
        <image rdf:about="urn:image"><title>not this</title></image>
        <channel rdf:about="urn:channel"><title>World Brief</title><dc:creator>The Example</dc:creator></channel>
        <item rdf:about="https://a.example/one"><title>One</title><dc:date>2026-01-05T08:30+01:00</dc:date>
          <enc:enclosure rdf:resource="https://a.example/1.mp3" enc:type="audio/mpeg" enc:length="12"/></item>
        <item><dc:title>Two</dc:title><dc:creator>Anna</dc:creator>
          <enclosure url="https://a.example/2.mp3" type="audio/mpeg"/></item>
      </rdf:RDF>
      """)
    #expect(listing.completeness == .whole && listing.title == "World Brief")
    #expect(listing.entries.map(\.guid) == ["https://a.example/one", nil])
    #expect(
      listing.entries.map(\.title) == ["One", "Two"] && listing.entries.map(\.author) == ["The Example", "Anna"])
    #expect(listing.entries.map(\.length) == [ByteCount(12), nil])
    #expect(listing.entries[0].published == Timestamp(rfc3339: "2026-01-05T07:30:00Z"))
  }

  private func item(_ contents: String) throws -> Listing {
    try read(
      """
      <rss version="2.0" xmlns:media="http://search.yahoo.com/mrss/" xmlns:atom="http://www.w3.org/2005/Atom"
        xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:dcterms="http://purl.org/dc/terms/"><channel><item>\(contents)
      </item></channel></rss>
      """)
  }

  @Test(
    "the first kind of date that can be read counts, whatever the order in the item",
    arguments: [
      ("<dc:date>2026-01-02</dc:date><pubDate>Mon, 05 Jan 2026 08:30:00 GMT</pubDate>", "2026-01-05T08:30:00Z"),
      ("<pubDate>soon</pubDate><dc:date>2026-01-02</dc:date>", "2026-01-02T00:00:00Z"),
      (
        "<atom:updated>2026-01-03T00:00:00Z</atom:updated><dcterms:issued>2026-01-02</dcterms:issued>",
        "2026-01-02T00:00:00Z"
      ),
      (
        "<dcterms:modified>2026-01-04</dcterms:modified><atom:published>2026-01-02</atom:published>",
        "2026-01-02T00:00:00Z"
      ),
      (
        "<dcterms:created>2026-01-04</dcterms:created><dcterms:modified>2026-01-05</dcterms:modified>",
        "2026-01-04T00:00:00Z"
      ),
    ])
  func dates(_ dates: String, _ expected: String) throws {
    let listing = try item("\(dates)<enclosure url='https://a.example/1'/>")
    #expect(listing.entries.map(\.published) == [Timestamp(rfc3339: expected)])
    #expect(listing.flaws.count == 0)
  }

  @Test("dates that cannot be read are one flaw, about the best of them")
  func badDates() throws {
    let listing = try item("<dc:date>then</dc:date>\n<pubDate>soon</pubDate><enclosure url='https://a.example/1'/>")
    #expect(listing.entries.map(\.published) == [nil])
    #expect(listing.flaws.listed.map(\.note) == [.badDate("soon")] && listing.flaws.listed.map(\.line) == [3])
  }

  @Test("elements of Atom in RSS are extensions, and give neither a title nor an id nor a file")
  func atomInRSS() throws {
    let listing = try item(
      """
      <atom:title>no</atom:title><atom:id>no</atom:id><atom:link rel="enclosure" href="https://a.example/no"/>
      <atom:author><atom:name>no</atom:name></atom:author><title>One</title><enclosure url='https://a.example/1'/>
      """)
    #expect(listing.entries.map(\.title) == ["One"] && listing.entries.map(\.guid) == [nil])
    #expect(listing.entries.map(\.url.text) == ["https://a.example/1"] && listing.entries.map(\.author) == [nil])
  }

  @Test("files of Media RSS count if there is no enclosure, also in a group, and images do not")
  func media() throws {
    let files = """
      <media:title>One</media:title>
      <media:group><media:content url="https://a.example/1.jpg" medium="image"/>
        <media:content url="https://a.example/1.png" type="image/png"/>
        <media:content url="https://a.example/1.mp4" type="video/mp4" fileSize="99" duration="61"/></media:group>
      <media:content url="https://a.example/2.mp3" type="audio/mpeg"/><media:thumbnail url="https://a.example/t.jpg"/>
      """
    let listing = try item(files)
    #expect(listing.entries.map(\.url.text) == ["https://a.example/1.mp4"])
    #expect(listing.entries.map(\.title) == ["One"] && listing.entries.map(\.duration) == [.seconds(61)])
    #expect(listing.entries.map(\.length) == [ByteCount(99)])
    let both = try item("\(files)<enclosure url='https://a.example/3.mp3' type='audio/mpeg'/>")
    #expect(both.entries.map(\.url.text) == ["https://a.example/3.mp3"])
    let images = try item("<title>T</title><media:content url='https://a.example/1.jpg' medium='image'/>")
    #expect(images.entries == [] && images.flaws.listed.map(\.note) == [.withoutEnclosure(title: "T")])
  }
}
