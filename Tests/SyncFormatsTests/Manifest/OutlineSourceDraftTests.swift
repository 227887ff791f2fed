// SPDX-License-Identifier: Apache-2.0
import SyncCore
import Testing

@testable import SyncFormats

@Suite("the key opml of a playlist")
struct OutlineSourceDraftTests {
  private func read(_ source: String, keys: String = "") -> ManifestReading {
    ManifestReader.read(
      Array("version: 1\nlibrary: { path: lib }\nplaylists: { all: { opml: \(source)\(keys) } }\n".utf8),
      directory: "/d",
      fileStem: "m", environment: ManifestEnvironment(variables: [:], home: "/home/anna"))
  }

  @Test(
    "is a path, a URL, or a mapping with one of them, and reads back as it is written",
    arguments: [
      ("./subs.opml", "/d/subs.opml", 0, 0), ("https://a.example/s", "https://a.example/s", 0, 0),
      ("{ path: ~/s.opml }", "/home/anna/s.opml", 0, 0),
      ("{ url: \"https://a.example/s\", skip: x }", "https://a.example/s", 0, 1),
      ("{ path: s, only: [News, \"a*\"], skip: [] }", "/d/s", 2, 0),
    ])
  func forms(source: String, location: String, only: Int, skip: Int) throws {
    let manifest = try #require(read(source).manifest)
    let playlist = try #require(manifest.playlists.first)
    guard case .outlines(let filter, let place) = playlist.source else {
      #expect(Bool(false), "\(playlist.source)")
      return
    }
    #expect(place.shown == location && filter.only.count == only && filter.skip.count == skip)
    #expect(playlist.select.initial == .count(3) && playlist.copyName == "all.opml")
    let again = ManifestReader.read(
      Array(EffectiveManifest.text(manifest).utf8), directory: "/", fileStem: "m", environment: ManifestEnvironment())
    #expect(again.manifest == manifest, "\(again.findings)")
  }

  @Test(
    "is refused without a place, with two of them, with an unknown key, and beside another source",
    arguments: [
      ("{ only: [x] }", "", RuleProblem.outlineSource(found: [])),
      ("{ url: \"https://a.example/s\", path: s }", "", .outlineSource(found: ["url", "path"])),
      ("s.opml", ", feed: f.xml", .sources(playlist: "all", found: ["opml", "feed"])),
    ])
  func mistakes(source: String, keys: String, problem: RuleProblem) {
    let reading = read(source, keys: keys)
    #expect(reading.manifest == nil && reading.findings.contains { $0.fact == .rule(problem) }, "\(reading.findings)")
  }

  @Test("a name with a slash cannot be declared")
  func slash() {
    let text = "version: 1\nlibrary: { path: lib }\nplaylists: { all/news: { feed: f.xml } }\n"
    let reading = ManifestReader.read(
      Array(text.utf8), directory: "/d", fileStem: "m", environment: ManifestEnvironment())
    #expect(reading.manifest == nil)
  }
}
