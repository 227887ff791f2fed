// SPDX-License-Identifier: Apache-2.0

// Everything here is derived from the steps. The functions go by index, because an iterator copies each step, and most of
// a million items are only kept.
extension Plan {
  /// True if a run would change the library.
  package var hasPendingChanges: Bool {
    emptiesTrash || expiresTrash || steps.indices.contains { steps[$0].altersLibrary }
  }

  package func count(_ action: Step.Action) -> Int {
    steps.indices.count { steps[$0].action == action } + (action == .keep ? unlistedKept : 0)
  }

  package func bytes(_ action: Step.Action) -> ByteCount {
    steps.indices.lazy.filter { steps[$0].action == action }.compactMap { steps[$0].bytes }.sum()
  }

  /// The steps with an action that satisfies a condition.
  package func steps(where isWanted: (Step.Action) -> Bool) -> [Step] {
    steps.indices.filter { steps[$0].action.map(isWanted) ?? false }.map { steps[$0] }
  }

  /// All files to fetch, in the order of fetching.
  package var fetches: [FetchStep] { unorderedFetches.sorted { $0.comesBefore($1) } }

  /// The transfers of `fetches`.
  package var downloads: [PlannedDownload] { fetches.map(\.download) }

  /// The files that leave the library: first the removed ones, then the evicted ones.
  package var removals: [RemovalStep] {
    steps.indices.compactMap { index in
      switch steps[index] {
      case .remove(let removal), .evict(let removal): removal
      default: nil
      }
    }
  }

  package var adoptions: [AdoptionStep] {
    steps.indices.compactMap { if case .adopt(let adoption) = steps[$0] { adoption } else { nil } }
  }

  /// The moves, including those of files that are replaced after their move.
  package var moves: [PlannedMove] {
    steps.indices.compactMap { index in
      switch steps[index] {
      case .move(let move): move.move
      case .upgrade(let fetch): fetch.move
      default: nil
      }
    }
  }

  /// The items that no run fetches or replaces before a command or a change of their inputs. Failed upgrades come first.
  package var skipped: [SkippedItem] {
    let skipped = steps.indices.compactMap { steps[$0].skipped }
    return skipped.filter(\.reason.isFailedUpgrade) + skipped.filter { !$0.reason.isFailedUpgrade }
  }

  /// The items that a source lists, that have no file and that no playlist selects.
  package var unselected: [UnselectedItem] {
    steps.indices.compactMap { if case .ignore(let item) = steps[$0] { item } else { nil } }
  }

  /// The used and the free bytes after everything but the upgrades is done.
  /// - Parameter free: The free bytes before any download.
  package func room(free: ByteCount) -> (used: ByteCount, free: ByteCount) {
    let downloads = unorderedFetches.map(\.download)
    let upgrades = downloads.filter { $0.$replaced != nil }.map(\.room).sum()
    return (storage.after + storage.replaced - upgrades, free - downloads.map(\.reserved).sum())
  }

  private var unorderedFetches: [FetchStep] {
    steps.indices.compactMap { index in
      switch steps[index] {
      case .download(let fetch), .upgrade(let fetch): fetch
      default: nil
      }
    }
  }
}
