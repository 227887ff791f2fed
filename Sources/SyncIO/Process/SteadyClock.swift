// SPDX-License-Identifier: Apache-2.0
import SyncCore

/// A clock that is not behind what it should know: what is dated by it is not taken for old by the next good clock.
struct SteadyClock: WallClock {
  let clock: any WallClock
  let earliest: Timestamp

  func now() -> Timestamp { max(clock.now(), earliest) }
}

extension Job {
  /// What is put into the library and taken out of it is dated by this one.
  func steadyClock(_ opened: OpenedState) -> SteadyClock {
    SteadyClock(clock: clock, earliest: max(opened.latestSeen, ClockRule.earliest))
  }
}
