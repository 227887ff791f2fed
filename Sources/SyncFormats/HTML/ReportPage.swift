// SPDX-License-Identifier: Apache-2.0
package import SyncCore

/// The page about a library and its runs: one document that is read without a script, and requests nothing.
package struct ReportPage: Sendable {
  let runs: [KeptRun]
  let status: LibraryStatus
  let health: RunHealth
  private let invocation: Invocation
  private let units: SizeUnits
  private let madeAt: Timestamp

  /// The beginning by which every such page is recognised.
  package static let beginning = """
    <!DOCTYPE html>
    <html lang="en"><head><meta charset="utf-8"><meta name="generator" content="syncjob">
    """

  /// The number of rows in the table of everything that happened: more would make the page slow.
  package static let mostRows = 10_000

  /// - Parameters:
  ///   - runs: In their order.
  ///   - invocation: The call for the commands that the page suggests.
  ///   - madeAt: The time that the page states.
  package init(
    _ status: LibraryStatus, runs: [KeptRun], invocation: Invocation, units: SizeUnits, madeAt: Timestamp
  ) {
    (self.status, self.runs, self.invocation, self.units, self.madeAt) = (status, runs, invocation, units, madeAt)
    health = RunHealth(runs)
  }

  /// The whole document.
  package var html: String {
    SizeUnits.$shown.withValue(units) {
      var page = HTMLWriter()
      page.verbatim("<!DOCTYPE html>\n")
      page.element("html", ["lang": "en"]) { page in
        page.element("head") { head(&$0) }
        page.element("body") { body(&$0) }
      }
      page.verbatim("\n")
      return page.text
    }
  }

  private func head(_ page: inout HTMLWriter) {
    page.open("meta", ["charset": "utf-8"])
    page.open("meta", ["name": "generator", "content": "syncjob"])
    page.open("meta", ["http-equiv": "Content-Security-Policy", "content": PageAssets.policy])
    page.open("meta", ["name": "viewport", "content": "width=device-width, initial-scale=1"])
    page.open("meta", ["name": "color-scheme", "content": "light dark"])
    // No icon is asked for.
    page.open("link", ["rel": "icon", "href": "data:,"])
    page.element("title", "\(status.name): \(verdict.words)")
    page.element("style") { $0.verbatim(PageAssets.style) }
  }

  private func body(_ page: inout HTMLWriter) {
    let sections = sections
    page.element("header") { page in
      page.element("h1", ["dir": "auto"], status.name)
      let when = runs.last.map { " Last run: \($0.startedAt.rfc3339)." } ?? ""
      page.element("p", ["class": verdict.tone], verdict.words + "." + when)
      page.element("nav", ["aria-label": "Sections"]) { page in
        page.element("ul") { page in
          for section in sections {
            page.element("li") { $0.element("a", ["href": "#\(section.id)"], section.title) }
          }
        }
      }
    }
    page.element("main") { page in
      for section in sections {
        page.element("section", ["id": section.id, "aria-labelledby": "\(section.id)-title"]) { page in
          page.element("h2", ["id": "\(section.id)-title"], section.title)
          section.write(&page)
        }
      }
    }
    page.element("footer") { page in
      page.element("p", "Made by syncjob at \(madeAt.rfc3339). All times are in UTC. This page requests nothing.")
    }
    page.element("script") { $0.verbatim(PageAssets.script) }
  }

  /// The state of the library in one sentence.
  private var verdict: (words: String, tone: String) {
    let verdict = StatusVerdict(status, lastRun: runs.last)
    let tone =
      switch verdict.tone {
      case .well: "good"
      case .waits: "warn"
      case .unwell: "bad"
      case .unknown: "soft"
      }
    return (verdict.words.prefix(1).uppercased() + verdict.words.dropFirst(), tone)
  }

  private struct Section {
    var id: String
    var title: String
    var write: (inout HTMLWriter) -> Void
  }

  private var sections: [Section] {
    var sections = [Section(id: "library", title: "Library", write: library)]
    if !status.failures.isEmpty { sections.append(Section(id: "failures", title: "Failures", write: failures)) }
    if !status.playlists.isEmpty { sections.append(Section(id: "playlists", title: "Playlists", write: playlists)) }
    if !status.sources.isEmpty { sections.append(Section(id: "sources", title: "Sources", write: sources)) }
    guard !runs.isEmpty else { return sections }
    sections.append(Section(id: "transfers", title: "Transfers", write: transfers))
    if runs.contains(where: { !$0.lists.isEmpty }) {
      sections.append(Section(id: "syncs", title: "Changes of playlists", write: syncs))
    }
    sections.append(Section(id: "runs", title: "Runs", write: pastRuns))
    if runs.contains(where: { !$0.warnings.isEmpty }) {
      sections.append(Section(id: "warnings", title: "Warnings", write: warnings))
    }
    sections.append(Section(id: "all", title: "Everything that happened", write: everything))
    return sections
  }

  // MARK: The library now

  private func library(_ page: inout HTMLWriter) {
    let waiting = [ItemState.Name.queued, .downloading, .retrying].compactMap { status.counts[$0] }.reduce(0, +)
    let storage = status.storage
    var facts = [
      ("Completed", String(status.counts[.completed] ?? 0)), ("Waiting", String(waiting)),
      ("Failed", String(status.counts[.failed] ?? 0)),
      ("In use", storage.used.words + (storage.budget.map { " of \($0.words)" } ?? "")),
    ]
    if let paused = status.counts[.paused], paused > 0 { facts.insert(("Paused", String(paused)), at: 2) }
    if storage.partial > .zero { facts.append(("Of it unfinished", storage.partial.words)) }
    if storage.trash > .zero { facts.append(("Of it in the trash", storage.trash.words)) }
    facts.append(("Free on the file system", storage.free.words))
    page.element("dl", ["class": "facts"]) { page in
      for (name, value) in facts {
        page.element("div") { page in
          page.element("dt", name)
          page.element("dd", value)
        }
      }
    }
    StorageChart(runs.compactMap { run in run.storage.map { (run.startedAt, $0) } })?.write(&page)
  }

  private func failures(_ page: inout HTMLWriter) {
    page.table(
      "Items that could not be fetched, and what to do", ["Item", "Since", "Problem", "What to do"],
      status.failures.map { item in
        let (error, action) = failure(of: item)
        return [
          .text(item.id.called(item.item.title)), .time(error.at), .long(error.message), .long(action),
        ]
      })
  }

  private func failure(of item: QueueItem) -> (ErrorRecord, action: String) {
    let again = "nothing: the next run tries again"
    if let failure = item.upgradeFailure {
      let action =
        failure.record.isTemporary ? again : RetryWords.wayOut(of: failure.record.error.kind, item.id, invocation)
      return (failure.record.error, action)
    }
    guard case .failed(let record) = item.transfer else {
      preconditionFailure("the status lists an item that has not failed")
    }
    return (record.error, record.isTriedAgain ? again : RetryWords.wayOut(of: record.error.kind, item.id, invocation))
  }

  private func playlists(_ page: inout HTMLWriter) {
    let all = (status.playlists.map(\.bytes) + [status.orphans.bytes, status.unlisted.bytes]).sum()
    var rows = status.playlists.map { line in
      row(line.title, [line.completed, line.waiting + line.paused, line.failed], line.bytes, of: all)
    }
    for (title, items, bytes) in [
      ("Orphans, which no playlist names", status.orphans.items, status.orphans.bytes),
      ("Items of playlists that the manifest does not name", status.unlisted.items, status.unlisted.bytes),
    ] where items > 0 {
      rows.append(row(title, [items, 0, 0], bytes, of: all))
    }
    page.table(
      "The room that each playlist takes", ["Playlist", "Completed", "Waiting", "Failed", "Size", "Share"], rows)
  }

  private func row(_ title: String, _ counts: [Int], _ bytes: ByteCount, of all: ByteCount) -> [HTMLCell] {
    let share = all > .zero ? Double(bytes.bytes) / Double(all.bytes) : 0
    return [.text(title)] + counts.map { .number(String($0)) } + [
      .number(bytes.words), .bar(share, share.percentWords),
    ]
  }

  private func sources(_ page: inout HTMLWriter) {
    // Those in trouble come first.
    let troubled = status.sources.filter { $0.health.failure != nil }
    let all = troubled + status.sources.filter { $0.health.failure == nil }
    page.table(
      "The places that playlists are read from", ["Playlist", "State", "Last read", "Last change", "Location"],
      all.map { source in
        let failure = source.health.failure
        let state =
          failure.map { "failing since \($0.since.rfc3339): \($0.message)" }
          ?? (source.health.succeededAt == nil ? "not read yet" : "well")
        return [
          .text(source.playlist.text), failure == nil ? .text(state) : .bad(state),
          source.health.succeededAt.map { .time($0) } ?? .text(""),
          source.health.changedAt.map { .time($0) } ?? .text(""), .long(source.location),
        ]
      })
  }
}
