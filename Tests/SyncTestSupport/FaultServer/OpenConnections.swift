// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The connections that count as open. A thread may learn late that its client has left; the kernel knows at once.
struct OpenConnections: Sendable {
  private var entries: [Int: (descriptor: Int32, host: String)] = [:]
  /// `POLLRDHUP`, which poll.h shows to `_GNU_SOURCE` only: the client has closed its side.
  private static let clientClosed: Int32 = 0x2000

  mutating func add(_ number: Int, _ descriptor: Int32, host: String) { entries[number] = (descriptor, host) }

  /// - Returns: the host of the connection; nil when it did not count any more.
  mutating func remove(_ number: Int) -> String? { entries.removeValue(forKey: number)?.host }

  /// Removes and returns the connections whose clients have left.
  mutating func takeGone() -> [(number: Int, host: String)] {
    let gone = entries.filter { Self.isGone($0.value.descriptor) }
    for number in gone.keys { entries[number] = nil }
    return gone.map { ($0.key, $0.value.host) }
  }

  private static func isGone(_ descriptor: Int32) -> Bool {
    Poll.firstReady([Poll.Interest(descriptor, clientClosed)], seconds: 0) != nil
  }
}
