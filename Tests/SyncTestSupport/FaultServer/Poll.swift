// SPDX-License-Identifier: Apache-2.0

import Glibc
import Synchronization

/// A pipe whose ends children do not inherit.
struct Pipe {
  let readEnd: Int32
  let writeEnd: Int32

  init() throws(SystemCallError) {
    var ends: [Int32] = [-1, -1]
    let result = Inheritance.lock.withLock { _ in
      pipe(&ends) == 0 && ends.allSatisfy { fcntl($0, F_SETFD, FD_CLOEXEC) == 0 }
    }
    guard result else { throw SystemCallError("pipe") }
    (readEnd, writeEnd) = (ends[0], ends[1])
  }
}

/// `poll(2)` with a deadline that interruptions do not lengthen.
enum Poll {
  struct Interest {
    let descriptor: Int32
    let events: Int32

    init(_ descriptor: Int32, _ events: Int32 = POLLIN) {
      self.descriptor = descriptor
      self.events = events
    }
  }

  /// Waits for the first descriptor that is ready, failed or hung up. `seconds` nil means no time limit.
  /// - Returns: its position in `interests`; nil when the time is over.
  static func firstReady(_ interests: [Interest], seconds: Double?) -> Int? {
    let deadline = seconds.map { Monotonic.now() + $0 }
    var entries = interests.map { pollfd(fd: $0.descriptor, events: Int16($0.events), revents: 0) }
    while true {
      let left = deadline.map { Int32(min(max(0, ($0 - Monotonic.now()) * 1000).rounded(.up), 1e9)) } ?? -1
      let count = poll(&entries, nfds_t(entries.count), left)
      if count > 0 { return entries.firstIndex { $0.revents != 0 } }
      if count == 0 { return nil }
      if errno != EINTR { return nil }
    }
  }
}

/// Seconds of a clock that never goes back.
package enum Monotonic {
  package static func now() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
