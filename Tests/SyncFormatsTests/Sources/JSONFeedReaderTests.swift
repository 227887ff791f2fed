// SPDX-License-Identifier: Apache-2.0
import SyncCore
import Testing

@testable import SyncFormats

@Suite("JSONFeedReader: JSON Feed 1 and 1.1")
struct JSONFeedReaderTests {
  private static let head = #"{"version":"https://jsonfeed.org/version/1.1","title":"Tea &amp; <b>Toast</b>","items":["#
  private static let item = #"{"id":7,"attachments":[{"url":"a.mp3","mime_type":"audio/mpeg"}]}"#

  @Test("an item is read like one of RSS, in pieces of any size, after a byte order mark and blank lines")
  func item() throws {
    let text =
      "\u{FEFF}\n" + Self.head + #"""
        {"id":"x","title":"One<br>two","date_published":"2026-01-05T08:30:00Z","authors":[{"name":"A"},{"name":"B"}],
         "_itunes":{"id":1},"attachments":[{"url":"cover.png","mime_type":"image/png"},
         {"url":"e 1.mp3","mime_type":"audio/mpeg","size_in_bytes":12,"duration_in_seconds":61.5}]},
        {"id":2,"title":"text only"}],"authors":[{"name":"Host"}]}
        """#
    let base = try RemoteURL("https://a.example/f/feed.json")
    let bytes = Array(text.utf8)
    let feed = FeedReader.read(bytes, base: base)
    var reader = FeedReader(base: base)
    for byte in bytes { reader.feed([byte]) }
    #expect(reader.finish() == feed)
    #expect(feed.title == "Tea & Toast" && feed.completeness == .whole)
    let entry = try #require(feed.entries.first { _ in true })
    #expect(entry.url.text == "https://a.example/f/e%201.mp3" && entry.guid == "x" && entry.title == "One two")
    #expect(entry.author == "A, B" && entry.length == ByteCount(12) && entry.duration == .seconds(61.5))
    #expect(entry.published == Timestamp(feedText: "2026-01-05T08:30:00Z"))
    #expect(feed.unusable.map(\.guid) == ["2"])
  }

  @Test(
    "what comes before a fault is kept",
    arguments: [
      ("", "no end"), (",{\"id\":1,\"id\":2}", "id occurs twice"), (",{\"id\":01}", "invalid number"),
    ])
  func fault(_ rest: String, _ detail: String) throws {
    let bytes = Array((Self.head + Self.item + rest).utf8)
    let feed = FeedReader.read(bytes, base: try RemoteURL("https://a.example/"))
    #expect(feed.entries.map(\.guid) == ["7"])
    #expect(feed.completeness == .partial(.malformed(line: 1, detail: detail)))
  }

  @Test("deep nesting is refused, and invalid UTF-8 is a fault")
  func harm() throws {
    let deep = Array((Self.head + Self.item + "," + String(repeating: "[", count: 1000)).utf8)
    #expect(FeedReader.read(deep).completeness == .partial(.excessive("128 levels")))
    let invalid = Array((Self.head + Self.item + ",{\"id\":\"").utf8) + [0xFF] + Array("\"}]}".utf8)
    #expect(FeedReader.read(invalid).completeness == .partial(.malformed(line: 1, detail: "invalid UTF-8")))
  }
}
