// SPDX-License-Identifier: Apache-2.0

/// The result of making room by command, real or planned.
package struct EvictResult: Equatable, Sendable {
  package struct Line: Equatable, Sendable {
    package var id: ItemID
    package var path: LibraryPath?
    package var bytes: ByteCount
    package var reason: Reason
    package var score: Double?
  }

  package var eviction: EvictionPlan
  /// True if nothing was removed.
  package var isDryRun: Bool
  /// The removed items, in order.
  package var lines: [Line]
  /// The bytes freed from the trash.
  package var trash: ByteCount

  /// - Parameter report: The report of the run. Nil if nothing was done.
  package init(_ eviction: EvictionPlan, _ report: RunReport?) {
    self.eviction = eviction
    isDryRun = report == nil
    let gone = report.map { report in
      Dictionary(
        report.lines.lazy.filter { $0.outcome == .removed }.map { ($0.id, $0.bytes) },
        uniquingKeysWith: { first, _ in first })
    }
    lines = eviction.plan.removals.compactMap { removal in
      let id = removal.item.queued.id
      guard let bytes = gone.map({ $0[id] }) ?? removal.size else { return nil }
      return Line(
        id: id, path: removal.path, bytes: bytes, reason: removal.item.reason, score: removal.item.score)
    }
    trash = report?.trashBytes ?? (eviction.plan.emptiesTrash ? eviction.plan.storage.trash : .zero)
  }

  package var freed: ByteCount { lines.map(\.bytes).sum() + trash }
  /// The part of the requested bytes that could not be freed.
  package var lacking: ByteCount { max(.zero, eviction.needed - freed) }

  package var status: ExitStatus { lacking > .zero ? .storage : .ok }
}

/// The result of a command that removes items, besides the items that are gone.
package struct RemovalOutcome: Equatable, Sendable {
  /// Files that should have been removed and stay.
  package var kept: [ItemID: KeptFile] = [:]
  /// Files that are not in their places. They are removed wherever they are.
  package var displaced: [ItemID: DisplacedFile]

  package init(displaced: [ItemID: DisplacedFile]) { self.displaced = displaced }
}

/// A finished file that is not in its place.
package enum DisplacedFile: Equatable, Sendable {
  /// A person renamed it or moved it inside the library. The file has its present path.
  case found(StoredFile)
  /// It is not in the library, as far as the search reaches.
  case absent
}

/// The reason why a file stays that a command should have removed. Its item is unchanged.
package enum KeptFile: Hashable, Sendable {
  /// The file is not the one that was published.
  case notOurs(LibraryPath)
  /// The system refuses to remove the file.
  case refused(LibraryPath, FileError)
}
