// SPDX-License-Identifier: Apache-2.0
import SyncCore
import SyncFormats
import Testing

@Suite("episode actions")
struct EpisodeActionsTests {
  private static let at = Timestamp(secondsSince1970: 1_795_168_800)

  private func read(_ text: String) -> EpisodeActions.Answer? { EpisodeActions.read(Array(text.utf8)) }

  @Test(
    "a time with or without its zone, with a fraction, or in seconds; one that is none is passed over",
    arguments: [
      (#""2026-11-20T10:00:00""#, true), (#""2026-11-20T10:00:00Z""#, true), (#""2026-11-20T11:00:00+01:00""#, true),
      (#""2026-11-20T10:00:00.25""#, true), ("1795168800", true), ("null", false), (#""yesterday""#, false),
      ("1e300", false), ("{}", false),
    ])
  func times(_ time: String, _ isKnown: Bool) {
    let answer = read(
      #"{"actions":[{"podcast":"p","episode":" e ","action":"PLAY","timestamp":\#(time)}],"timestamp":9}"#)
    #expect(answer?.passedOver == (isKnown ? 0 : 1))
    #expect(answer?.actions.map(\.at) == (isKnown ? [Self.at] : []))
    #expect(answer?.actions.first.map { $0.episode == "e" && $0.kind == .play } ?? true)
    #expect(answer?.timestamp == Timestamp(secondsSince1970: 9))
  }

  @Test(
    "positions may be missing, null or -1",
    arguments: [
      (#","started":5,"position":60,"total":90.5"#, [5000, 60_000, 90_500]), ("", [nil, nil, nil]),
      (#","started":null,"position":-1,"total":"90""#, [nil, nil, nil]), (#","total":1e12"#, [nil, nil, nil]),
    ] as [(String, [Int64?])])
  func positions(_ members: String, _ milliseconds: [Int64?]) {
    let action = read(
      #"{"actions":[{"podcast":"p","episode":"e","action":"play","timestamp":0,"guid":null\#(members)}]}"#)?.actions
      .first
    #expect([action?.started, action?.position, action?.total].map { $0?.milliseconds } == milliseconds)
  }

  @Test("only a play is heard; an element without its URLs is passed over")
  func kinds() {
    let answer = read(
      """
      {"more":[1],"actions":[{"podcast":"p","episode":"e","action":"download","timestamp":1},7,{"episode":"e"},
      {"podcast":"p","episode":" ","action":"play","timestamp":1}]}
      """)
    #expect(answer?.actions.map(\.kind) == [.other] && answer?.passedOver == 3)
    #expect(answer?.actions.first?.listening == nil)
  }

  @Test(
    "anything else is no answer",
    arguments: [
      "", "[]", "{}", #"{"actions":{}}"#, #"{"timestamp":1}"#, #"{"actions":[]} x"#, "<html></html>",
      #"{"actions":[{"podcast":"p""#, #"{"actions":[{"podcast":"\ud800"}]}"#, String(repeating: "[", count: 1000),
    ])
  func others(_ text: String) { #expect(read(text) == nil) }

  @Test("a server is told in UTC without a zone, and in whole seconds")
  func encode() {
    var play = EpisodeAction(podcast: "http://h/f", episode: "http://h/\"e", device: "car", kind: .play, at: Self.at)
    (play.started, play.position, play.total) = (.zero, .milliseconds(90_900), .milliseconds(90_900))
    let plain = EpisodeAction(podcast: "p", episode: "e", kind: .play, at: Self.at)
    #expect(
      String(decoding: EpisodeActions.encode([play, plain]), as: UTF8.self)
        == #"[{"podcast":"http://h/f","episode":"http://h/\"e","device":"car","action":"play","#
        + #""timestamp":"2026-11-20T10:00:00","started":0,"position":90,"total":90},"#
        + #"{"podcast":"p","episode":"e","action":"play","timestamp":"2026-11-20T10:00:00"}]"#)
    #expect(EpisodeActions.encode([]) == Array("[]".utf8))
  }
}

@Suite("the file of the outbox")
struct OutboxLinesTests {
  private static let at = Timestamp(secondsSince1970: 1_795_168_800)

  private func lines() throws -> [Outbox.Line] {
    let (pods, id) = (try #require(PlaylistName("pods")), try #require(ItemID("news:\u{E9}\"")))
    let message = Outbox.Message(server: pods, item: id, at: Self.at)
    return [
      .server(pods, .init(since: Self.at)), .message(message, .waiting), .message(message, .sent),
      .server(pods, .init(since: Self.at, seen: Self.at + .days(1))), .message(message, .told),
    ]
  }

  @Test("one line a message, as documented, and read back")
  func text() throws {
    let bytes = OutboxLines.encode(try lines())
    let text = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
    #expect(text[0].hasPrefix(#"{"server":"pods","since":"2026-11-20T10:00:00Z","crc":""#))
    #expect(
      text[1].hasPrefix(#"{"server":"pods","id":"news:é\"","at":"2026-11-20T10:00:00Z","state":"waiting","crc":""#))
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

  @Test("lines of a kind that is not known say nothing")
  func unknown() throws {
    let line = OutboxLines.encode(try lines().suffix(1))
    let other = String(decoding: line, as: UTF8.self).replacing("told", with: "seen")
    // Its check is that of other bytes.
    #expect(OutboxLines.read(Array(other.utf8)).isDamaged)
    #expect(OutboxLines.read([]).outbox == Outbox())
  }
}
