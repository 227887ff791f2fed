// SPDX-License-Identifier: Apache-2.0

/// One turn of the loop: jobs and timers wait for its end. While a receiver is slower than the network, libcurl has more
/// bytes at once than it hands over in one call, so a transfer that takes too long holds its bytes back until the next
/// turn. Belongs to the loop's thread.
final class LoopTurn {
  /// Much longer than a healthy turn, and short beside what a person waits for.
  private static let limit = Duration.milliseconds(100)

  private var began = SuspendingClock.now
  /// Those that hold their bytes back, the one that has waited longest first.
  private var waiting: [TransferID] = []

  var hasWaiting: Bool { !waiting.isEmpty }

  var isOver: Bool { SuspendingClock.now - began > Self.limit }

  func wait(_ id: TransferID) { waiting.append(id) }

  /// Begins the next one.
  /// - Returns: those that waited for it.
  func begin() -> [TransferID] {
    began = .now
    defer { waiting = [] }
    return waiting
  }
}
