// SPDX-License-Identifier: Apache-2.0
import SyncCore
import SyncFormats
import Testing

@Suite("inline items are complete, whatever they leave out")
struct ManifestItemTests {
  @Test(
    "an id is made of the file's name and a hash of the URL, and of nothing else",
    arguments: [
      ("https://media.example.net/night-drive.mp3", "night-drive-83670c32", "night-drive"),
      ("http://media.example.net/night-drive.mp3", "night-drive-83670c32", "night-drive"),
      ("https://anna:pw@media.example.net:443/night-drive.mp3#t=3", "night-drive-83670c32", "night-drive"),
      ("https://media.example.net:8443/night-drive.mp3", "night-drive-2bca2c6d", "night-drive"),
      ("https://h/Caf%C3%A9%20del%20Mar%20(Live).flac", "café-del-mar-live-0ea60a29", "Café del Mar (Live)"),
      ("https://h/stream?id=1", "stream-46a126e2", "stream"),
      ("https://h/stream?id=2", "stream-45a1254f", "stream"),
      ("https://h/a/", "a-a1417dcc", "a"),
      ("https://h/", "h-a23b51e8", "h-a23b51e8"),
      ("https://h/%0A%ff.mp3", "337996eb", " \u{FFFD}"),
      ("https://h/.hidden", "hidden-e33030ba", ".hidden"),
      ("https://h/v1.2 notes".replacing(" ", with: "%20"), "v1-2-notes-b90bac3f", "v1.2 notes"),
    ])
  func derivedNames(url: String, id: String, title: String) throws {
    let item = try items("- url: \(url)")[0]
    #expect(item.id.text == id)
    #expect(item.title == title)
  }

  @Test(
    "the playlist's quality picks the URL: the same, the next lower, the lowest above",
    arguments: [
      ("low", "{ low: L, normal: N, high: H }", "L"), ("normal", "{ low: L, normal: N, high: H }", "N"),
      ("high", "{ low: L, normal: N, high: H }", "H"), ("source", "{ low: L, normal: N, high: H }", "H"),
      ("low", "{ normal: N, high: H }", "N"), ("normal", "{ low: L, high: H }", "L"), ("high", "{ low: L }", "L"),
      ("normal", "{ high: H }", "H"), ("source", "{ low: L, normal: N }", "N"),
    ])
  func qualities(quality: String, urls: String, picked: String) throws {
    let urls = urls.replacing(": ", with: ": https://h/")
    let item = try items("- urls: \(urls)", quality: quality)[0]
    #expect(item.main.url.text == "https://h/\(picked)")
  }

  @Test("a name of any length, and letters of any length, make an id that is legal")
  func longNames() throws {
    let accents = String(repeating: "%CC%81", count: 1000)
    let long = String(repeating: "long", count: 1000)
    #expect(try items("- url: https://h/a\(accents).mp3").map { $0.id.text.utf8.count } == [1 + 63 * 2 + 9])
    #expect(try items("- url: https://h/\(long).mp3").map { $0.id.text.utf8.count } == [64 + 9])
  }

  @Test("the quality counts wherever it stands")
  func qualityBehindItems() throws {
    let reading = ManifestReading(
      of: """
        version: 1
        library: { path: a }
        playlists:
          p:
            items: [{ urls: { low: "https://h/l", high: "https://h/h" } }]
            quality: low
        """)
    guard case .inline(.decoded(let items)) = try #require(reading.manifest).playlists[0].source else { return }
    #expect(items.map(\.main.url.text) == ["https://h/l"])
  }

  @Test("the quality does not change an item's id")
  func qualityAndID() throws {
    let text = "- urls: { low: https://h/l, high: https://h/h }"
    #expect(try items(text, quality: "low")[0].id == items(text, quality: "high")[0].id)
  }

  @Test("an item in two playlists is stored under the URL that the first one picked")
  func sharedItem() throws {
    let manifest = try #require(
      ManifestReading(
        of: """
          version: 1
          library: { path: a }
          x-i: &i { id: a, urls: { low: "https://h/l", high: "https://h/h" } }
          playlists:
            p: { quality: low, items: [*i] }
            q: { quality: high, items: [*i] }
          """
      ).manifest)
    let mains = manifest.playlists.flatMap { playlist -> [String] in
      if case .inline(let items) = playlist.source { items.all.map(\.main.url.text) } else { [] }
    }
    #expect(mains == ["https://h/l", "https://h/l"])
  }

  @Test(
    "a size without a unit is exact, with one it is rounded",
    arguments: [
      ("8600000", DeclaredSize.exact(ByteCount(8_600_000))), ("8.6MB", .about(ByteCount(8_600_000))),
      ("1KiB", .about(ByteCount(1024))), ("12B", .about(ByteCount(12))), ("0", .exact(.zero)),
    ])
  func sizes(text: String, size: DeclaredSize) throws {
    #expect(try items("- { url: https://h/a, size: \(text) }")[0].size == size)
  }

  private func items(_ list: String, quality: String = "source") throws -> [Item] {
    let reading = ManifestReading(
      of: "version: 1\nlibrary: { path: a }\nplaylists:\n  p:\n    quality: \(quality)\n    items:\n      \(list)\n")
    #expect(reading.findings == [])
    guard case .inline(.decoded(let items)) = try #require(reading.manifest).playlists[0].source else { return [] }
    return Array(items)
  }
}
