// SPDX-License-Identifier: Apache-2.0

/// One playback of an item while it lasts. Only time in which the item really played counts, however often a person
/// seeks.
package struct Playback: Hashable, Sendable {
  /// The way in which a playback ends.
  /// The raw values are those of a file.
  package enum Ending: String, Sendable {
    /// The item reached its end.
    case end
    /// It stopped, and goes on from there another time.
    case stopped
    /// A person went to another item.
    case skipped
  }

  package let item: ItemID
  /// The time of the beginning. Together with the item it identifies the playback.
  package let began: Timestamp
  /// The player that plays it.
  package let player: PlaySource
  /// The time that was played, without pauses.
  package private(set) var played: Duration
  /// The last position that is known.
  package private(set) var position: Duration
  /// Nil if the player does not tell.
  package private(set) var duration: Duration?

  package init(
    _ item: ItemID, began: Timestamp, player: PlaySource, position: Duration = .zero, played: Duration = .zero,
    duration: Duration? = nil
  ) {
    (self.item, self.began, self.player) = (item, began, player)
    (self.position, self.played, self.duration) = (position, played, duration)
  }

  /// The time by which a position may be ahead of the clock: players report positions in steps.
  private static let tolerance = Duration.milliseconds(500)
  /// The fastest speed that people listen at.
  private static let fastest = 4

  /// Notes a position that the player reports.
  /// - Parameters:
  ///   - elapsed: The time since the last report, without pauses.
  package mutating func note(_ position: Duration, duration: Duration?, elapsed: Duration) {
    let progress = position - self.position
    // Anything else is a seek.
    if progress > .zero, progress <= elapsed * Self.fastest + Self.tolerance { played += progress }
    self.position = max(.zero, position)
    if let duration, duration > .zero { self.duration = duration }
  }

  /// Notes that the item has played to its end.
  /// - Parameter elapsed: The time since the last report, without pauses.
  package mutating func noteEnd(elapsed: Duration) {
    guard let duration else {
      played += max(.zero, elapsed)
      return
    }
    if duration > position { played += min(duration - position, max(.zero, elapsed) * Self.fastest + Self.tolerance) }
    position = duration
  }

  /// True if the last report shows that the item is at its end by now.
  /// - Parameters:
  ///   - elapsed: The time since the last report, without pauses.
  ///   - overlap: The time by which the next item begins earlier.
  package func isOver(after elapsed: Duration, overlap: Duration = .zero) -> Bool {
    duration.map { position + elapsed + overlap + Self.tolerance >= $0 } ?? false
  }

  /// True if it counts as a play already.
  package var counts: Bool { verdict(.stopped, duration: nil).counts }

  /// The effect on the item.
  /// - Parameter known: The item's declared duration, used if the player tells none.
  package func verdict(_ ending: Ending, duration known: Duration?) -> PlayVerdict {
    let listening = Listening(
      track: TrackReference(id: item.text), at: began, played: played, position: position, duration: duration,
      ending: ending == .end ? .end : .brokeOff)
    var verdict = PlayRule.verdict(on: listening, duration: known)
    // Nobody wants to resume an item that was skipped.
    if ending == .skipped { verdict.mark = verdict.mark == .finished ? .finished : .none }
    return verdict
  }

  /// The record of the playback, or nil if it has no effect.
  /// - Parameters:
  ///   - ended: The time of its end.
  ///   - known: The item's declared duration.
  package func note(_ ending: Ending, ended: Timestamp, duration known: Duration?) -> PlaybackNote? {
    let verdict = verdict(ending, duration: known)
    guard verdict.counts || verdict.mark != .none else { return nil }
    return PlaybackNote(item: item, began: began, ended: max(began, ended), player: player, verdict: verdict)
  }
}
