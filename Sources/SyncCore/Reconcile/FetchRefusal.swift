// SPDX-License-Identifier: Apache-2.0

/// The reason why no run would fetch an item that is in the queue.
package enum FetchRefusal: Hashable, Sendable {
  /// No playlist names the item any more.
  case unnamed
  /// This playlist names the item but does not select it.
  case unwanted(Unselected, PlaylistName)
  /// The item failed for good, was cancelled or removed, or its missing file is skipped. Only a command brings it back.
  case skipped(SkipReason)
}

extension Reconciliation {
  /// Returns those of the items that would not be fetched. Items whose source was not read whole are left out, because
  /// nothing is known about them.
  /// - Parameter ids: Items that are waiting.
  package func objections(to ids: Set<ItemID>) -> [ItemID: FetchRefusal] {
    var objections: [ItemID: FetchRefusal] = [:]
    var unnamed = ids
    for entry in entries where unnamed.remove(entry.queued.id) != nil {
      objections[entry.queued.id] = entry.objection
    }
    // The queue would drop these items.
    for id in unnamed { objections[id] = .unnamed }
    return objections
  }
}

extension Reconciliation.Entry {
  package var objection: FetchRefusal? {
    if case .skip(let reason) = need { return .skipped(reason) }
    guard need == .ignore, let unselected else { return nil }
    if case .wouldBeDropped = unselected, case .dropped(let playlist, _)? = retained {
      return .unwanted(unselected, playlist)
    }
    return queued.memberships.first.map { .unwanted(unselected, $0.playlist) }
  }
}
