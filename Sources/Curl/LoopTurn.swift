// SPDX-License-Identifier: Apache-2.0

/// One turn of the loop; jobs and timers wait for its end. If a receiver is slower than the network, libcurl has more
/// bytes than it hands over in one call. A transfer that takes too long therefore holds its bytes back until the next
/// turn. Confined to the loop's thread.
final class LoopTurn {
  /// Much longer than a healthy turn, and too short for a person to notice.
  private static let limit = Duration.milliseconds(100)

  private var began = SuspendingClock.now
  /// The transfers that hold their bytes back, longest wait first.
  private var waiting: [TransferID] = []

  var hasWaiting: Bool { !waiting.isEmpty }

  var isOver: Bool { SuspendingClock.now - began > Self.limit }

  func wait(_ id: TransferID) { waiting.append(id) }

  /// Begins the next turn.
  /// - Returns: The transfers that waited for it.
  func begin() -> [TransferID] {
    began = .now
    defer { waiting = [] }
    return waiting
  }
}
