// SPDX-License-Identifier: Apache-2.0
import SyncCore
import Testing

@Suite("one playback")
struct PlaybackTests {
  private static let began = Timestamp(secondsSince1970: 1_795_000_000)

  private static func playback(_ duration: Int?, from start: Int = 0) throws -> Playback {
    Playback(
      try id("a"), began: began, player: .mpv, position: .seconds(start), duration: duration.map { .seconds($0) })
  }

  /// Reports of positions at every second.
  private static func reports(_ positions: some Sequence<Int>, _ duration: Int?, from start: Int = 0) throws -> Playback
  {
    var playback = try playback(duration, from: start)
    for position in positions {
      playback.note(.seconds(position), duration: duration.map { .seconds($0) }, elapsed: .seconds(1))
    }
    return playback
  }

  @Test("only what was played counts, and a seek is not played")
  func played() throws {
    #expect(try Self.reports(1...99, 200).counts == false)
    #expect(try Self.reports(1...100, 200).counts)
    #expect(try Self.reports(151...199, 200).counts == false)
    #expect(try Self.reports(Array(1...60) + Array(150...188), 200).played == .seconds(98))
    #expect(try Self.reports(1...240, 3600).counts)
    #expect(try Self.reports(1...239, 3600).counts == false)
    // Back and again.
    #expect(try Self.reports(Array(1...60) + Array(1...40), 200).played == .seconds(99))
    // Twice the speed.
    #expect(try Self.reports(stride(from: 2, through: 100, by: 2), 200).counts)
    var paused = try Self.reports(1...10, 200)
    paused.note(.seconds(10), duration: .seconds(200), elapsed: .zero)
    #expect(paused.played == .seconds(10))
  }

  typealias Case = (positions: ClosedRange<Int>, ending: Playback.Ending, counts: Bool, mark: PlayVerdict.Mark)

  private static let cases: [Case] = [
    (1...199, .end, true, .finished), (1...120, .stopped, true, .left(at: .seconds(120))),
    (1...60, .stopped, false, .left(at: .seconds(60))), (1...20, .stopped, false, .none),
    (1...60, .skipped, false, .none), (1...120, .skipped, true, .none), (1...190, .stopped, true, .finished),
    (1...195, .skipped, true, .finished),
  ]

  @Test("its ending decides what is resumed", arguments: cases)
  func verdict(_ each: Case) throws {
    var playback = try Self.reports(each.positions, 200)
    if each.ending == .end { playback.noteEnd(elapsed: .seconds(1)) }
    let verdict = playback.verdict(each.ending, duration: nil)
    #expect(verdict == PlayVerdict(counts: each.counts, mark: each.mark))
    let note = playback.note(each.ending, ended: Self.began + .seconds(200), duration: nil)
    #expect(note?.verdict == (verdict == PlayVerdict(counts: false, mark: .none) ? nil : verdict))
  }

  @Test("an item that was resumed counts only if half of it is played now")
  func resumed() throws {
    var late = try Self.reports(151...199, 200, from: 150)
    late.noteEnd(elapsed: .seconds(1))
    #expect(late.verdict(.end, duration: nil) == PlayVerdict(counts: false, mark: .finished))
    var early = try Self.reports(61...199, 200, from: 60)
    early.noteEnd(elapsed: .seconds(1))
    #expect(early.verdict(.end, duration: nil) == PlayVerdict(counts: true, mark: .finished))
  }

  @Test("it is over when its end lies before the next report")
  func over() throws {
    let playback = try Self.reports(1...198, 200)
    #expect(playback.isOver(after: .seconds(2)) && !playback.isOver(after: .seconds(1)))
    #expect(playback.isOver(after: .zero, overlap: .seconds(2)))
    #expect(try !Self.reports(1...198, nil).isOver(after: .seconds(100)))
  }
}
