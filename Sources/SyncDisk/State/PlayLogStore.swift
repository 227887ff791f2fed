// SPDX-License-Identifier: Apache-2.0
package import SyncCore
package import SyncFormats

/// The log of plays in the state folder, `plays.jsonl`: lines are added at its end and flushed before the queue counts
/// them.
package struct PlayLogStore {
  private let folder: StateFolder

  /// Room for a hundred plays a day for years.
  private static let limit = ByteCount(1 << 30)
  /// The first reading of an old log may have a million lines.
  private static let linesAtOnce = 4096

  package init(_ folder: StateFolder) { self.folder = folder }

  private var place: FilePlace { folder.place(.plays) }

  /// True for a plain file that can be a log of plays.
  static func isLog(_ status: FileStatus) -> Bool { status.kind == .file && status.size <= limit }

  /// True if there is no log, or one in which nothing is damaged. What cannot be a log is not whole.
  func isWhole() throws(FileError) -> Bool {
    guard let status = try folder.files.status(of: place) else { return true }
    guard Self.isLog(status), let bytes = try folder.files.read(place, limit: Self.limit) else { return false }
    return PlayLogLines.isProven(bytes) || PlayLogLines.read(bytes).isWhole
  }

  /// Nil when there is none.
  package func read() throws(FileError) -> PlayLogLines.Reading? {
    try folder.files.read(place, limit: Self.limit).map { PlayLogLines.read($0) }
  }

  /// The damage of a log.
  package struct Damage: Equatable {
    var lines: Int
    /// The name of the copy of what is damaged; nil if nothing was to be changed.
    var keptAside: String?

    package var note: RecoveryNote {
      lines > 0 ? .playsDamaged(lines: lines, keptAside: keptAside) : .playsTorn(keptAside: keptAside)
    }
  }

  /// Looks for damage, and changes nothing. A torn end is none: another process may be writing it.
  package func damage() throws(FileError) -> Damage? {
    guard let bytes = try folder.files.read(place, limit: Self.limit), !PlayLogLines.isProven(bytes) else { return nil }
    let lines = PlayLogLines.read(bytes).damagedLines
    return lines > 0 ? Damage(lines: lines) : nil
  }

  /// Keeps a copy of what is damaged, and leaves in the log what is not. A missing line may have held any play up to
  /// the last one of an item: all of those are marked as counted.
  /// - Parameter queue: the counts. An item that it does not have, because the queue is lost, has those of the log.
  package func repair(_ queue: Queue, now: Timestamp) throws(FileError) -> Damage? {
    guard let bytes = try folder.files.read(place, limit: Self.limit), !PlayLogLines.isProven(bytes) else { return nil }
    let reading = PlayLogLines.read(bytes)
    guard !reading.isWhole else { return nil }
    let aside = AsideFiles(folder, now: now)
    let isDamaged = reading.damagedLines > 0
    let name = try isDamaged ? aside.keepCopy(of: .plays, bytes) : aside.keep(reading.tornTail, of: .plays)
    try aside.prune()
    let counted = PlayLogLines.encode(
      queue.items.compactMap(\.countedPlays)
        + (isDamaged ? reading.log.countedPlays(besides: Set(queue.items.map(\.id))) : []))
    try folder.files.replace(place, PlayLogLines.repaired(bytes, reading) + counted, mode: .privateFile)
    return Damage(lines: reading.damagedLines, keptAside: name)
  }

  /// Appends lines and flushes them.
  /// - Parameter first: the lines that a new log begins with.
  package func append(_ lines: [PlayLog.Line], beginningWith first: () -> [PlayLog.Line] = { [] }) throws(FileError) {
    guard !lines.isEmpty else { return }
    let isNew = try folder.files.status(of: place) == nil
    let all = isNew ? first() + lines : lines
    let pieces = stride(from: 0, to: all.count, by: Self.linesAtOnce).lazy.map { start in
      PlayLogLines.encode(all[start..<min(start + Self.linesAtOnce, all.count)])
    }
    try folder.appendLines(pieces, to: .plays, limit: Self.limit)
  }

  /// Replaces the log.
  package func replace(_ lines: [PlayLog.Line]) throws(FileError) {
    guard !lines.isEmpty else { return try folder.files.removeFileIfPresent(place) }
    try folder.files.replace(place, PlayLogLines.encode(lines), mode: .privateFile)
  }
}

extension PlayLog {
  /// The lines that mark all plays up to the last one of each item as counted.
  fileprivate func countedPlays(besides ids: Set<ItemID>) -> [Line] {
    entries.filter { !ids.contains($0.key) }.sorted { $0.key < $1.key }.compactMap { id, entry in
      entry.lastAt.map { .folded(id, until: $0, total: entry.total) }
    }
  }
}

extension QueueItem {
  /// The line of the log that marks all plays of the item up to its last one as counted; nil if there are none.
  package var countedPlays: PlayLog.Line? {
    guard plays.count > 0, let last = plays.lastPlayedAt else { return nil }
    return .folded(id, until: last, total: plays.count)
  }
}
