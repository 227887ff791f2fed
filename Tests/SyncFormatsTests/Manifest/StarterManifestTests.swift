// SPDX-License-Identifier: Apache-2.0
import SyncCore
import Testing

@testable import SyncFormats

@Suite("StarterManifest: manifests to start from")
struct StarterManifestTests {
  private func read(_ text: String) -> ManifestReading {
    ManifestReader.read(
      Array(text.utf8), directory: "/d", fileStem: "m",
      environment: ManifestEnvironment(variables: [:], home: "/home/anna"))
  }

  @Test("the starter is valid")
  func starter() { #expect(read(StarterManifest.text(schema: "s.json")).manifest != nil) }

  @Test("the first line names the schema for editors")
  func schema() {
    let outlines = Listing(completeness: .whole)
    for text in [StarterManifest.text(schema: "/s.json"), StarterManifest.text(of: outlines, schema: "/s.json").text] {
      #expect(text.hasPrefix("# yaml-language-server: $schema=/s.json\n# The manifest of a media library."))
    }
  }

  @Test("each feed becomes a playlist with its title, and folders become comments")
  func feeds() throws {
    let outlines = OutlineReader.read(
      Array(
        """
        <opml><body><outline text="News"><outline text="A: $b" xmlUrl="https://a.example/x?y=$z"/></outline>
        <outline text="Plain" xmlUrl="https://a.example/2"/></body></opml>
        """.utf8))
    let starter = StarterManifest.text(of: outlines, schema: "s.json")
    #expect(
      starter.text.contains("\n  # News\n  a-b:\n") && starter.text.contains("\n  # Without a folder\n  plain:\n"))
    let playlists = try #require(read(starter.text).manifest?.playlists)
    #expect(playlists.map(\.title) == ["A: $b", "Plain"])
    let urls = ["https://a.example/x?y=$z", "https://a.example/2"]
    #expect(try playlists.map(\.source.location) == urls.map { .remote(try RemoteURL($0)) })
  }

  @Test("an address with a credential is not written, and its playlist is commented out")
  func credentials() throws {
    var outlines = Listing(completeness: .whole)
    for url in ["https://anna:geheim@a.example/1", "https://a.example/2?token=geheim", "https://a.example/3"] {
      outlines.entries.append(ListingEntry(url: try RemoteURL(url)))
    }
    let starter = StarterManifest.text(of: outlines, schema: "s.json")
    #expect(!starter.text.contains("geheim") && starter.withCredentials == ["a-example-1", "a-example-2"])
    #expect(read(starter.text).manifest?.playlists.map(\.name.text) == ["a-example-3"])
    let words = OutlineWords.warnings("s.opml", outlines, starter, isVerbose: false)
    #expect(
      words.count == 1 && words[0].hasPrefix("the addresses of 2 feeds contain credentials, which")
        && !words[0].contains("geheim"))
  }

  @Test("any document gives a manifest that is valid")
  func property() throws {
    var random = SplitMix(state: 0x0931)
    let pieces = [
      "a", "B", "ä", "é", "ß", "日", "#", ": ", "- ", "'", "&quot;", "&#x85;", "&#x2028;", "&#xFEFF;", "&#xFFFD;",
      "${X}",
      "$", "{", "[", "%", "@", "!", "|", ">", "\\", "~", "null", "true", "1", " ", "  ", "&amp;#xFFFE;", "&amp;#0;",
      "&#x202E;", "&#x1F3B5;", "&#x301;", "*", "?", ",", "&#34;", "&#10;", "&#9;", "---", "...",
    ]
    func text(_ random: inout SplitMix) -> String {
      (0..<random.number(below: 8)).map { _ in random.element(of: pieces) }.joined()
    }
    for _ in 0..<300 {
      var body = ""
      var depth = 0
      for number in 0..<random.number(below: 12) {
        let url = "http://a.example/\(random.coin() ? "\(number)" : "0")?\(text(&random).replacing(" ", with: ""))"
        if random.number(below: 4) == 0 {
          body += "<outline text=\"\(text(&random))\">"
          depth += 1
        } else {
          body += "<outline text=\"\(text(&random))\" xmlUrl=\"\(url)\"/>"
        }
      }
      body += String(repeating: "</outline>", count: depth)
      let outlines = OutlineReader.read(Array("<opml><body>\(body)</body></opml>".utf8))
      let starter = StarterManifest.text(of: outlines, schema: "s.json")
      let reading = read(starter.text)
      let playlists = try #require(reading.manifest?.playlists, "\(reading.findings) \(starter.text)")
      let written = outlines.entries.filter { !$0.url.hasCredentials && !EffectiveManifest.hidesToken($0.url) }
      #expect(playlists.map(\.source.location) == written.map { .remote($0.url) })
      #expect(playlists.map(\.title) == written.map(\.title))
    }
  }

  @Test("the words list ten flaws, and all of them with -v")
  func words() {
    let body = String(repeating: "<outline type='rss' text='a'/>", count: 12)
    let outlines = OutlineReader.read(Array("<opml><body>\(body)</body></opml>".utf8))
    let starter = StarterManifest.text(of: outlines, schema: "s.json")
    let words = OutlineWords.warnings("s.opml", outlines, starter, isVerbose: false)
    #expect(words.count == 12 && words[10] == "\"s.opml\": and 2 more: -v lists them")
    #expect(words[11] == "\"s.opml\" names no feed, so the manifest has no playlist")
    #expect(OutlineWords.warnings("s.opml", outlines, starter, isVerbose: true).count == 13)
    #expect(
      OutlineWords.notRead("s.opml", .webPage)
        == "\"s.opml\": the address gives a web page; look for the address of the feed or list itself; no manifest was written"
    )
  }
}
