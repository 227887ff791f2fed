// SPDX-License-Identifier: Apache-2.0

/// The leftovers that `clean` found.
package struct CleanResult: Equatable, Sendable {
  package enum Kind: String, CaseIterable, Sendable {
    /// A file in the trash for longer than `storage.trash.keep`.
    case trash
    /// A partial that is too old to be continued.
    case oldPartial = "old_partial"
    /// A partial that no item continues.
    case orphanPartial = "orphan_partial"
    /// A file half written by a run that was killed.
    case temporary
    /// A damaged file that was kept for inspection.
    case aside
    /// The copy of a source that the manifest no longer names.
    case cache
  }

  package struct Piece: Equatable, Sendable {
    package var kind: Kind
    /// The path for people, relative to the library or the state folder.
    package var path: String
    package var size: ByteCount
    package init(kind: Kind, path: String, size: ByteCount) {
      self.kind = kind
      self.path = path
      self.size = size
    }
  }

  package var pieces: [Piece]
  /// True if nothing was deleted.
  package var isDryRun: Bool
  /// Nil if the clock can be trusted. Otherwise nothing was judged by its age.
  package var clockDoubt: Warning?

  package init(pieces: [Piece], isDryRun: Bool, clockDoubt: Warning? = nil) {
    self.pieces = pieces
    self.isDryRun = isDryRun
    self.clockDoubt = clockDoubt
  }

  package var freed: ByteCount { pieces.map(\.size).sum() }
}
