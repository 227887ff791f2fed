// SPDX-License-Identifier: Apache-2.0
import SyncCore
import Testing

@testable import SyncFormats

@Suite("OutlineReader: OPML 1.0, 1.1 and 2.0")
struct OutlineReaderTests {
  private func opml(_ body: String, version: String = "2.0") -> Listing {
    OutlineReader.read(
      Array("<opml version='\(version)'><head><title>Subs</title></head><body>\(body)</body></opml>".utf8))
  }

  @Test(
    "outlines with an xmlUrl are feeds, and the outlines around them are folders", arguments: ["1.0", "1.1", "2.0"])
  func outlines(version: String) throws {
    let listing = opml(
      """
      <outline text="News"><outline text="World" title="other"><outline type="rss" text="Brief"
        xmlUrl="https://a.example/1"/></outline>
        <outline title="No text" text="" xmlUrl=" https://a.example/2 "/></outline>
      <outline xmlUrl="https://a.example/3"/>
      """, version: version)
    #expect(listing.completeness == .whole && listing.title == "Subs" && listing.flaws.count == 0)
    #expect(listing.entries.map(\.title) == ["Brief", "No text", nil])
    #expect(listing.entries.map(\.folder) == ["News/World", "News", nil])
    #expect(listing.entries.map(\.url.text) == ["https://a.example/1", "https://a.example/2", "https://a.example/3"])
  }

  @Test(
    "the attribute is found in any case, and schemes of podcast programs stand for http",
    arguments: [
      ("xmlurl='https://a.example/x'", "https://a.example/x"), ("XMLURL='https://a.example/x'", "https://a.example/x"),
      ("xmlUrl='feed://a.example/x'", "http://a.example/x"),
      ("xmlUrl='feed:https://a.example/x'", "https://a.example/x"),
      ("xmlUrl='itpc://a.example/x'", "http://a.example/x"),
      ("xmlUrl='HTTPS://a.example/a b'", "HTTPS://a.example/a%20b"),
    ])
  func spellings(attribute: String, url: String) {
    #expect(opml("<OUTLINE Text='T' \(attribute)/>").entries.map(\.url.text) == [url])
  }

  @Test("markup in a title is removed, and a reference is decoded")
  func titles() {
    #expect(
      opml("<outline text='Tea &amp;amp; &lt;b>Toast&lt;/b>\n ' xmlUrl='http://a.example/'/>").entries.first { _ in true
      }?.title == "Tea & Toast")
  }

  @Test("broken outlines and those that are not followed are flaws with their line")
  func flaws() {
    let listing = opml(
      """
      <outline text="a" xmlUrl="https://a.example/1"/>
      <outline text="b" xmlUrl="https://u:p@a.example/1"/>
      <outline text="c" type="RSS" htmlUrl="https://a.example/"/>
      <outline text="d" xmlUrl=""/>
      <outline text="e" xmlUrl="ftp://a.example/"/>
      <outline text="f" type="include" url="https://a.example/self.opml"/>
      <outline text="g" type="link" URL="https://a.example/g.opml"/>
      <outline text="an empty folder"/>
      """)
    #expect(listing.completeness == .whole && listing.entries.count == 1)
    #expect(
      listing.flaws.listed == [
        ListingFlaw(.repeatedFeed(title: "b"), line: 2, entry: 2),
        ListingFlaw(.withoutFeed(title: "c"), line: 3, entry: 3),
        ListingFlaw(.withoutFeed(title: "d"), line: 4, entry: 4),
        ListingFlaw(.badURL("ftp://a.example/"), line: 5, entry: 5),
        ListingFlaw(.notFollowed("https://a.example/self.opml"), line: 6, entry: 6),
        ListingFlaw(.notFollowed("https://a.example/g.opml"), line: 7, entry: 7),
      ])
    #expect(listing.unusable.map(\.title) == ["c", "d", "e", "f", "g"])
  }

  @Test(
    "a document of another kind or one that is cut is not whole",
    arguments: [
      ("", SourceProblem.empty), ("<!doctype html><p>Log in</p>", .webPage), ("<html><body/></html>", .webPage),
      ("<rss version='2.0'/>", .otherKind(.feed)), ("<smil/>", .notAnOutline(root: "smil")),
    ])
  func others(text: String, problem: SourceProblem) {
    #expect(OutlineReader.read(Array(text.utf8)).completeness == .partial(problem))
  }

  @Test("everything before a cut is read, and the document is not whole")
  func cut() {
    let text = "<opml><body>\n<outline text='a' xmlUrl='https://a.example/1'/><outline text='b' xmlU"
    let listing = OutlineReader.read(Array(text.utf8))
    #expect(listing.entries.map(\.title) == ["a"])
    guard case .partial(.malformed(line: 2, _)) = listing.completeness else {
      return #expect(Bool(false), "\(listing.completeness)")
    }
  }

  @Test("depth, the number of feeds, and entities are bounded")
  func bounds() {
    let deep = String(repeating: "<outline text='f'>", count: 200)
    #expect(opml(deep).completeness == .partial(.excessive("100 levels")))
    let many = (0...OutlineBuilder.maximumEntries).map { "<outline xmlUrl='http://a.example/\($0)'/>" }.joined()
    let listing = opml(many)
    #expect(listing.completeness == .partial(.excessive("20000 feeds")) && listing.entries.count == 20_000)
    let bomb = "<!DOCTYPE opml [<!ENTITY a '\(String(repeating: "b", count: 300_000))'>]><opml><body/></opml>"
    #expect(OutlineReader.read(Array(bomb.utf8)).completeness == .partial(.excessive("256 KiB of declarations")))
    let folder = String(repeating: "x", count: 900)
    let nested = opml(
      "<outline text='\(folder)'><outline text='\(folder)'><outline xmlUrl='http://a.example/'/></outline></outline>")
    #expect(nested.entries.map(\.folder) == [folder])
  }

  @Test("relative addresses are resolved against the document's own")
  func relative() throws {
    let text = "<opml><body><outline xmlUrl='feeds/a.xml'/></body></opml>"
    let listing = OutlineReader.read(Array(text.utf8), base: try RemoteURL("https://a.example/b/subs.opml"))
    #expect(listing.entries.map(\.url.text) == ["https://a.example/b/feeds/a.xml"])
    #expect(OutlineReader.read(Array(text.utf8)).flaws.notes == [.badURL("feeds/a.xml")])
  }

  @Test("a listing with folders is not kept as rows")
  func notKept() {
    #expect(ListingFile.encode(opml("<outline text='f'><outline xmlUrl='http://a.example/'/></outline>")) == nil)
    #expect(ListingFile.encode(opml("<outline xmlUrl='http://a.example/'/>")) != nil)
  }
}
