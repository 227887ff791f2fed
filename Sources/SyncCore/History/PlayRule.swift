// SPDX-License-Identifier: Apache-2.0

/// What a listening comes to.
package struct PlayVerdict: Hashable, Sendable {
  /// Where it leaves the item.
  package enum Mark: Hashable, Sendable {
    /// At its end: there is nothing to go on from.
    case finished
    case left(at: Duration)
    /// It says nothing of that.
    case none
  }

  /// It is a play.
  package var counts: Bool
  package var mark: Mark
  package init(counts: Bool, mark: Mark) {
    self.counts = counts
    self.mark = mark
  }
}

/// When a listening is a play (SPEC §2.4, issue 5), and when it is one that goes on.
package enum PlayRule {
  /// So much of it is a play, however long the item is.
  package static let longEnough = Duration.minutes(4)
  /// So near to the end it is the end: the credits, or what a player has decoded ahead.
  package static let nearEnd = Duration.seconds(30)
  /// As a share of the duration.
  package static let nearEndShare = 0.95
  /// Before that it was only a look.
  package static let begun = Duration.seconds(30)

  /// - Parameter duration: the item's, where the listening knows none.
  package static func verdict(on listening: Listening, duration known: Duration?) -> PlayVerdict {
    if listening.ending == .skipped { return PlayVerdict(counts: false, mark: .none) }
    let duration = (listening.duration ?? known).flatMap { $0 > .zero ? $0 : nil }
    guard let heard = listening.heard ?? listening.position else {
      // Nothing but that it was heard, which is what a source of plays says.
      let isPlay = listening.ending != .brokeOff
      return PlayVerdict(counts: isPlay, mark: isPlay ? .finished : .none)
    }
    let place = listening.position ?? heard
    let counts = isPlay(heard, of: duration, toItsEnd: listening.ending == .end)
    if listening.ending == .end || isAtEnd(place, of: duration) { return PlayVerdict(counts: counts, mark: .finished) }
    if place > begun { return PlayVerdict(counts: counts, mark: .left(at: place)) }
    return PlayVerdict(counts: counts, mark: counts ? .finished : .none)
  }

  /// Half of the duration, or four minutes. Of what has no duration, all of it.
  package static func isPlay(_ heard: Duration, of duration: Duration?, toItsEnd: Bool = false) -> Bool {
    guard let duration else { return heard >= longEnough || toItsEnd }
    return heard >= min(duration / 2, longEnough)
  }

  package static func isAtEnd(_ place: Duration, of duration: Duration?) -> Bool {
    guard let duration else { return false }
    return duration - place <= nearEnd || place >= duration * nearEndShare
  }

  /// Of a counter that stands at least at one: where its last play left the item.
  package static func mark(of counter: PlayCounter, duration known: Duration?) -> PlayVerdict.Mark {
    if let position = counter.position, position > begun {
      return isAtEnd(position, of: counter.duration ?? known) ? .finished : .left(at: position)
    }
    return counter.value > 0 ? .finished : .none
  }

  /// 2000-01-01: players without a clock say 1970 or 1980.
  package static let earliest = Timestamp(secondsSince1970: 946_684_800)

  /// Whether somebody can have heard something then. A player's clock may be ahead by a day.
  package static func isPossible(_ at: Timestamp, now: Timestamp) -> Bool {
    at >= earliest && at <= now + .days(1)
  }
}

extension PlayHistory {
  /// Adds what was heard. The same again changes nothing but the count, and the order does not matter.
  /// - Parameter plays: how many of it are not counted yet.
  package mutating func hear(_ verdict: PlayVerdict, at: Timestamp, plays: Int) {
    if verdict.counts { count += plays }
    switch verdict.mark {
    case .left(let offset): leave(offset, at: at)
    case .finished: if let position, position.at <= at { self.position = nil }
    case .none: break
    }
    if verdict.counts || verdict.mark == .finished { lastPlayedAt = max(lastPlayedAt ?? at, at) }
  }

  /// What was heard later knows better. At one time an end is more than a place, and a place further on more than one before.
  private mutating func leave(_ offset: Duration, at: Timestamp) {
    if let position, position.at == at {
      self.position?.offset = max(position.offset, offset)
    } else if [lastPlayedAt, position?.at].allSatisfy({ $0.map { $0 < at } ?? true }) {
      position = PlaybackPosition(offset: offset, at: at)
    }
  }
}
