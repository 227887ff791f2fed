// SPDX-License-Identifier: Apache-2.0

/// A run that waits for another one.
package struct LockWait: Hashable, Sendable {
  package var path: String
  /// Who holds the lock, as it says itself.
  package var holder: String?
  /// At most so long.
  package var wait: Duration

  package init(path: String, holder: String?, wait: Duration) {
    self.path = path
    self.holder = holder
    self.wait = wait
  }

  /// One sentence without a full stop.
  package var words: String {
    "another run holds \(path.quoted)\(holder.map { " (\($0.printable))" } ?? "");"
      + " waiting up to \(wait.spanWords) for it to end"
  }
}
