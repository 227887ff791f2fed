// SPDX-License-Identifier: Apache-2.0

/// What `clean` found to be of no use any more.
package struct Cleaning: Equatable, Sendable {
  package enum Kind: String, CaseIterable, Sendable {
    /// In the trash for longer than `storage.trash.keep`.
    case trash
    /// Begun so long ago that nobody goes on with it.
    case oldPartial = "old_partial"
    /// Nobody goes on with it.
    case orphanPartial = "orphan_partial"
    /// Half written by a run that was killed.
    case temporary
    /// A damaged file that was kept to be looked at.
    case aside
    /// The copy of a source that the manifest does not name any more.
    case cache
  }

  package struct Piece: Equatable, Sendable {
    package var kind: Kind
    /// As a person finds it: below the library or the state folder.
    package var path: String
    package var size: ByteCount
    package init(kind: Kind, path: String, size: ByteCount) {
      self.kind = kind
      self.path = path
      self.size = size
    }
  }

  package var pieces: [Piece]
  /// Only looked for.
  package var isDryRun: Bool
  /// Nil when the clock can be believed; otherwise nothing was judged by its age.
  package var clockDoubt: Warning?

  package init(pieces: [Piece], isDryRun: Bool, clockDoubt: Warning? = nil) {
    self.pieces = pieces
    self.isDryRun = isDryRun
    self.clockDoubt = clockDoubt
  }

  package var freed: ByteCount { pieces.map(\.size).sum() }
}
