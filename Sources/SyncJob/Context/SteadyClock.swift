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
