// SPDX-License-Identifier: Apache-2.0
import SyncCore
import SyncDisk
import SyncFormats

/// Imports histories into a queue: the log of plays shows which plays are new, and is written before the queue.
struct HistoryImport {
  /// A warning about a log that is missing. Damage was found when the library was opened.
  let warnings: [Warning]
  private var merge: HistoryMerge
  private let store: PlayLogStore?
  private let isLogDamaged: Bool
  private let queue: Queue
  private let now: Timestamp

  init(_ queue: Queue, of library: Library, now: Timestamp) throws(FileError) {
    store = library.stateFolder.map(PlayLogStore.init)
    let reading = try store?.read()
    let isLost = reading == nil && queue.items.contains { $0.plays.count > 0 }
    warnings = isLost ? [.playLogMissing] : []
    // Whatever part is missing, it may have held any play up to an item's last one.
    isLogDamaged = isLost || !(reading?.isWhole ?? true)
    self.queue = queue
    self.now = now
    merge = HistoryMerge(
      queue, log: reading?.log ?? PlayLog(), isLogWhole: !isLogDamaged,
      roots: [library.settings.path, HistoryFile.resolved(library.settings.path)], now: now)
  }

  mutating func read(_ source: HistorySource, mayBePipe: Bool = false) -> HistorySummary {
    let file = HistoryFile(source: source, mayBePipe: mayBePipe)
    merge.begin(source.kind.source, place: file.place, mapping: source.mapping)
    var summary = HistorySummary(source: source.kind.source, path: source.path)
    do throws(HistoryProblem) {
      // A run that is ending does not need the plays: the next one reads them again.
      let remarks = try file.read { if !Task.isCancelled { merge.take($0) } }
      merge.passOver(remarks.passedOver)
      summary.isZoneAssumed = remarks.hasLocalTimes && source.timezone == nil
    } catch { summary.problem = error }
    summary.counts = merge.counts
    return summary
  }

  /// Takes the plays in a server's answer.
  /// - Returns: Also the plays of items in the queue, which need not be pushed to this server.
  mutating func take(
    _ plays: ServerHistories.Answer.Plays, of server: MediaServer
  ) -> (summary: HistorySummary, known: [Outbox.Message]) {
    let (source, place) = (PlaySource(server.kind), server.name.text)
    var known: [Outbox.Message] = []
    func take(_ record: HeardRecord, at time: Timestamp, isOwn: (ItemID) -> Bool = { _ in false }) {
      guard let id = merge.take(record, unless: isOwn) else { return }
      if case .renewal = record { return }
      known.append(Outbox.Message(server: server.name, item: id, at: time))
    }
    switch plays {
    case .actions(let answer, let pushed):
      merge.begin(source, place: place)
      // In their order, so that a mark ends the positions before it alone.
      for action in answer.actions.sorted(by: { $0.at < $1.at }) {
        let isOfThisDevice = action.device == server.device.text
        if isOfThisDevice, let kind = PushedAction(rawValue: action.kind.rawValue), kind != .play {
          guard let id = merge.owner(ofFileAt: action.episode) else { continue }
          known.append(Outbox.Message(server: server.name, item: id, at: action.at, kind))
        }
        guard let record = action.record else { continue }
        take(record, at: action.at) { id in
          isOfThisDevice && pushed.contains(Outbox.Message(server: server.name, item: id, at: action.at))
        }
      }
      merge.passOver(answer.passedOver)
    case .counters(let counters, let pushes):
      merge.begin(source, place: place, own: OwnPlays(pushes: pushes, in: queue, at: server))
      for counter in counters { take(.counter(counter), at: counter.lastAt) }
    }
    return (HistorySummary(source: source, path: place, counts: merge.counts), known)
  }

  /// The log including the plays that were read.
  var log: PlayLog { merge.log }

  /// The changed items with their new values.
  var items: [QueueItem] { queue.items(hearing: merge.changes) }

  /// Saves the log before the queue has the plays: a count that is missing there is made up for, one too many is not.
  func saveLog() throws(FileError) {
    if isLogDamaged || merge.log.isWorthFolding(at: now) {
      try store?.replace(merge.log.folded(at: now))
    } else {
      try store?.append(merge.lines)
    }
  }
}

/// The histories of the manifest that were missing at the last run, `cache/history_missing` in the state folder. A run
/// warns once about a player that is not plugged in, and again only after it was there.
struct MissingHistories {
  let library: Library

  private static let limit = ByteCount(1 << 20)

  private var place: FilePlace? {
    library.stateFolder.flatMap { FilePlace($0.root).child("cache")?.child("history_missing") }
  }

  /// The paths of the missing histories. A list that cannot be read costs one extra warning.
  func read() throws(FileError) -> Set<String> {
    guard let place, let bytes = try library.files.read(place, limit: Self.limit) else { return [] }
    do throws(JSONError) { return Set(try JSONValue(parsing: bytes).array?.compactMap(\.string) ?? []) } catch {
      return []
    }
  }

  /// - Parameter known: the result of `read`; nothing is written if nothing changed.
  func write(_ paths: Set<String>, known: Set<String>) throws(FileError) {
    guard paths != known, let place else { return }
    guard !paths.isEmpty else { return try library.files.removeFileIfPresent(place) }
    var writer = JSONWriter()
    writer.array { writer in for path in paths.sorted() { writer.value(path) } }
    writer.endLine()
    try library.files.makeFolders(place.parent, mode: .privateFolder)
    try library.files.replace(place, writer.bytes, mode: .privateFile)
  }
}
