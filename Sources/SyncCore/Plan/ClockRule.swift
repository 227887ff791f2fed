// SPDX-License-Identifier: Apache-2.0

/// Decides if the clock can be trusted before anything is removed.
package enum ClockRule {
  /// 2026-11-01. The program was written later, so no run of it can be earlier.
  package static let earliest = Timestamp(secondsSince1970: 1_793_491_200)

  /// - Parameter latestSeen: The latest time in the queue file.
  package static func isPlausible(_ now: Timestamp, latestSeen: Timestamp) -> Bool {
    now >= earliest && now >= latestSeen - .days(1)
  }
}

extension Queue {
  /// The time of the latest change in the queue.
  package var latestTime: Timestamp {
    items.reduce(savedAt) { max($0, $1.updatedAt) }
  }
}
