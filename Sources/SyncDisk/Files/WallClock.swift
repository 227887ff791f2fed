// SPDX-License-Identifier: Apache-2.0
import Glibc
package import SyncCore

/// The port through which a run reads the time.
package protocol WallClock: Sendable {
  func now() -> Timestamp
}

/// The system's clock.
package struct SystemClock: WallClock {
  package init() {}

  package func now() -> Timestamp { Timestamp(secondsSince1970: Int64(Self.time.tv_sec)) }

  /// Nanoseconds since 1970, regardless of the time that a command was given.
  package static var nanoseconds: UInt64 {
    let time = time
    return UInt64(clamping: Int64(time.tv_sec)) &* 1_000_000_000 &+ UInt64(clamping: Int64(time.tv_nsec))
  }

  private static var time: timespec {
    var time = timespec()
    // CLOCK_REALTIME with a valid pointer cannot fail (clock_gettime(2)).
    clock_gettime(CLOCK_REALTIME, &time)
    return time
  }
}

/// The port through which a run measures time. It reads the time since it was made, and does not follow a clock that is
/// set.
package struct Stopwatch: Sendable {
  private let read: @Sendable () -> Duration

  /// Starts now, on the system's monotonic clock.
  package init() {
    let began = ContinuousClock.now
    read = { ContinuousClock.now - began }
  }

  package init(reading read: @escaping @Sendable () -> Duration) { self.read = read }

  package var elapsed: Duration { read() }
}

/// A clock that starts at a given moment and advances at the pace of the system's clock.
package struct ShiftedClock: WallClock {
  private let start: Timestamp
  private let stopwatch: Stopwatch

  package init(startingAt start: Timestamp, stopwatch: Stopwatch = Stopwatch()) {
    self.start = start
    self.stopwatch = stopwatch
  }

  package func now() -> Timestamp { start + .seconds(stopwatch.elapsed.components.seconds) }
}

extension LocalTime {
  /// The local time at `moment`, in the zone of `TZ` or of the system. It is computed anew each time, and so follows
  /// daylight saving time.
  package init(_ moment: Timestamp) {
    var seconds = time_t(moment.secondsSince1970)
    var fields = tm()
    tzset()
    // Fails only for years that `tm` cannot hold; midnight is as good as any time there.
    localtime_r(&seconds, &fields)
    // `tm_wday` counts from Sunday.
    self.init(
      Weekday(rawValue: (Int(fields.tm_wday) + 6) % 7) ?? .monday,
      minute: Int(fields.tm_hour) * 60 + Int(fields.tm_min))
  }
}
