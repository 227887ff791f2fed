// SPDX-License-Identifier: Apache-2.0
import SyncCore
import Testing

@testable import SyncFormats

@Suite("the key list of a playlist")
struct ListSourceDraftTests {
  private func read(_ source: String) -> ManifestReading {
    ManifestReader.read(
      Array("version: 1\nlibrary: { path: lib }\nplaylists: { road: { list: \(source) } }\n".utf8), directory: "/d",
      fileStem: "m", environment: ManifestEnvironment(variables: [:], home: "/home/anna"))
  }

  @Test(
    "is a path, a URL, or a mapping with a path and roots, and reads back as it is written",
    arguments: [
      ("./road.m3u", Playlist.Source.listing(.list, at: .file("/d/road.m3u"))),
      ("{ path: ~/road.m3u }", .listing(.list, at: .file("/home/anna/road.m3u"))),
      ("{ path: road.m3u, roots: [] }", .listing(.list, at: .file("/d/road.m3u"))),
      ("{ path: road.m3u, roots: music }", .list(path: "/d/road.m3u", roots: ["/d/music"])),
      (
        "{ path: road.m3u, roots: [/srv/../music/, ~/x] }",
        .list(path: "/d/road.m3u", roots: ["/music", "/home/anna/x"])
      ),
    ])
  func forms(source: String, expected: Playlist.Source) throws {
    let manifest = try #require(read(source).manifest)
    let playlist = try #require(manifest.playlists.first)
    #expect(playlist.source == expected && playlist.select.initial == .all && playlist.copyName == "road.list")
    let again = ManifestReader.read(
      Array(EffectiveManifest.text(manifest).utf8), directory: "/", fileStem: "m", environment: ManifestEnvironment())
    #expect(again.manifest == manifest, "\(again.findings)")
  }

  @Test("is refused without a path, and with a URL and roots", arguments: ["{ roots: [x] }", "{}"])
  func mistakes(source: String) {
    let reading = read(source)
    #expect(reading.manifest == nil && reading.findings.contains { $0.fact == .rule(.listSource) })
    #expect(read("{ url: \"https://a.example/l\", path: l }").manifest == nil)
  }

  @Test("is the only place where a local file may be named")
  func items() {
    let text = "version: 1\nlibrary: { path: l }\nplaylists: { p: { items: [{ url: \"file:///m/a.mp3\" }] } }\n"
    let reading = ManifestReader.read(
      Array(text.utf8), directory: "/d", fileStem: "m", environment: ManifestEnvironment())
    #expect(reading.manifest == nil)
  }
}
