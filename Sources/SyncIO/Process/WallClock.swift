// SPDX-License-Identifier: Apache-2.0
import Glibc
package import SyncCore

/// The port through which a run learns the time.
package protocol WallClock: Sendable {
  func now() -> Timestamp
}

/// The system's clock.
package struct SystemClock: WallClock {
  package init() {}

  package func now() -> Timestamp {
    var time = timespec()
    // CLOCK_REALTIME with a valid pointer cannot fail (clock_gettime(2)).
    clock_gettime(CLOCK_REALTIME, &time)
    return Timestamp(secondsSince1970: Int64(time.tv_sec))
  }
}

/// A clock that starts at a given moment and goes on at the pace of the system's.
package struct ShiftedClock: WallClock {
  private let start: Timestamp
  private let began = ContinuousClock.now

  package init(startingAt start: Timestamp) { self.start = start }

  package func now() -> Timestamp { start + .seconds((ContinuousClock.now - began).components.seconds) }
}
