// SPDX-License-Identifier: Apache-2.0

/// Why no run would fetch an item, although it waits in the queue.
package enum FetchObjection: Hashable, Sendable {
  /// No playlist names it any more.
  case unnamed
  /// That playlist names it and does not want it.
  case unwanted(Unselected, PlaylistName)
  /// It was given up or taken out, and only a command brings it back.
  case standing(Standing)
}

extension Reconciliation {
  /// Of those items, the ones that would not be fetched; those of whom it cannot be told, as their source was not read
  /// whole, are not among them.
  /// - Parameter ids: of items that wait.
  package func objections(to ids: Set<ItemID>) -> [ItemID: FetchObjection] {
    var objections: [ItemID: FetchObjection] = [:]
    var unnamed = ids
    for entry in entries where unnamed.remove(entry.queued.id) != nil {
      objections[entry.queued.id] = entry.objection
    }
    // The queue would forget them.
    for id in unnamed { objections[id] = .unnamed }
    return objections
  }
}

extension Reconciliation.Entry {
  package var objection: FetchObjection? {
    if case .stand(let standing) = need { return .standing(standing) }
    guard need == .rest, let unselected else { return nil }
    if case .wouldBeDropped = unselected, case .dropped(let playlist, _)? = retained {
      return .unwanted(unselected, playlist)
    }
    return queued.memberships.first.map { .unwanted(unselected, $0.playlist) }
  }
}
