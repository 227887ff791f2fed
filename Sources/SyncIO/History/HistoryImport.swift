// SPDX-License-Identifier: Apache-2.0
import SyncCore
import SyncFormats

/// Takes histories into a queue: the log of plays tells what is new, and learns of it first.
struct HistoryImport {
  /// What was out of order with the log.
  let warnings: [Warning]
  private var merge: HistoryMerge
  private let store: PlayLogStore?
  private let isLogDamaged: Bool
  private let queue: Queue
  private let now: Timestamp

  init(_ queue: Queue, of library: Library, now: Timestamp) throws(FileError) {
    store = library.stateFolder.map(PlayLogStore.init)
    let reading = try store?.read()
    // Whatever is missing, what was heard up to an item's last play may have been in it.
    let damaged = reading?.damagedLines ?? 0
    let isLost = reading == nil && queue.items.contains { $0.plays.count > 0 }
    var warnings: [Warning] = []
    if damaged > 0 || isLost { warnings.append(.playLogDamaged(lines: damaged)) }
    if reading?.isTorn ?? false { warnings.append(.playLogTorn) }
    self.warnings = warnings
    isLogDamaged = !warnings.isEmpty
    self.queue = queue
    self.now = now
    merge = HistoryMerge(
      queue, log: reading?.log ?? PlayLog(), isLogWhole: warnings.isEmpty,
      roots: [library.settings.path, HistoryFile.resolved(library.settings.path)], now: now)
  }

  mutating func read(_ source: HistorySource, mayBePipe: Bool = false) -> HistorySummary {
    let file = HistoryFile(source: source, mayBePipe: mayBePipe)
    merge.begin(source.kind.source, place: file.place, mapping: source.mapping)
    var summary = HistorySummary(kind: source.kind, path: source.path)
    do throws(HistoryProblem) {
      // A run that is ending wants none of it: the next one reads it again.
      let remarks = try file.read { if !Task.isCancelled { merge.take($0) } }
      merge.passOver(remarks.passedOver)
      summary.isZoneAssumed = remarks.hasLocalTimes && source.timezone == nil
    } catch { summary.problem = error }
    summary.counts = merge.counts
    return summary
  }

  /// With what was read.
  var log: PlayLog { merge.log }

  /// The items that changed, as they are now.
  var items: [QueueItem] { queue.items(hearing: merge.changes) }

  /// On the disk before the queue has it: a count that is missing there is made up for, one too many is not.
  func saveLog() throws(FileError) {
    if isLogDamaged || merge.log.isWorthFolding(at: now) {
      try store?.replace(merge.log.folded(at: now))
    } else {
      try store?.append(merge.lines)
    }
  }
}
