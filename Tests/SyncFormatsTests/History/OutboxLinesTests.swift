// SPDX-License-Identifier: Apache-2.0
import SyncCore
import Testing

@testable import SyncFormats

@Suite("the file of the outbox")
struct OutboxLinesTests {
  private static let at = Timestamp(secondsSince1970: 1_795_168_800)

  private func lines() throws -> [Outbox.Line] {
    let (pods, id) = (try #require(PlaylistName("pods")), try #require(ItemID("news:\u{E9}\"")))
    let message = Outbox.Message(server: pods, item: id, at: Self.at)
    func other(_ server: String) throws -> Outbox.Message {
      Outbox.Message(server: try #require(PlaylistName(server)), item: id, at: Self.at)
    }
    return [
      .server(pods, .init(since: Self.at)),
      .message(
        message, .waiting,
        track: .episode(
          KnownEpisode(podcast: "http://h/f", episode: "http://h/e", duration: .seconds(90), position: .seconds(42)))),
      .message(message, .sent), .server(pods, .init(since: nil, seen: Self.at + .days(1))),
      .message(message, .pushed),
      .message(try other("home"), .waiting, track: .song(id: "tr_1")), .message(try other("home"), .sent, count: 3),
      .message(
        try other("lb"), .waiting,
        track: .recording(
          try #require(TrackTags(artist: "The \"Example\"", album: "Roads", title: "Night Drive")),
          duration: .seconds(225))),
      .message(Outbox.Message(server: pods, item: id, at: Self.at, .download), .pushed),
      .renamed(server: pods, sent: "http://h/a b", kept: "http://h/a%20b"),
      .server(pods, .init(since: Self.at, device: "car other Car")),
      .subscription(server: pods, feed: "http://h/f", .pushed),
      .subscription(server: pods, feed: "http://h/g", .dropped),
      .subscription(server: pods, feed: "http://h/f", .forgotten),
    ]
  }

  @Test("one line a message, as documented, and read back")
  func text() throws {
    let bytes = OutboxLines.encode(try lines())
    let text = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
    #expect(text[0].hasPrefix(#"{"server":"pods","since":"2026-11-20T10:00:00Z","crc":""#))
    #expect(
      text[1].hasPrefix(
        #"{"server":"pods","id":"news:é\"","at":"2026-11-20T10:00:00Z","state":"waiting","#
          + #""podcast":"http://h/f","episode":"http://h/e","duration":90,"position":42,"crc":""#))
    #expect(text[5].contains(#""state":"waiting","song":"tr_1","crc""#))
    #expect(text[6].contains(#""state":"sent","count":3,"crc""#))
    #expect(
      text[7].contains(#""artist":"The \"Example\"","album":"Roads","title":"Night Drive","duration":225,"crc""#))
    #expect(text[8].contains(#""at":"2026-11-20T10:00:00Z","action":"download","state":"pushed","crc""#))
    #expect(text[9].hasPrefix(#"{"server":"pods","sent":"http://h/a b","kept":"http://h/a%20b","crc":""#))
    #expect(text[11].hasPrefix(#"{"server":"pods","feed":"http://h/f","state":"pushed","crc":""#))
    #expect(text[10].contains(#""device":"car other Car","crc""#))
    let reading = OutboxLines.read(bytes)
    #expect(reading.outbox == (try lines()).reduce(into: Outbox()) { $0.add($1) } && !reading.isDamaged)
  }

  @Test("cut anywhere, the whole lines count; changed anywhere, it is damaged")
  func damage() throws {
    let whole = OutboxLines.encode(try lines())
    for end in whole.indices {
      let reading = OutboxLines.read(Array(whole[..<end]))
      #expect(
        !reading.isDamaged && reading.outbox.lineCount == whole[..<end].count { $0 == UInt8(ascii: "\n") }, "\(end)")
    }
    for index in whole.indices.dropLast() {
      for bit in [UInt8(1), 4, 32] {
        var bytes = whole
        bytes[index] ^= bit
        #expect(OutboxLines.read(bytes).isDamaged, "\(index)")
      }
    }
  }

  @Test("a line of a kind that is not known says nothing; a message in an unknown state is not sent")
  func unknown() throws {
    let state = "{\"server\":\"pods\",\"id\":\"a\",\"at\":\"2026-11-20T10:00:00Z\",\"state\":\"later\"}"
    let other = "{\"server\":\"pods\",\"id\":\"a\",\"mood\":\"good\"}"
    var bytes: [UInt8] = []
    for line in [state, other] {
      var writer = JSONWriter()
      writer.object { writer in for member in members(line) { writer.field(member.name, member.value.string) } }
      writer.sealLine(from: 0)
      writer.endLine()
      bytes += writer.bytes
    }
    let reading = OutboxLines.read(bytes)
    let message = Outbox.Message(
      server: try #require(PlaylistName("pods")), item: try #require(ItemID("a")), at: Self.at)
    #expect(!reading.isDamaged && reading.outbox.lineCount == 1 && reading.outbox.state(of: message) == .dropped)
    #expect(OutboxLines.read([]).outbox == Outbox())
  }

  private func members(_ line: String) -> [JSONValue.Member] {
    do throws(JSONError) {
      guard case .object(let members) = try JSONValue(parsing: Array(line.utf8)) else { return [] }
      return members
    } catch { return [] }
  }
}
