// SPDX-License-Identifier: Apache-2.0
package import SyncCore

/// Items, one a line.
package struct ItemList: Sendable {
  private let items: [QueueItem]
  private let manifest: Manifest
  private let pinned: Set<ItemID>
  private let orphans: Set<ItemID>
  private let now: Timestamp
  /// Judges licences. Never earlier than a time that the queue has seen.
  private let licenseTime: Timestamp

  /// - Parameters:
  ///   - items: of `queue`.
  ///   - orphans: those that no playlist names.
  package init(
    _ items: [QueueItem], of queue: Queue, orphans: Set<ItemID> = [], manifest: Manifest, now: Timestamp
  ) {
    self.orphans = orphans
    self.items = items
    self.manifest = manifest
    self.now = now
    licenseTime = max(now, queue.latestTime)
    pinned = manifest.pinned(in: queue)
  }

  /// For people: state, id, bytes, path or what happened.
  package func text(style: TextStyle) -> String {
    // The list is the result: all of it is shown, and a line of it is one item.
    var style = style
    style.limit = nil
    var rows = TextRows(style, inOneUnit: true)
    for item in items {
      rows.add(
        TextRow(
          sign: item.state.name.rawValue.padded(toColumns: 11), tone: item.state.tone,
          subject: item.id.text.printable, bytes: item.state.storedFile?.size, note: note(item)))
    }
    return SizeUnits.$shown.withValue(style.units) { rows.lines.map { $0 + "\n" }.joined() }
  }

  /// One JSON object per line, and no line for an empty list: every line can be read in the same way.
  package func jsonLines() -> [UInt8] {
    items.flatMap { item in
      var writer = JSONWriter()
      write(item, to: &writer)
      writer.endLine()
      return writer.bytes
    }
  }

  private func note(_ item: QueueItem) -> String {
    let pin = isPinned(item) ? ["pinned"] : []
    let plays = item.plays.count > 0 ? ["\(item.plays.count) play\(item.plays.count == 1 ? "" : "s")"] : []
    let orphan = orphans.contains(item.id) ? ["orphan: no playlist names it"] : []
    let upgrade = item.upgradeFailure.map { ["not \($0.wanted.words): \($0.record.error.message)"] } ?? []
    let isOver = item.offlineState(at: licenseTime) == .offlinedButNotValid
    let license = isOver ? [item.license?.license == nil ? "no licence" : "its licence is over"] : []
    return ([words(item)] + license + upgrade + orphan + pin + (item.choice?.words ?? []) + plays).joined(
      separator: ", ")
  }

  private func isPinned(_ item: QueueItem) -> Bool { item.pinned || pinned.contains(item.id) }

  private func words(_ item: QueueItem) -> String {
    // The id stands before it.
    let title = item.shownTitle == item.id.text.printable ? nil : item.shownTitle
    switch item.state {
    case .completed(let file): return file.path.text.printable
    case .failed(let record): return "\(title.map { $0 + ": " } ?? "")\(record.error.message)"
    case .removed(let removal): return "\(title.map { $0 + ", " } ?? "")\(removal.cause) \(removal.at.rfc3339)"
    case .queued(let pending):
      if let until = pending.nextAttemptAt { return "\(title.map { $0 + ", " } ?? "")not before \(until.rfc3339)" }
      let received = pending.partial?.received ?? .zero
      return received > .zero ? "\(item.shownTitle), \(received.words) are here" : item.shownTitle
    default: return item.shownTitle
    }
  }

  private func write(_ item: QueueItem, to writer: inout JSONWriter) {
    let file = item.state.storedFile
    writer.object { writer in
      writer.field("id", item.id.text)
      writer.field("state", item.state.name.rawValue)
      writer.field("title", item.item.title)
      writer.key("playlists")
      writer.array { writer in for membership in item.memberships { writer.value(membership.playlist.text) } }
      writer.field("path", file?.path.text)
      writer.field("size", file?.size.bytes)
      writer.field("quality", file?.quality?.rawValue)
      writer.field("origin", file?.origin?.named)
      writer.field("bytes_received", item.partial?.received.bytes)
      writer.field("bytes_total", item.partial?.total?.bytes)
      writer.field("orphan", orphans.contains(item.id) ? true : nil)
      writer.field("pinned", isPinned(item) ? true : nil)
      writer.field("priority", item.choice?.priority?.rawValue)
      writer.field("chosen", item.chosenURL?.named)
      writer.field("play_count", item.plays.count)
      writer.field("last_played_at", item.plays.lastPlayedAt?.rfc3339)
      writer.field("play_position", item.plays.position?.offset)
      writer.field("play_position_at", item.plays.position?.at.rfc3339)
      if let file {
        let terms = ScoreTerms(plays: item.plays, completedAt: file.completedAt)
        writer.field("score", manifest.storage.evict.score.value(of: terms, at: now))
      }
      writer.field("offline_state", item.offlineState(at: licenseTime).rawValue)
      writer.license(item)
      if case .failed(let record)? = item.transfer { writer.field("error", record.error.message) }
      writer.field("wanted", item.upgradeFailure?.wanted.quality?.rawValue)
    }
  }
}

extension QueueItem {
  /// The URL of the candidate that a person chose.
  fileprivate var chosenURL: RemoteURL? {
    switch choice?.candidate {
    case .main: item.main.url
    case .alternative(let url): url
    case nil: nil
    }
  }
}

extension ItemState {
  fileprivate var tone: TextStyle.Tone {
    switch self {
    case .completed: .good
    case .failed: .bad
    case .queued, .downloading, .retrying, .paused: .notable
    case .cancelled, .removed: .faint
    }
  }
}
