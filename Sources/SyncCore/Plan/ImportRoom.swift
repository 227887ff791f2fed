// SPDX-License-Identifier: Apache-2.0

/// The room that imported files may take: up to the mark at which eviction begins, of the budget and of the share of
/// each playlist, and without going below the free space to be left. Nothing is evicted for them.
package struct ImportRoom: Sendable {
  private let policy: StoragePolicy
  private var used: ByteCount
  private var free: ByteCount
  private var accounts: [PlaylistName: RoomPlanner.Account] = [:]

  /// - Parameters:
  ///   - used: The bytes of finished files, partials and trash.
  ///   - free: The free space on the library's file system.
  package init(_ policy: StoragePolicy, used: ByteCount, free: ByteCount, playlists: [Playlist], _ queue: Queue) {
    (self.policy, self.used, self.free) = (policy, used, free)
    for playlist in playlists {
      guard let budget = playlist.budget?.bytes(of: policy.budget) else { continue }
      accounts[playlist.name] = RoomPlanner.Account(playlist.name, budget: budget, used: .zero, marks: policy.evict)
    }
    guard !accounts.isEmpty else { return }
    for item in queue.items {
      guard let size = item.state.finishedSize, let first = item.memberships.first?.playlist else { continue }
      accounts[first]?.used += size
    }
  }

  /// Takes the room for one file.
  /// - Parameter takesSpace: False if the file is on the library's file system already and only moves.
  /// - Returns: Nil if there was room.
  package mutating func take(_ size: ByteCount, of playlist: PlaylistName?, takesSpace: Bool) -> RoomShortage? {
    if let playlist, let account = accounts[playlist], account.used + size > account.ceiling {
      return .playlist(playlist, lacking: account.used + size - account.ceiling)
    }
    if let ceiling = policy.budget.map({ $0 * policy.evict.trigger }), used + size > ceiling {
      return .budget(lacking: used + size - ceiling)
    }
    if takesSpace, free < policy.minFree + size { return .freeSpace(lacking: policy.minFree + size - free) }
    used += size
    if takesSpace { free -= size }
    if let playlist { accounts[playlist]?.used += size }
    return nil
  }
}
