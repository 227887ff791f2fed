// SPDX-License-Identifier: Apache-2.0

extension Manifest {
  /// The number of bytes by which pinned items exceed the budget. Sizes come from files, the manifest or a server, as
  /// far as the queue knows them. Nil if the budget is not exceeded or not set.
  package func pinsOverBudget(in queue: Queue) -> ByteCount? {
    guard let budget = storage.budget else { return nil }
    let named = pinned(in: queue)
    var declared: [ItemID: ByteCount] = [:]
    for playlist in playlists {
      for item in playlist.source.inlineItems { if let size = item.exactSize { declared[item.id] = size } }
    }
    let pins = queue.items.filter { ($0.pinned || named.contains($0.id)) && $0.isHereOrToCome }
    let sum = pins.compactMap { $0.state.finishedSize ?? declared[$0.id] ?? $0.knownSize }.sum()
    return sum > budget ? sum - budget : nil
  }

  /// The items of a queue that the manifest pins, regardless of pins by command: items that declare it themselves, and
  /// all items of a pinned playlist except those that opt out.
  package func pinned(in queue: Queue) -> Set<ItemID> {
    var pinned: Set<ItemID> = []
    var listings: Set<PlaylistName> = []
    for playlist in playlists {
      pinned.formUnion(playlist.source.inlineItems.filter { $0.pin ?? playlist.settings.pin }.map(\.id))
      if playlist.source.isListing, playlist.pin { listings.insert(playlist.name) }
    }
    guard !listings.isEmpty else { return pinned }
    for item in queue.items where item.memberships.contains(where: { listings.includes($0.playlist) }) {
      pinned.insert(item.id)
    }
    return pinned
  }
}

extension QueueItem {
  fileprivate var isHereOrToCome: Bool {
    switch state {
    case .removed, .cancelled: false
    case .failed(let record): record.isTriedAgain
    default: true
    }
  }
}
