// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// Values that the end of the process frees. Freeing the items of a large library one by one took a twentieth of a plan's
/// time.
enum UntilExit {
  private static let last = Mutex<(any Sendable)?>(nil)

  /// Keeps a value instead of the one before it, so that a process with many runs does not grow.
  static func keep(_ value: some Sendable) {
    let before = last.withLock { last in
      let before = last
      last = value
      return before
    }
    // Freed here, not while the lock is held.
    _ = before
  }
}
