// SPDX-License-Identifier: Apache-2.0

/// The wait of a run for another one.
package struct LockWait: Hashable, Sendable {
  package var path: String
  /// The holder of the lock, as the lock file names it.
  package var holder: String?
  /// The maximum time.
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
