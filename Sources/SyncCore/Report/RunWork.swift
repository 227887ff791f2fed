// SPDX-License-Identifier: Apache-2.0

/// How far work that is not a transfer has come.
package struct RunWork: Equatable, Sendable {
  package enum Kind: Equatable, Sendable {
    case readingSources
    /// Files are read to find out what they are.
    case readingFiles
    case importingFiles
    case callingHooks
  }

  package var kind: Kind
  /// The sources or files that are done, of all that there are.
  package var done: Int
  package var all: Int
  package init(_ kind: Kind, done: Int, of all: Int) {
    self.kind = kind
    self.done = done
    self.all = all
  }
}
