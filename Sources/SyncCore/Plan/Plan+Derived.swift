// SPDX-License-Identifier: Apache-2.0

// Everything here is derived from the steps. The functions go by index, because an iterator copies each step, and most of
// a million items are only kept.
extension Plan {
  /// True if a run would change the library, or a playlist on a server.
  package var hasPendingChanges: Bool {
    emptiesTrash || expiresTrash || steps.indices.contains { steps[$0].altersLibrary || steps[$0].isPush }
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
  package var fetches: [FetchStep] { positionsOfFetches.compactMap { steps[$0].fetch } }

  /// True if a file that is to be fetched needs a licence.
  package var needsLicenses: Bool { steps.contains { $0.fetch?.$download.wrappedValue.$license != nil } }

  package var fetchesAnything: Bool { steps.contains { $0.fetch != nil } }

  /// The transfers of `fetches`.
  package var downloads: [PlannedDownload] { positionsOfFetches.compactMap { steps[$0].fetch?.download } }

  /// The positions are sorted and not the steps, because a step is large.
  private var positionsOfFetches: [Int] {
    let keys = steps.indices.compactMap { index in steps[index].fetch.map { ($0.group, $0.turn, index) } }
    return keys.sorted { $0.0 == $1.0 ? $0.1 < $1.1 : $0.0 < $1.0 }.map(\.2)
  }

  /// The partials that the fetches continue.
  package var continuedPartials: Set<String> {
    Set(steps.indices.lazy.compactMap { steps[$0].fetch?.download.task.partial?.name })
  }

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

  /// The files whose protection changes.
  package var protections: [ProtectStep] {
    steps.indices.compactMap { if case .protect(let protect) = steps[$0] { protect } else { nil } }
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
    var (upgrades, reserved) = (ByteCount.zero, ByteCount.zero)
    for index in steps.indices {
      guard let download = steps[index].fetch?.download else { continue }
      if download.$replaced != nil { upgrades += download.room }
      reserved += download.reserved
    }
    return (storage.after + storage.replaced - upgrades, free - reserved)
  }
}
