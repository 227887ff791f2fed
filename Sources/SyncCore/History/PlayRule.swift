// SPDX-License-Identifier: Apache-2.0

/// The effect of one playback on an item.
package struct PlayVerdict: Hashable, Sendable {
  /// The position at which it leaves the item.
  package enum Mark: Hashable, Sendable {
    /// The item was finished, so there is nothing to resume.
    case finished
    case left(at: Duration)
    /// The item is to be played from its beginning.
    case renewed
    /// The record says nothing about a position.
    case none
  }

  /// True if it counts as a play.
  package var counts: Bool
  package var mark: Mark
  package init(counts: Bool, mark: Mark) {
    self.counts = counts
    self.mark = mark
  }
}

/// Decides if a playback counts as a play, and if it can be resumed (docs/manual/history.md).
package enum PlayRule {
  /// The playing time that always counts as a play, however long the item is.
  package static let longEnough = Duration.minutes(4)
  /// The remaining time that counts as the end: credits, or audio that a player has decoded ahead.
  package static let nearEnd = Duration.seconds(30)
  /// The share of the duration after which the item counts as finished.
  package static let nearEndShare = 0.95
  /// The time around a play in which a playback that began in the middle of the item continues it. Devices report each
  /// part as a playback, and go back a little when they resume.
  package static let continuation = Duration.days(1)
  /// The shortest position to resume from. Anything shorter was only a look.
  package static let begun = Duration.seconds(30)

  /// - Parameter duration: The item's duration, used if the record has none.
  package static func verdict(on listening: Listening, duration known: Duration?) -> PlayVerdict {
    if listening.ending == .skipped { return PlayVerdict(counts: false, mark: .none) }
    let duration = (listening.duration ?? known).flatMap { $0 > .zero ? $0 : nil }
    guard let played = listening.played ?? listening.position else {
      // The record says only that the item was played, as in a log of plays.
      let isPlay = listening.ending != .brokeOff
      return PlayVerdict(counts: isPlay, mark: isPlay ? .finished : .none)
    }
    let place = listening.position ?? played
    let counts = isPlay(played, of: duration, toItsEnd: listening.ending == .end)
    if listening.ending == .end || isAtEnd(place, of: duration) { return PlayVerdict(counts: counts, mark: .finished) }
    if place > begun { return PlayVerdict(counts: counts, mark: .left(at: place)) }
    return PlayVerdict(counts: counts, mark: counts ? .finished : .none)
  }

  /// True for half of the duration or four minutes, whichever is less. An item without a duration needs four minutes,
  /// or playback to its end.
  package static func isPlay(_ played: Duration, of duration: Duration?, toItsEnd: Bool = false) -> Bool {
    guard let duration else { return played >= longEnough || toItsEnd }
    return played >= min(duration / 2, longEnough)
  }

  package static func isAtEnd(_ place: Duration, of duration: Duration?) -> Bool {
    guard let duration else { return false }
    return duration - place <= nearEnd || place >= duration * nearEndShare
  }

  /// The position at which a counter's last play left the item, for a counter of at least one.
  package static func mark(of counter: PlayCounter, duration known: Duration?) -> PlayVerdict.Mark {
    if let position = counter.position, position > begun {
      return isAtEnd(position, of: counter.duration ?? known) ? .finished : .left(at: position)
    }
    return counter.value > 0 ? .finished : .none
  }

  /// 2000-01-01, because players without a clock report 1970 or 1980.
  package static let earliest = Timestamp(secondsSince1970: 946_684_800)

  /// True if playback at this time is plausible. A player's clock may be ahead by a day.
  package static func isPossible(_ at: Timestamp, now: Timestamp) -> Bool {
    at >= earliest && at <= now + .days(1)
  }
}

extension PlayHistory {
  /// Adds a playback. Repeating it changes only the count, and the order of records does not matter.
  /// - Parameter plays: The number of plays that are not yet counted.
  package mutating func importPlays(_ verdict: PlayVerdict, at: Timestamp, plays: Int) {
    if verdict.counts { count += plays }
    switch verdict.mark {
    case .left(let offset): leave(offset, at: at)
    case .finished, .renewed: if let position, position.at <= at { self.position = nil }
    case .none: break
    }
    if verdict.counts || verdict.mark == .finished { lastPlayedAt = max(lastPlayedAt ?? at, at) }
  }

  /// Records a position. A later record wins. At the same time, an end wins over a position, and a later position over
  /// an earlier one.
  private mutating func leave(_ offset: Duration, at: Timestamp) {
    if let position, position.at == at {
      self.position?.offset = max(position.offset, offset)
    } else if [lastPlayedAt, position?.at].allSatisfy({ $0.map { $0 < at } ?? true }) {
      position = PlaybackPosition(offset: offset, at: at)
    }
  }
}
