// SPDX-License-Identifier: Apache-2.0

/// The limits of a run, in addition to those in the manifest.
package struct PlanOptions: Equatable, Sendable {
  package var mayEvict = true
  package var mayDownload = true
  package var maxDelete: StoragePolicy.DeleteLimit
  /// The origin of `maxDelete`, for the message that says that it was exceeded.
  package var maxDeleteOrigin = LimitOrigin.manifest
  /// If false, nothing is evicted or removed.
  package var isClockPlausible = true
  /// False if the number of items that only stay is enough.
  package var listsKept = true
  package var protection = ProtectionTarget()
  package var conditions = FetchConditions()
  package init(maxDelete: StoragePolicy.DeleteLimit) { self.maxDelete = maxDelete }
}

extension Plan {
  /// Plans the needs of all items within the available room.
  /// - Parameter parts: Looks at several items at once.
  package init(
    _ reconciliation: Reconciliation, seen: LibraryObservation, manifest: Manifest, options: PlanOptions,
    parts: some PartRunner = SerialParts(), now: Timestamp
  ) {
    var draft = PlanDraft(reconciliation, seen: seen, manifest: manifest, options: options, now: now)
    draft.placeRemovals()
    draft.placeWants()
    draft.placeLocks()
    draft.placeUnlocks()
    draft.placeUpgrades()
    draft.placeProtection()
    draft.placeRest(parts)
    self = draft.finished()
  }
}

extension StoragePolicy.DeleteLimit {
  /// The number of items that may be removed out of `finished`.
  package func count(of finished: Int) -> Int {
    switch self {
    case .share(let share): max(10, finished * share.perMille / 1000)
    case .count(let count): count
    }
  }
}

/// Decides if the clock can be trusted before anything is removed.
package enum ClockRule {
  /// 2026-11-01. The program was written later, so no run of it can be earlier.
  package static let earliest = Timestamp(secondsSince1970: 1_793_491_200)

  /// - Parameter latestSeen: The latest time in the queue file.
  package static func isPlausible(_ now: Timestamp, latestSeen: Timestamp) -> Bool {
    now >= earliest && now >= latestSeen - .days(1)
  }
}
