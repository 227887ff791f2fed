// SPDX-License-Identifier: Apache-2.0

/// What came of making room by command, or would come of it.
package struct RoomMade: Equatable, Sendable {
  package struct Line: Equatable, Sendable {
    package var id: ItemID
    package var path: LibraryPath?
    package var bytes: ByteCount
    package var reason: Reason
    package var score: Double?
  }

  package var eviction: Eviction
  /// Only looked at.
  package var isDryRun: Bool
  /// What went, in its order.
  package var lines: [Line]
  /// What the trash gave.
  package var trash: ByteCount

  /// - Parameter report: of what was done; nil when nothing was.
  package init(_ eviction: Eviction, _ report: RunReport?) {
    self.eviction = eviction
    isDryRun = report == nil
    let gone = report.map { report in
      Dictionary(
        report.lines.lazy.filter { $0.outcome == .removed }.map { ($0.id, $0.bytes) },
        uniquingKeysWith: { first, _ in first })
    }
    lines = eviction.plan.changes.compactMap { change in
      guard let bytes = gone.map({ $0[change.id] }) ?? change.bytes else { return nil }
      return Line(id: change.id, path: change.path, bytes: bytes, reason: change.reason, score: change.score)
    }
    trash = report?.trashBytes ?? (eviction.plan.emptiesTrash ? eviction.plan.storage.trash : .zero)
  }

  package var freed: ByteCount { lines.map(\.bytes).sum() + trash }
  /// What is still missing of what was asked for.
  package var lacking: ByteCount { max(.zero, eviction.needed - freed) }

  package var status: ExitStatus { lacking > .zero ? .storage : .ok }
}
