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
      (#""2026-11-20T10:00:00.25""#, true), ("1795168800", true), (#""1795168800""#, true), ("null", false),
      (#""yesterday""#, false),
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
      (#","started":null,"position":-1,"total":"x""#, [nil, nil, nil]),
      (#","started":"0","position":"12","total":"600""#, [0, 12_000, 600_000]), (#","total":1e12"#, [nil, nil, nil]),
    ] as [(String, [Int64?])])
  func positions(_ members: String, _ milliseconds: [Int64?]) {
    let action = read(
      #"{"actions":[{"podcast":"p","episode":"e","action":"play","timestamp":0,"guid":null\#(members)}]}"#)?.actions
      .first
    #expect([action?.started, action?.position, action?.total].map { $0?.milliseconds } == milliseconds)
  }

  @Test("only a play is a playback; an element without its URLs is passed over")
  func kinds() {
    let answer = read(
      """
      {"more":[1],"actions":[{"podcast":"p","episode":"e","action":"download","timestamp":1},7,{"episode":"e"},
      {"podcast":"p","episode":" ","action":"play","timestamp":1},
      {"podcast":"p","episode":"e","action":"DELETE","timestamp":1},
      {"podcast":"p","episode":"e","action":"new","timestamp":2},
      {"podcast":"p","episode":"e","action":"flattr","timestamp":1}]}
      """)
    #expect(answer?.actions.map(\.kind) == [.download, .delete, .new, .other] && answer?.passedOver == 3)
    #expect(
      answer?.actions.map(\.record) == [
        nil, nil, .renewal(TrackReference(url: "e"), at: Timestamp(secondsSince1970: 2)), nil,
      ])
  }

  @Test(
    "anything else is no answer",
    arguments: [
      "", "[]", "{}", #"{"actions":{}}"#, #"{"timestamp":1}"#, #"{"actions":[]} x"#, "<html></html>",
      #"{"actions":[{"podcast":"p""#, String(repeating: "[", count: 1000),
    ])
  func others(_ text: String) { #expect(read(text) == nil) }

  @Test(
    "what one device wrote wrongly hides no other play",
    arguments: [
      Array("a\u{1}b".utf8), [0xFF], Array(#"\ud83d"#.utf8), Array(#"\udc00x\ud800"#.utf8), Array("a\tb".utf8),
      Array(#"\ud83d\ude00\\"#.utf8), [0xC3],
    ])
  func wrongText(_ device: [UInt8]) {
    let start = Array(#"{"actions":[{"podcast":"p","episode":"e","action":"delete","timestamp":1,"device":""#.utf8)
    let end = Array(#""},{"podcast":"p","episode":"f","action":"play","timestamp":2}],"timestamp":3}"#.utf8)
    let answer = EpisodeActions.read(start + device + end)
    #expect(answer?.actions.map(\.episode) == ["e", "f"])
  }

  @Test(
    "only an object says that actions were taken",
    arguments: [
      (#"{"timestamp":1,"update_urls":[]}"#, true), ("{}", true), ("", false), ("[]", false), ("<html></html>", false),
      ("null", false), ("{", false),
    ])
  func taken(_ body: String, _ isTaken: Bool) {
    #expect((EpisodeActions.changes(in: Array(body.utf8)) != nil) == isTaken)
  }

  @Test("URLs that the server keeps in another form, or does not take, are told; anything else in their place is none")
  func changes() {
    let body = """
      {"timestamp":1,"update_urls":[["http://h/a b","http://h/a%20b"],["x:y",""],["http://h/c","http://h/c"],["a"],7,
      ["http://h/d",null]]}
      """
    #expect(
      EpisodeActions.changes(in: Array(body.utf8)) == [
        URLChange(sent: "http://h/a b", kept: "http://h/a%20b"), URLChange(sent: "x:y", kept: nil),
        URLChange(sent: "http://h/d", kept: nil),
      ])
    #expect(EpisodeActions.changes(in: Array(#"{"update_urls":3}"#.utf8)) == [])
  }

  @Test("the time of a play is sent in UTC without a zone, and in whole seconds")
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
