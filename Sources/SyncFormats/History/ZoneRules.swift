// SPDX-License-Identifier: Apache-2.0

/// The offsets of one time zone from UTC, past and to come.
package struct ZoneRules: Equatable, Sendable {
  package static let utc = ZoneRules(offset: 0)

  /// Ascending moments in UTC, each with the offset from then on.
  private let changes: [Change]
  /// The offset before the first change.
  private let first: Int64
  /// The rule after the last change.
  private let future: FutureZone?

  struct Change: Equatable, Sendable {
    var at: Int64
    var offset: Int64
  }

  /// - Parameter offset: seconds east of UTC, at all times.
  package init(offset: Int64) { self.init(first: offset, changes: [], future: nil) }

  init(first: Int64, changes: [Change], future: FutureZone?) {
    self.first = first
    self.changes = changes
    self.future = future
  }

  /// The same rules with one for the time after the last change.
  func going(on future: FutureZone) -> ZoneRules { ZoneRules(first: first, changes: changes, future: future) }

  /// Seconds east of UTC at a moment in UTC.
  package func offset(at moment: Int64) -> Int64 {
    guard let last = changes.last, moment < last.at else {
      return future?.offset(at: moment) ?? changes.last?.offset ?? first
    }
    var (low, high) = (0, changes.count)
    while low < high {
      let middle = (low + high) / 2
      if changes[middle].at <= moment { low = middle + 1 } else { high = middle }
    }
    return low == 0 ? first : changes[low - 1].offset
  }

  /// The moment in UTC at which clocks there show `local`, given in seconds since 1970 as if in UTC. For an hour that
  /// occurs twice it is the first one; an hour that is left out continues the time before it.
  package func utc(ofLocal local: Int64) -> Int64 {
    let before = offset(at: local - 86_400)
    let after = offset(at: local + 86_400)
    if offset(at: local - before) == before { return local - before }
    return offset(at: local - after) == after ? local - after : local - before
  }
}

/// The rule that holds for ever after the last change: a POSIX TZ string (POSIX.1-2017 §8.3, RFC 8536 §3.3.1).
struct FutureZone: Equatable, Sendable {
  let standard: Int64
  let summer: Summer?

  struct Summer: Equatable, Sendable {
    var offset: Int64
    var begin: Day
    var end: Day
  }

  /// A day of every year, and the second of its local day.
  struct Day: Equatable, Sendable {
    enum Kind: Equatable, Sendable {
      /// 1 to 365; 29 February is never counted.
      case julian(Int)
      /// 0 to 365.
      case ordinal(Int)
      /// Week 5 is the last one.
      case weekday(month: Int, week: Int, day: Int)
    }
    var kind: Kind
    var second: Int64
  }
}
