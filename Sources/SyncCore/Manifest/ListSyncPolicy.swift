// SPDX-License-Identifier: Apache-2.0

/// The settings of a playlist that a server keeps, for the exchange of its changes (docs/manual/playlists-both-ways.md).
package struct ListSyncPolicy: Hashable, Sendable {
  package enum Direction: String, CaseIterable, Sendable {
    /// The server's list is read, and never changed.
    case pull
    /// Changes go both ways.
    case both
  }

  /// The rule for two changes that cannot both hold.
  package enum OnConflict: String, CaseIterable, Sendable {
    /// The rule of each kind of conflict, which is the same at each device.
    case merge
    /// The change that was made on the server.
    case server
    /// The change that was made here.
    case local
    /// The later change, as far as the server tells times.
    case newest
  }

  package enum Merge: String, CaseIterable, Sendable {
    /// Both lists are compared with the one after the last sync.
    case threeWay = "three-way"
    /// The server's order, then the songs that are only here. Nothing is ever deleted.
    case classic
  }

  package var direction = Direction.pull
  package var onConflict = OnConflict.merge
  package var merge = Merge.threeWay
  package init() {}
}

/// A key about the sync of a playlist that would have no effect.
package enum ListSyncMistake: Hashable, Sendable {
  /// `sync: both` without a playlist of a server.
  case noPlaylist
  /// The key is about a merge, and the playlist is not merged.
  case notMerged(key: String)
  /// `on_conflict` beside `merge: classic`, which has no conflicts.
  case conflictsOfClassic
}
