// SPDX-License-Identifier: Apache-2.0
import SyncCore
import SyncFormats
import Testing

@Suite("what was heard as JSON lines")
struct ListenLinesTests {
  private func read(_ text: String) throws -> (listens: [Listening], passedOver: Int) {
    var listens: [Listening] = []
    let passedOver = try ListenLines.read(pieces(Array(text.utf8))) { listens.append($0) }
    return (listens, passedOver)
  }

  private static let at = Timestamp(secondsSince1970: 1_763_690_000)

  @Test("what a script of mpv writes")
  func mpv() throws {
    let (listens, _) = try read(
      #"{"path":"/m/a.mp3","started":1763689775,"ended":1763690000,"duration":225.04,"pos":224.6,"reason":"eof"}"#
        + "\n"
        + #"{"path":"/m/b.mp3","started":1763689900,"ended":1763690000,"duration":3600,"pos":1900,"reason":"quit"}"#
        + "\n" + #"{"path":"/m/c.mp3","started":1763690000,"ended":1763690000,"duration":null,"reason":"error"}"#)
    #expect(
      listens == [
        Listening(
          track: TrackReference(path: "/m/a.mp3"), at: Self.at, played: .milliseconds(224_600),
          position: .milliseconds(224_600), duration: .milliseconds(225_040), ending: .end),
        Listening(
          track: TrackReference(path: "/m/b.mp3"), at: Self.at, played: .seconds(100), position: .seconds(1900),
          duration: .seconds(3600), ending: .brokeOff),
        Listening(track: TrackReference(path: "/m/c.mp3"), at: Self.at, played: .zero, ending: .brokeOff),
      ])
  }

  @Test("an id, or tags, with times as RFC 3339 in any zone, and what is not known left out")
  func plain() throws {
    let (listens, passedOver) = try read(
      """
      {"id":"night-drive","at":"2025-11-21T03:53:20+02:00","seconds":112.5,"x":[1,{"y":null}]}

      {"artist":"A","title":"T","album":"","at":"2025-11-21T01:53Z"}
      {"artist":"A","title":"T","at":1763690000.9,"reason":"skipped"}
      """)
    #expect(passedOver == 0)
    #expect(
      listens == [
        Listening(track: TrackReference(id: "night-drive"), at: Self.at, played: .milliseconds(112_500)),
        Listening(
          track: TrackReference(tags: TrackTags(artist: "A", title: "T")), at: Self.at - .seconds(20),
          resolution: .minute),
        Listening(track: TrackReference(tags: TrackTags(artist: "A", title: "T")), at: Self.at, ending: .skipped),
      ])
  }

  @Test("lines that are cut, of another kind, without a time or without a name are passed over")
  func junk() throws {
    let (listens, passedOver) = try read(
      """
      {"id":"a","at":1763690000}
      {"id":"a"}
      {"at":1763690000}
      {"id":"a","at":"yesterday"}
      {"id":7,"at":1763690000}
      [1]
      {"id":"a","at":1763690000} {}
      {"id":"b","at":1763690000}
      {"id":"a","at":17636
      """)
    #expect(listens.map(\.track.id) == ["a", "b"])
    #expect(passedOver == 7)
  }

  @Test("numbers that are no time of anybody are left to be refused, lengths of time that are none count as none")
  func numbers() throws {
    let (listens, _) = try read(
      #"{"id":"a","at":1e300,"duration":-5,"seconds":1e300}"# + "\n" + #"{"id":"a","at":-1e11}"#)
    #expect(listens.map { PlayRule.isPossible($0.at, now: Self.at) } == [false, false])
    #expect(listens.map(\.played) == [nil, nil] && listens.map(\.duration) == [nil, nil])
  }

  @Test("another kind of file is refused")
  func otherKind() {
    #expect(throws: HistoryProblem.wrongKind(found: .scrobblerLog, expected: .listens)) {
      try read("#AUDIOSCROBBLER/1.1\n")
    }
    #expect(throws: HistoryProblem.wrongKind(found: .other, expected: .listens)) { try read("[{}]") }
  }

  @Test("any bytes at all", arguments: 0..<200)
  func anyBytes(seed: Int) throws {
    var random = SplitMix(state: UInt64(seed))
    var line = Array(#"{"path":"a/b.mp3","started":1763689775,"ended":1763690000,"pos":2.5,"reason":"eof"}"#.utf8)
    for _ in 0..<6 {
      let index = Int.random(in: 1..<line.count, using: &random)
      line[index] = UInt8.random(in: 0...255, using: &random)
    }
    var count = 0
    let text = line + [0x0A] + line.shuffled(using: &random)
    let content = HistoryProblem.FileContent(head: text)
    guard content == .jsonLines else { return }
    let passedOver = try ListenLines.read(pieces(text)) { _ in count += 1 }
    #expect(count + passedOver >= 1)
    _ = try ScrobblerLog.read(pieces(Array("#AUDIOSCROBBLER/1.1\n".utf8) + text), zone: .utc) { _ in count += 1 }
  }
}
