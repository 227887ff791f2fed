// SPDX-License-Identifier: Apache-2.0
import SyncCore
import SyncDisk

/// A clock that never reads earlier than the latest time that is known. A file that is dated by it is not taken for old
/// once the clock is right again.
struct SteadyClock: WallClock {
  let clock: any WallClock
  let earliest: Timestamp

  func now() -> Timestamp { max(clock.now(), earliest) }
}

extension Job {
  /// The clock that dates all files that are put into the library or taken out of it.
  func steadyClock(_ opened: OpenedState) -> SteadyClock {
    SteadyClock(clock: clock, earliest: max(opened.latestSeen, ClockRule.earliest))
  }
}
