// SPDX-License-Identifier: Apache-2.0

/// The facts about an item that decide its place in a playlist.
package struct PlaylistPlace: Equatable, Sendable {
  /// In the manifest or the source.
  package var position: Int
  package var published: Timestamp?

  package init(position: Int, published: Timestamp?) { (self.position, self.published) = (position, published) }
}

extension Playlist {
  /// True if an item is before another in the files of the playlist: in the order of the manifest or the source, or the
  /// newest first for a feed.
  package func isBefore(_ a: PlaylistPlace, _ b: PlaylistPlace) -> Bool {
    if isOrdered { return a.position < b.position }
    return switch (a.published, b.published) {
    case (let x?, let y?) where x != y: x > y
    case (.some, nil): true
    case (nil, .some): false
    default: a.position > b.position
    }
  }
}
