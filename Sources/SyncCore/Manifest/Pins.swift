// SPDX-License-Identifier: Apache-2.0

extension Manifest {
  /// What the manifest pins of a queue, whatever was pinned by command: items that say so themselves, and all of a
  /// playlist that does but for those that say no.
  package func pinned(in queue: Queue) -> Set<ItemID> {
    var pinned: Set<ItemID> = []
    var feeds: Set<PlaylistName> = []
    for playlist in playlists {
      switch playlist.source {
      case .items(let items): pinned.formUnion(items.filter { $0.pin ?? playlist.pin }.map(\.id))
      case .feed: if playlist.pin { feeds.insert(playlist.name) }
      }
    }
    guard !feeds.isEmpty else { return pinned }
    for item in queue.items where item.memberships.contains(where: { feeds.contains($0.playlist) }) {
      pinned.insert(item.id)
    }
    return pinned
  }
}
