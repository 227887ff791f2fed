// SPDX-License-Identifier: Apache-2.0
import SyncCore
import Testing

@testable import SyncFormats

@Suite("a feed cut, split or large")
struct FeedRobustnessTests {
  private static func items(_ count: Int, padding: Int = 0) -> String {
    let text = String(repeating: "Words &amp; wörds. ", count: padding)
    return (0..<count).map { number in
      """
      <item><title>Épisode \(number)</title><guid>g\(number)</guid><description><![CDATA[\(text)]]></description>
      <enclosure url="https://m.example.net/\(number).mp3" length="\(number + 1)" type="audio/mpeg"/>
      <pubDate>Mon, 05 Jan 2026 08:30:00 GMT</pubDate><itunes:duration>3:45</itunes:duration></item>

      """
    }.joined()
  }

  @Test("however the bytes are split, the feed is the same")
  func splits() {
    var bytes = feedBytes(Self.items(12), head: "<itunes:author>Ünn &nbsp; 🎧@</itunes:author>")
    bytes.replace([UInt8(ascii: "@")], with: [0xFF])
    let expected = FeedReader.read(bytes)
    #expect(expected.entries.count == 12)
    var random = SplitMix(state: 5)
    for round in 0..<30 {
      var reader = FeedReader()
      var rest = bytes[...]
      while !rest.isEmpty {
        let length = round == 0 ? 1 : Int.random(in: 0...(round * 40), using: &random)
        reader.feed(rest.prefix(length))
        rest = rest.dropFirst(length)
      }
      #expect(reader.finish() == expected)
    }
  }

  @Test("a cut feed keeps every episode that was complete, and never counts as whole")
  func truncation() throws {
    let bytes = feedBytes(Self.items(4))
    let whole = FeedReader.read(bytes)
    #expect(whole.completeness == .whole)
    let closing = Array("</item>".utf8)
    var complete = 0
    for length in 0..<bytes.count {
      if length >= closing.count, bytes[(length - closing.count)..<length].elementsEqual(closing) { complete += 1 }
      let cut = FeedReader.read(Array(bytes[..<length]))
      #expect(cut.completeness != .whole)
      #expect(Array(cut.entries) == Array(whole.entries.prefix(complete)))
    }
    #expect(complete == 4)
  }

  @Test("a large feed cut anywhere keeps its earlier episodes")
  func largeTruncation() {
    let bytes = feedBytes(Self.items(400, padding: 40))
    #expect(bytes.count > 256 << 10)
    let whole = FeedReader.read(bytes)
    var random = SplitMix(state: 9)
    for _ in 0..<20 {
      let length = Int.random(in: 1000..<bytes.count, using: &random)
      let cut = FeedReader.read(Array(bytes[..<length]))
      let complete = String(decoding: bytes[..<length], as: UTF8.self).split(separator: "</item>").count - 1
      #expect(Array(cut.entries) == Array(whole.entries.prefix(cut.entries.count)))
      #expect((complete...complete + 1).contains(cut.entries.count))
      guard case .partial(.malformed) = cut.completeness else {
        Issue.record("a feed cut at \(length) counts as \(cut.completeness)")
        return
      }
    }
  }

  @Test("flipped bytes never crash")
  func flips() {
    let bytes = feedBytes(Self.items(3))
    var random = SplitMix(state: 13)
    for _ in 0..<2000 {
      var damaged = bytes
      for _ in 0..<3 {
        damaged[Int.random(in: bytes.indices, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      #expect(FeedReader.read(damaged).entries.count <= 3)
    }
  }

  @Test("a feed of more than 10 MB is read in one go", .timeLimit(.minutes(1)))
  func large() {
    let bytes = feedBytes(Self.items(3000, padding: 190))
    #expect(bytes.count > 10_000_000)
    let feed = FeedReader.read(bytes)
    #expect(feed.completeness == .whole)
    #expect(feed.entries.count == 3000)
  }
}
