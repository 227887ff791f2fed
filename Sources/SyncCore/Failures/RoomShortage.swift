// SPDX-License-Identifier: Apache-2.0

/// The reason why an item is deferred, with the number of bytes that it lacks.
package enum RoomShortage: Hashable, Sendable {
  case budget(lacking: ByteCount)
  /// The playlist's own share is short.
  case playlist(PlaylistName, lacking: ByteCount)
  case freeSpace(lacking: ByteCount)
  /// There is no room below `target` for an item that was evicted before.
  case noRoomToReturn
  /// There is no room below `target` for an item that was deferred before, or a file evicted in this plan ranks above
  /// it.
  case belowTarget(lacking: ByteCount)
  /// There is room below `target`, but these bytes of it are held back for files that were evicted and rank higher.
  /// - Parameter until: The time when the last of them may return. Nil if one of them waits for more room.
  case heldBack(ByteCount, until: Timestamp?)
  /// There is no room for a file of another quality beside the one that it replaces.
  case beside(lacking: ByteCount)
}
