// SPDX-License-Identifier: Apache-2.0
import SyncCore
import Testing

@Suite("the rule for a play")
struct PlayRuleTests {
  struct Row: Sendable, CustomTestStringConvertible {
    var played: Int?
    var position: Int?
    var duration: Int?
    var ending = Listening.Ending.unknown
    var verdict: PlayVerdict
    var testDescription: String { "\(played ?? -1) s, at \(position ?? -1) of \(duration ?? -1), \(ending)" }
  }

  private static func left(_ seconds: Int) -> PlayVerdict.Mark { .left(at: .seconds(seconds)) }

  static let rows: [Row] = [
    // A source of plays says no more than that.
    Row(verdict: .init(counts: true, mark: .finished)),
    Row(duration: 225, verdict: .init(counts: true, mark: .finished)),
    Row(duration: 225, ending: .end, verdict: .init(counts: true, mark: .finished)),
    Row(duration: 225, ending: .brokeOff, verdict: .init(counts: false, mark: .none)),
    Row(played: 225, duration: 225, ending: .skipped, verdict: .init(counts: false, mark: .none)),
    // Half of it.
    Row(played: 111, duration: 224, verdict: .init(counts: false, mark: left(111))),
    Row(played: 112, duration: 224, verdict: .init(counts: true, mark: left(112))),
    Row(position: 112, duration: 224, verdict: .init(counts: true, mark: left(112))),
    // Four minutes of something long.
    Row(played: 239, duration: 3600, verdict: .init(counts: false, mark: left(239))),
    Row(played: 240, duration: 3600, verdict: .init(counts: true, mark: left(240))),
    Row(played: 240, position: 2000, duration: 3600, verdict: .init(counts: true, mark: left(2000))),
    // Without a duration.
    Row(played: 239, verdict: .init(counts: false, mark: left(239))),
    Row(played: 240, verdict: .init(counts: true, mark: left(240))),
    Row(played: 20, ending: .end, verdict: .init(counts: true, mark: .finished)),
    Row(played: 20, duration: 0, ending: .end, verdict: .init(counts: true, mark: .finished)),
    // Near the end: thirty seconds, or a twentieth.
    Row(played: 60, position: 3420, duration: 3600, verdict: .init(counts: false, mark: .finished)),
    Row(played: 60, position: 3419, duration: 3600, verdict: .init(counts: false, mark: left(3419))),
    Row(played: 195, duration: 225, verdict: .init(counts: true, mark: .finished)),
    Row(played: 194, duration: 225, verdict: .init(counts: true, mark: left(194))),
    // Gone on from the middle, to the end.
    Row(played: 60, position: 3600, duration: 3600, ending: .end, verdict: .init(counts: false, mark: .finished)),
    // Only a look.
    Row(played: 30, duration: 3600, verdict: .init(counts: false, mark: .none)),
    Row(played: 31, duration: 3600, verdict: .init(counts: false, mark: left(31))),
    // Heard well, and wound back.
    Row(played: 1800, position: 5, duration: 3600, verdict: .init(counts: true, mark: .finished)),
  ]

  @Test("half of it or four minutes, finished near the end", arguments: rows)
  func verdict(_ row: Row) {
    let listening = Listening(
      track: TrackReference(id: "a"), at: Timestamp(secondsSince1970: 0), played: row.played.map { .seconds($0) },
      position: row.position.map { .seconds($0) }, ending: row.ending)
    #expect(PlayRule.verdict(on: listening, duration: row.duration.map { .seconds($0) }) == row.verdict)
  }

  @Test("the player's duration is that of the file that was heard")
  func duration() {
    let listening = Listening(
      track: TrackReference(id: "a"), at: Timestamp(secondsSince1970: 0), played: .seconds(50), duration: .seconds(100))
    #expect(PlayRule.verdict(on: listening, duration: .seconds(1000)).counts)
  }

  @Test(
    "times before 2000, and more than a day ahead, are none that anybody heard something at",
    arguments: [
      ("1999-12-31T23:59:59Z", false), ("2000-01-01T00:00:00Z", true), ("2026-11-21T06:00:00Z", true),
      ("2026-11-22T06:00:00Z", true), ("2026-11-22T06:00:01Z", false), ("1970-01-01T00:00:00Z", false),
    ])
  func possible(_ at: String, _ isPossible: Bool) throws {
    #expect(PlayRule.isPossible(try time(at), now: try time("2026-11-21T06:00:00Z")) == isPossible)
  }
}

@Suite("what is known of an item's listening")
struct PlayHistoryTests {
  private static let day = Timestamp(secondsSince1970: 1_790_000_000)
  private func at(_ seconds: Int) -> Timestamp { Self.day + .seconds(seconds) }

  private let left = PlayVerdict(counts: false, mark: .left(at: .seconds(600)))
  private let finished = PlayVerdict(counts: true, mark: .finished)

  @Test("breaking off sets the place, finishing clears it")
  func position() {
    var plays = PlayHistory()
    plays.importPlays(left, at: at(0), plays: 0)
    #expect(plays == PlayHistory(position: PlaybackPosition(offset: .seconds(600), at: at(0))))
    plays.importPlays(finished, at: at(10), plays: 1)
    #expect(plays == PlayHistory(count: 1, lastPlayedAt: at(10)))
  }

  @Test("what was heard before does not undo what was heard later")
  func older() {
    var plays = PlayHistory()
    plays.importPlays(finished, at: at(10), plays: 1)
    plays.importPlays(left, at: at(5), plays: 0)
    #expect(plays.position == nil)
    plays.importPlays(left, at: at(20), plays: 0)
    plays.importPlays(finished, at: at(15), plays: 1)
    #expect(plays == PlayHistory(count: 2, lastPlayedAt: at(15), position: .init(offset: .seconds(600), at: at(20))))
  }

  @Test("the order in which it is told of does not matter", arguments: 0..<300)
  func order(seed: Int) {
    var random = SeededGenerator(seed)
    let played = (0..<Int.random(in: 1...6, using: &random)).map { _ in
      let mark =
        [PlayVerdict.Mark.finished, .left(at: .seconds(Int.random(in: 31...60, using: &random))), .none]
        .randomElement(using: &random) ?? .none
      let counts = mark != .none && Bool.random(using: &random)
      return (PlayVerdict(counts: counts, mark: mark), at(Int.random(in: 0...3, using: &random)))
    }
    func told(_ played: [(PlayVerdict, Timestamp)]) -> PlayHistory {
      played.reduce(into: PlayHistory()) { $0.importPlays($1.0, at: $1.1, plays: 1) }
    }
    let first = told(played)
    for _ in 0..<5 { #expect(told(played.shuffled(using: &random)) == first) }
    let again = played.reduce(into: first) { $0.importPlays($1.0, at: $1.1, plays: 0) }
    #expect(again == first, "what is known already changes nothing")
  }
}
