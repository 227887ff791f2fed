// SPDX-License-Identifier: Apache-2.0
import SyncCore
import SyncFormats
import Testing

@Suite("a list of yt-dlp")
struct YtDlpListingTests {
  private func read(_ text: String) throws -> YtDlpListing { try #require(YtDlpListing(Array(text.utf8))) }

  @Test("has what is known about each entry, under the address of its page")
  func entries() throws {
    let read = try read(
      #"""
      {"_type": "playlist", "title": " Night  drive ", "extractor_key": "LabSearch", "entries": [
        {"_type": "url", "ie_key": "Lab", "id": "a", "title": "--exec rm", "url": "https://m.example/watch?v=a#__youtubedl_smuggle=%7B%7D",
         "duration": 225.5, "channel": "The Channel", "uploader": null, "timestamp": 1700000000, "thumbnails": [{"url": "x"}]},
        {"_type": "url_transparent", "id": "b", "url": "https://m.example/b", "webpage_url": "https://other.example/", "duration": 0,
         "artist": "The Example", "uploader": "Somebody", "album": "Roads", "title": null},
        {"id": 7, "url": "https://m.example/c.mp3", "webpage_url": "https://m.example/page"}]}
      """#)
    let entries = read.listing.entries
    #expect(read.failedEntries == 0 && read.listing.title == "Night drive" && read.listing.completeness == .whole)
    #expect(
      entries.map(\.url.text) == ["https://m.example/watch?v=a", "https://other.example/", "https://m.example/c.mp3"])
    #expect(entries.map(\.guid) == ["lab a", "b", "7"])
    #expect(entries.map(\.title) == ["--exec rm", nil, nil])
    #expect(entries.map(\.author) == ["The Channel", "The Example", nil])
    #expect(entries[0].duration == .milliseconds(225_500) && entries[1].duration == nil)
    #expect(entries[0].published == Timestamp(secondsSince1970: 1_700_000_000) && entries[1].album == "Roads")
  }

  @Test("may be one page, or lists inside lists")
  func forms() throws {
    let page = try read(
      #"{"id": "a", "title": "One", "webpage_url": "https://m.example/page", "url": "https://m.example/a.mp3", "extractor_key": "Generic"}"#
    )
    #expect(page.listing.entries.map(\.url.text) == ["https://m.example/page"])
    let nested = try read(
      #"{"_type": "playlist", "entries": [{"_type": "playlist", "entries": [{"url": "https://m.example/1"}]}, {"url": "https://m.example/2"}]}"#
    )
    #expect(nested.listing.entries.map(\.url.text) == ["https://m.example/1", "https://m.example/2"])
    #expect(try self.read(#"{"_type": "playlist", "entries": []}"#).listing.isBare)
  }

  @Test("counts entries that failed, and sets those aside that cannot be fetched yet or at all")
  func unusable() throws {
    let read = try read(
      #"""
      {"entries": [null, {"id": "l", "title": "On air", "url": "https://m.example/l", "live_status": "is_live"},
        {"id": "u", "url": "https://m.example/u", "live_status": "is_upcoming"}, {"id": "p", "title": "[Private video]", "url": "https://m.example/p"},
        {"id": "f", "title": "File", "url": "file:///etc/passwd"}, {"id": "n"}, {"url": "https://a:b@m.example/x"}]}
      """#)
    #expect(read.failedEntries == 1 && read.listing.entries.isEmpty)
    #expect(read.listing.unusable.map(\.guid) == ["l", "u", "p", "f", "n", nil])
    #expect(
      read.listing.flaws.notes == [
        .live(title: "On air"), .live(title: "u"), .badURL("file:///etc/passwd"), .withoutEnclosure(title: "n"),
        .badURL("https://a:b@m.example/x"),
      ])
  }

  @Test(
    "is nothing else",
    arguments: ["", "null", "[]", "{", "{}x", #"{"entries": [{"title": "\#u{1}"}]}"#, "usage: yt-dlp"])
  func others(_ text: String) {
    #expect(YtDlpListing(Array(text.utf8)) == nil)
    #expect(YtDlpListing(Array(#"{"title": ""#.utf8) + [0xFF] + Array(#""}"#.utf8)) == nil)
    #expect(YtDlpListing(Array(String(repeating: #"{"entries":["#, count: 200).utf8)) == nil)
  }

  @Test("may be long and repeat its names")
  func long() throws {
    let entries = (0..<50_000).map { #"{"id": "x", "id": "\#($0)", "url": "https://m.example/\#($0)"}"# }
    let read = try read(#"{"entries": [\#(entries.joined(separator: ","))]}"#)
    #expect(read.listing.entries.count == 50_000 && read.listing.entries.guid(at: 49_999) == "49999")
  }
}

@Suite("a medium of yt-dlp")
struct YtDlpMediaTests {
  private func read(_ text: String) throws(ExtractionProblem) -> YtDlpMedia? { try YtDlpMedia(Array(text.utf8)) }

  @Test("has the address of its file and the fields that may be sent")
  func file() throws {
    let media = try read(
      #"""
      {"url": "https://m.example/a.mp3?sig=1", "protocol": "https", "formats": [{"url": "no"}], "requested_formats": null,
       "http_headers": {"User-Agent": "Lab", "referer": "https://m.example/", "Cookie": "s=1", "Authorization": "x", "Host": "y",
        "Accept": "a\r\nX: y", "Range": "bytes=0-"}, "cookies": "s=1", "is_live": false, "live_status": "not_live"}
      """#)
    #expect(
      try media
        == YtDlpMedia(
          url: RemoteURL("https://m.example/a.mp3?sig=1"),
          fields: [
            HTTPField(name: "referer", value: "https://m.example/"), HTTPField(name: "User-Agent", value: "Lab"),
          ]))
  }

  @Test("may come in fragments, or first in a list")
  func fragments() throws {
    let media = try read(
      #"{"entries": [null, {"url": "https://m.example/a.m3u8", "protocol": "m3u8_native"}, {"url": "https://x.example"}]}"#
    )
    #expect(try media == YtDlpMedia(url: RemoteURL("https://m.example/a.m3u8"), isFragmented: true))
    #expect(try read("null") == nil)
  }

  @Test(
    "is not what cannot be fetched",
    arguments: [
      (#"{"is_live": true, "url": "https://m.example/a"}"#, ExtractionProblem.live),
      (#"{"live_status": "is_upcoming"}"#, .live),
      (#"{"requested_formats": [{}, {}]}"#, .severalFiles), ("{}", .nothingThere),
      (#"{"url": "ftp://m.example/a"}"#, .nothingThere),
      ("[]", .notUnderstood), (#"{"url": "https://m.example/a""#, .notUnderstood), ("{}{}", .notUnderstood),
    ])
  func problems(_ text: String, _ problem: ExtractionProblem) {
    #expect(throws: problem) { try YtDlpMedia(Array(text.utf8)) }
  }
}
