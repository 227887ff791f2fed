// SPDX-License-Identifier: Apache-2.0

/// Whether the clock can be believed when it comes to removing things (SPEC §3).
package enum ClockRule {
  /// No run of this program happened before it was written: 2026-11-01.
  package static let earliest = Timestamp(secondsSince1970: 1_793_491_200)

  /// - Parameter latestSeen: the latest time that the queue file knows.
  package static func isPlausible(_ now: Timestamp, latestSeen: Timestamp) -> Bool {
    now >= earliest && now >= latestSeen - .days(1)
  }
}

extension Queue {
  /// The latest moment that anything in it was changed.
  package var latestTime: Timestamp {
    items.reduce(savedAt) { max($0, $1.updatedAt) }
  }
}
