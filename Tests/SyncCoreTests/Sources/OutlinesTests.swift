// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import SyncCore

@Suite("the playlists of the outlines of an OPML document")
struct OutlinesTests {
  private func declared(only: [String] = [], skip: [String] = []) throws -> Playlist {
    var filter = OutlineFilter()
    filter.only = only.map { Glob($0, ignoringCase: true) }
    filter.skip = skip.map { Glob($0, ignoringCase: true) }
    return Playlist(name: try playlistName("all"), source: .outlines(filter, at: .file("/subs.opml")))
  }

  private func listing(_ outlines: [(String?, String)], _ completeness: Completeness = .whole) throws -> Listing {
    var listing = Listing(completeness: completeness)
    for (title, url) in outlines {
      var entry = ListingEntry(url: try RemoteURL(url))
      entry.title = title
      listing.entries.append(entry)
    }
    return listing
  }

  private func names(
    _ outlines: [(String?, String)], known: [PlaylistName: Outline] = [:], _ completeness: Completeness = .whole
  ) throws -> [String: String] {
    let found = try declared().playlists(in: try listing(outlines, completeness), known: known)
    return Dictionary(uniqueKeysWithValues: found.map { ($0.playlist.name.text, $0.outline.url.text) })
  }

  @Test("have the settings of the declared playlist, their own names and titles, and are feeds")
  func playlists() throws {
    var declared = try declared()
    declared.pin = true
    let found = declared.playlists(
      in: try listing([("World Brief", "https://a.example/1"), (nil, "https://a.example/2")]), known: [:])
    #expect(found.map(\.playlist.name.text) == ["all/world-brief", "all/a-example-2"])
    #expect(found.map(\.playlist.title) == ["World Brief", "a-example-2"])
    #expect(
      found.allSatisfy {
        $0.playlist.pin && $0.playlist.source.kind == .feed && $0.playlist.name.declared == declared.name
      })
    #expect(try Playlist(name: playlistName("x"), source: .items([])).playlists(in: listing([]), known: [:]).isEmpty)
  }

  @Test("keep their names while other outlines of the same title come and go")
  func stable() throws {
    let known = [
      try playlistName("all/news-00000001"): Outline(url: try RemoteURL("https://b.example/")),
      try playlistName("all/old"): Outline(url: try RemoteURL("http://c.example/")),
      try playlistName("other/news"): Outline(url: try RemoteURL("https://a.example/")),
    ]
    let both = try names([("News", "https://a.example/"), ("News", "https://b.example/")], known: known)
    #expect(both == ["all/news": "https://a.example/", "all/news-00000001": "https://b.example/"])
    // The name of an outline that is gone is free: a feed that moved keeps it.
    #expect(try names([("Old", "https://c.example/")], known: known) == ["all/old": "https://c.example/"])
  }

  @Test("are those known before, as far as a document that was not read whole lacks them")
  func notWhole() throws {
    let known = [try playlistName("all/old"): Outline(url: try RemoteURL("https://b.example/"), title: "Old")]
    for completeness in [Completeness.partial(.empty), .followedByContent] {
      let found = try names([("New", "https://a.example/")], known: known, completeness)
      #expect(found == ["all/new": "https://a.example/", "all/old": "https://b.example/"])
    }
    #expect(try names([("New", "https://a.example/")], known: known) == ["all/new": "https://a.example/"])
    #expect(try declared().playlists(in: nil, known: known).map(\.playlist.title) == ["Old"])
  }

  @Test(
    "are those whose title or folder a pattern names",
    arguments: [
      ([], [], true), (["tea*"], [], true), (["news"], [], true), (["WORLD"], [], true), (["News/World"], [], true),
      (["news/*"], [], true), (["orld"], [], false), ([], ["world"], false), (["news"], ["tea"], false),
      (["cocoa", "tea"], ["sport"], true),
    ])
  func filter(only: [String], skip: [String], isAdmitted: Bool) throws {
    let outline = Outline(url: try RemoteURL("https://a.example/"), title: "Tea", folder: "News/World")
    guard case .outlines(let filter, _) = try declared(only: only, skip: skip).source else { return }
    #expect(filter.admits(outline) == isAdmitted)
  }

  @Test("have names of two parts, which no manifest may declare")
  func twoParts() throws {
    let name = try playlistName("all/news")
    #expect(name.declared.text == "all" && name.last == "news" && name.isFromSource && name.fileText == "all+news")
    #expect(PlaylistName(declared: "all/news") == nil && PlaylistName("a/b/c") == nil)
    #expect(
      PlaylistName("/a") == nil && PlaylistName("a/") == nil && PlaylistName("a/.b") == nil
        && PlaylistName("a//b") == nil)
    #expect(Set([name.declared]).includes(name) && Set([name]).includesAny(of: name.declared))
    let other = try playlistName("al")
    #expect(!Set([name]).includes(name.declared) && !Set([other]).includes(name))
  }
}
