// SPDX-License-Identifier: Apache-2.0

/// The programs that a run calls (`hooks`). No shell is involved.
package struct HookSettings: Equatable, Sendable {
  /// The consequence of a failed hook.
  package enum Consequence: String, CaseIterable, Sendable {
    case warn
    /// A warning, and exit status 1.
    case fail
  }

  /// The program for each file and its arguments, never empty. Nil for none.
  package var item: [String]?
  /// The program for the whole run and its arguments, never empty. Nil for none.
  package var run: [String]?
  /// The longest time of one call.
  package var timeout = Duration.seconds(60)
  package var onFailure = Consequence.warn
  package init() {}

  package func words(_ kind: HookKind) -> [String]? { kind == .item ? item : run }
}

/// The occasion of a hook. The raw value is its key in the manifest.
package enum HookKind: String, Sendable {
  /// A file was published, moved, upgraded or removed.
  case item
  /// The run has written its report.
  case run
}

/// A call of a hook that failed.
package struct HookProblem: Hashable, Sendable {
  package enum Cause: Hashable, Sendable {
    case exited(Int32)
    case signalled(Int32)
    case notStarted(ErrnoCode)
    case tookTooLong(Duration)
    /// A signal has stopped the run, and the hook with it.
    case stopped
  }

  package var kind: HookKind
  package var program: String
  package var cause: Cause
  /// The last line that the program wrote.
  package var message: String?
  /// The title of the item. Nil for the hook of the run.
  package var title: String?
  /// True if the run fails because of it.
  package var isFatal: Bool

  package init(
    _ kind: HookKind, program: String, _ cause: Cause, message: String? = nil, title: String? = nil,
    isFatal: Bool = false
  ) {
    self.kind = kind
    self.program = program
    self.cause = cause
    self.message = message
    self.title = title
    self.isFatal = isFatal
  }
}

/// The reason why the hook was not called for further files.
package enum HookOmission: Hashable, Sendable {
  /// This many calls in a row did not come to an end of their own.
  case failures(Int)
  /// A signal has stopped the run.
  case stopped
}
