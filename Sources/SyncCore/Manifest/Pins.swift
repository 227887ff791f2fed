// SPDX-License-Identifier: Apache-2.0

extension Manifest {
  /// What the manifest pins of a queue, whatever was pinned by command: items that say so themselves, and all of a
  /// playlist that does but for those that say no.
  package func pinned(in queue: Queue) -> Set<ItemID> {
    var pinned: Set<ItemID> = []
    for playlist in playlists {
      switch playlist.source {
      case .items(let items): pinned.formUnion(items.filter { $0.pin ?? playlist.pin }.map(\.id))
      case .feed where playlist.pin:
        let members = queue.items.filter { item in item.memberships.contains { $0.playlist == playlist.name } }
        pinned.formUnion(members.map(\.id))
      case .feed: break
      }
    }
    return pinned
  }
}
