// SPDX-License-Identifier: Apache-2.0

/// What a run may do at all, whatever the manifest says.
package struct PlanOptions: Equatable, Sendable {
  package var mayEvict = true
  package var mayDownload = true
  package var maxDelete: StoragePolicy.DeleteLimit
  /// Who said so, for whoever is told that it was too much.
  package var maxDeleteOrigin = LimitOrigin.manifest
  /// An implausible clock evicts and removes nothing.
  package var isClockPlausible = true
  package init(maxDelete: StoragePolicy.DeleteLimit) { self.maxDelete = maxDelete }
}

extension Plan {
  /// Fits what is needed into the room that there is.
  package init(
    _ reconciliation: Reconciliation, seen: LibraryObservation, manifest: Manifest, options: PlanOptions,
    now: Timestamp
  ) {
    var draft = PlanDraft(reconciliation, seen: seen, manifest: manifest, options: options, now: now)
    draft.placeRemovals()
    draft.placeWants()
    draft.placeUpgrades()
    draft.placeRest()
    self = draft.finished()
  }
}

extension StoragePolicy.DeleteLimit {
  /// The number of items that may go out of `finished`.
  package func count(of finished: Int) -> Int {
    switch self {
    case .share(let share): max(10, finished * share.perMille / 1000)
    case .count(let count): count
    }
  }
}
