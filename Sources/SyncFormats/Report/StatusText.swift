// SPDX-License-Identifier: Apache-2.0
package import SyncCore

/// The state of a library for people.
package struct StatusText: Sendable {
  private let status: LibraryStatus
  private let lastRun: KeptRun?
  private let style: TextStyle

  /// - Parameter lastRun: The last run, as far as its report is kept and can be read.
  package init(_ status: LibraryStatus, lastRun: KeptRun?, style: TextStyle) {
    self.status = status
    self.lastRun = lastRun
    self.style = style
  }

  /// Ends with a newline.
  package var text: String { style.text { lines } }

  private var lines: [String] {
    var lines = summary
    if let worker = status.worker {
      lines.append("Process \(worker.pid) has been at work in the library since \(worker.since.rfc3339).")
    }
    if let held = status.heldRoom {
      lines.append(
        "Up to \(held.bytes.words) of the room are reserved until \(held.until.rfc3339) for"
          + " \(held.items.counted("evicted file")).")
    }
    if !status.playlists.isEmpty { lines += ["", style.tinted("Playlists", .strong)] + playlists }
    if !status.sources.isEmpty { lines += ["", style.tinted("Sources", .strong)] + sources }
    if !status.failures.isEmpty { lines += ["", style.tinted("Failed", .bad)] + failures.bounded(style) }
    if !status.nextAttempts.isEmpty {
      lines +=
        ["", style.tinted("Waiting", .strong)]
        + status.nextAttempts.map { "  \($0.id.called($0.title))  not before \($0.at.rfc3339)" }.bounded(style)
    }
    return lines
  }

  // MARK: The answer to "is all well?"

  /// At most six lines.
  private var summary: [String] {
    let verdict = StatusVerdict(status, lastRun: lastRun)
    let tone: TextStyle.Tone =
      switch verdict.tone {
      case .well: .good
      case .waits: .notable
      case .unwell: .bad
      case .unknown: .faint
      }
    let facts = [
      ("Last run", lastRun.map(words)), ("Items", counts), ("Library", storage), ("Sources", sourceCounts),
      ("Licences", licenses), ("Plays", waitingPlays),
    ]
    return [style.tinted(status.name.printable + ": ", .strong) + style.tinted(verdict.words, tone)]
      + facts.compactMap { name, words in words.map { "  \(name.filled(toColumns: 8))  \($0)" } }
  }

  private func words(_ run: KeptRun) -> String {
    let age = status.at - run.finishedAt
    // With a clock that went back, the time since then is unknown.
    let ago = age < .zero ? run.finishedAt.rfc3339 : age.agoWords
    let exit = run.status == 0 ? "" : ", exit \(run.status)"
    return "\(ago)\(exit): \(run.doneWords)"
  }

  private var sourceCounts: String? {
    guard !status.sources.isEmpty else { return nil }
    let new = status.sources.count { $0.health.failure == nil && $0.health.succeededAt == nil }
    let (all, troubled) = (status.sources.count, status.troubledSources)
    return joinedCounts([
      (all - troubled - new, "read well"), (troubled, "cannot be read"), (new, "not read yet"),
    ])
  }

  /// Nil if none wait.
  private var waitingPlays: String? {
    guard !status.waitingPlays.isEmpty else { return nil }
    return status.waitingPlays.map { "\($0.plays.counted($0.noun.rawValue)) not yet pushed to \($0.server)" }
      .joined(separator: ", ")
  }

  /// Nil if no item needs a licence.
  private var licenses: String? {
    guard status.licenses.licensed > 0 else { return nil }
    let over = status.licenses.states[.offlinedButNotValid] ?? 0
    let end = status.licenses.nextEnd.map { ", the next one ends at \($0.rfc3339)" } ?? ""
    let all = status.licenses.licensed
    return "\(all.counted("item")) \(all == 1 ? "needs" : "need") one\(end)"
      + (over > 0 ? "; \(over.counted("file")) without a valid one" : "")
  }

  private var counts: String {
    let active = [ItemState.Name.queued, .downloading, .retrying].compactMap { status.counts[$0] }.reduce(0, +)
    let parts = joinedCounts([
      (status.counts[.completed] ?? 0, "completed"), (active, "waiting"),
      (status.counts[.paused] ?? 0, "paused"), (status.counts[.failed] ?? 0, "failed"),
      (status.counts[.cancelled] ?? 0, "cancelled"), (status.evicted, "evicted"),
      ((status.counts[.removed] ?? 0) - status.evicted, "removed"),
    ])
    return parts.isEmpty ? "no item is known yet; a run fills the library" : parts
  }

  private var playlists: [String] {
    var rows = TextRows(style)
    let all = status.playlists.map(\.bytes).sum() + status.orphans.bytes + status.unlisted.bytes
    let share = { (bytes: ByteCount) in
      let share = all > .zero ? Double(bytes.bytes) / Double(all.bytes) : 0
      return TextBar(share, style).words + share.percentWords.padded(before: 5) + "  "
    }
    for line in status.playlists {
      rows.add(
        TextRow(
          sign: "•", tone: .faint, subject: line.title.printable, bytes: line.bytes,
          note: share(line.bytes) + line.contents))
    }
    for (title, items, bytes, words) in [
      ("Orphans", status.orphans.items, status.orphans.bytes, "that no playlist names"),
      ("Others", status.unlisted.items, status.unlisted.bytes, "of playlists that the manifest does not name"),
    ] where items > 0 {
      rows.add(
        TextRow(
          sign: "!", tone: .notable, subject: title, bytes: bytes,
          note: "\(share(bytes))\(items.counted("item")) \(words)"))
    }
    return rows.lines
  }

  private var storage: String {
    let storage = status.storage
    var line = storage.usage.map { TextBar($0, style).words } ?? ""
    line += storage.used.words
    if let budget = storage.budget, let usage = storage.usage { line += " of \(budget.words) (\(usage.percentWords))" }
    if storage.partial > .zero { line += ", \(storage.partial.words) of it unfinished" }
    line += storage.trashWords
    return line + "; \(storage.free.words) free"
  }

  private var sources: [String] {
    var rows = TextRows(style)
    // Sources with a failure come first: only some of many are shown.
    let troubled = status.sources.filter { $0.health.failure != nil }
    for source in troubled + status.sources.filter({ $0.health.failure == nil }) {
      let failure = source.health.failure
      rows.add(
        TextRow(
          sign: failure == nil ? "•" : "!",
          tone: failure == nil ? .faint : failure?.isPermanent == true ? .bad : .notable,
          subject: source.playlist.text, bytes: nil, note: source.health.words,
          kind: failure == nil ? "sources" : "sources in trouble"))
    }
    return rows.lines
  }

  private var failures: [String] {
    status.failures.map { item in
      if let failure = item.upgradeFailure { return upgradeFailure(item, failure.wanted, failure.record) }
      guard case .failed(let record) = item.state else { return "" }
      let again =
        record.isTriedAgain
        ? "the next run tries again" : RetryWords.wayOut(of: record.error.kind, item.id, style.invocation)
      return "  \(item.titleAndID)  \(record.error.message); \(again)"
    }
  }

  private func upgradeFailure(_ item: QueueItem, _ wanted: Upgrade.Goal, _ record: FailureRecord) -> String {
    let reason = SkipReason.upgradeFailed(record.error, to: wanted)
    let words =
      record.isTemporary
      ? record.error.words(ofUpgradeTo: wanted, "the next run tries again")
      : reason.words(id: item.id, style.invocation)
    return "  \(item.titleAndID)  \(words)"
  }
}

extension LibraryStatus.PlaylistLine {
  /// The numbers of its items. "empty" only if there are none.
  fileprivate var contents: String {
    var counts = joinedCounts([(completed, "completed"), (waiting, "waiting"), (paused, "paused"), (failed, "failed")])
    if counts.isEmpty, away > 0 { counts = "\(away) removed or cancelled" }
    guard shared.items > 0 else { return counts.isEmpty ? "empty" : counts }
    let first = shared.titles.first?.printable ?? ""
    let others = shared.titles.count > 1 ? "\(first) and \(shared.titles.count - 1) more" : first
    return counts.isEmpty
      ? "\(shared.items.counted("item")), stored with \(others)" : "\(counts), \(shared.items) stored with \(others)"
  }
}
