// SPDX-License-Identifier: Apache-2.0
package import SyncCore

extension RunReport {
  package static let format = "syncjob-report"
  package static let version = 1
  /// The beginning by which every such document is recognised.
  package static let beginning = #"{"format":"\#(format)","#

  /// The report as JSON, one line.
  package func json() -> [UInt8] {
    var writer = JSONWriter(capacity: 4096 + 256 * (lines.count + skipped.count))
    writer.object { writer in
      writer.field("format", Self.format)
      writer.field("version", Self.version)
      writer.field("run_id", runID)
      writer.field("name", name)
      writer.field("started_at", startedAt.rfc3339)
      writer.field("finished_at", finishedAt.rfc3339)
      writer.field("seconds", (seconds * 1000).rounded() / 1000)
      writer.field("outcome", RunOutcome(status).rawValue)
      writer.field("exit_status", Int(status.rawValue))
      writer.key("totals")
      writer.write(totals)
      writer.key("storage")
      writer.write(storage)
      if let offline { writer.offline(offline) }
      if trashFiles > 0 {
        writer.object("trash_emptied") { writer in
          writer.field("files", trashFiles)
          writer.field("bytes", trashBytes.bytes)
        }
      }
      writer.key("sources")
      writer.array { writer in for source in sources { writer.write(source) } }
      if !history.isEmpty {
        writer.key("history")
        writer.array { writer in for summary in history { summary.write(&writer) } }
      }
      if !lists.isEmpty { writer.array("playlists") { writer in for list in lists { list.write(&writer) } } }
      writer.key("items")
      writer.array { writer in
        for line in lines { writer.write(line) }
        for item in skipped { writer.write(item) }
      }
      writeRecovery(&writer)
      writeClock(&writer)
      writer.key("warnings")
      writer.array { writer in for sentence in sentences { writer.value(sentence) } }
    }
    writer.endLine()
    return writer.bytes
  }

  /// The sentences that concern more than single items.
  private var sentences: [String] {
    warnings.map(\.words) + [storageFailure?.words, safetyStop?.words].compactMap { $0 }
  }
}

extension JSONWriter {
  mutating func write(_ totals: RunReport.Totals) {
    object { writer in
      writer.field("planned", totals.planned)
      writer.field("downloaded", totals.downloaded)
      writer.field("resumed", totals.resumed)
      writer.field("upgraded", totals.upgraded)
      writer.field("adopted", totals.adopted)
      writer.field("unchanged", totals.unchanged)
      writer.field("moved", totals.moved)
      writer.field("removed", totals.removed)
      writer.field("evicted", totals.evicted)
      writer.field("pushed", totals.pushed)
      writer.field("failed", totals.failed)
      writer.field("deferred", totals.deferred)
      writer.field("recovered", totals.recovered)
      writer.field("cleaned", totals.cleaned)
      writer.field("retries", totals.retries)
      writer.field("alternatives_used", totals.alternativesUsed)
      writer.field("bytes_downloaded", totals.bytesDownloaded.bytes)
      writer.field("bytes_resumed", totals.bytesResumed.bytes)
      writer.field("bytes_freed", totals.bytesFreed.bytes)
    }
  }

  fileprivate mutating func write(_ storage: StorageSummary?) {
    guard let storage else { return null() }
    object { writer in
      writer.field("budget", storage.budget?.bytes)
      writer.field("used", storage.used.bytes)
      writer.field("partial", storage.partial.bytes)
      writer.field("trash", storage.trash.bytes)
      writer.field("trash_files", storage.trashFiles)
      writer.field("free", storage.free.bytes)
      writer.field("usage", storage.usage.map { ($0 * 10_000).rounded() / 10_000 })
    }
  }

  fileprivate mutating func write(_ source: SourceSummary) {
    object { writer in
      writer.field("playlist", source.playlist.text)
      writer.field("location", source.location)
      switch source.outcome {
      case .changed: writer.field("outcome", "changed")
      case .unchanged: writer.field("outcome", "unchanged")
      case .problem(let problem):
        writer.field("outcome", "problem")
        writer.field("message", problem.words)
        writer.field("temporary", !source.isPermanentFailure)
      }
      writer.field("items", source.items)
      writer.times(of: source.health)
      writer.flaws(source.flaws)
    }
  }

  fileprivate mutating func write(_ line: RunReport.Line) {
    object { writer in
      writer.field("id", line.id.text)
      writer.field("title", line.title)
      writer.field("playlist", line.playlist?.text)
      writer.field("action", line.action.rawValue)
      writer.field("outcome", line.outcome.rawValue)
      if let reason = line.reason { writer.write(reason.facts, reason.words) }
      writer.field("path", line.path?.text)
      writer.field("bytes", line.bytes.bytes)
      writer.field("bytes_resumed", line.resumed > .zero ? line.resumed.bytes : nil)
      writer.field("seconds", (line.seconds * 1000).rounded() / 1000)
      writer.field("attempts", line.attempts)
      if line.retries > 0 { writer.field("retries", line.retries) }
      writer.field("candidate", line.candidate)
      writer.field("origin", line.origin?.named)
      writer.field("duration_difference", line.difference.map { $0.inSeconds.rounded() })
      writer.field("confidence", line.confidence == .low ? "low" : nil)
      writer.field("host", line.host)
      writer.write(error: line.error, isTemporary: line.isTemporary)
    }
  }

  /// Writes an item that failed in an earlier run. It is still missing, so a report without it would be wrong.
  fileprivate mutating func write(_ item: SkippedItem) {
    let (error, action): (ErrorRecord, Step.Action)
    switch item.reason {
    case .failedForGood(let record): (error, action) = (record, .keep)
    case .upgradeFailed(let record, _): (error, action) = (record, .upgrade)
    case .cancelled, .paused, .removedByUser, .missingAndSkipped, .notLicensed: return
    }
    object { writer in
      writer.field("id", item.id.text)
      writer.field("title", item.title)
      writer.field("action", action.rawValue)
      writer.field("outcome", "failed_before")
      writer.field("bytes", 0)
      writer.write(error: error, isTemporary: false)
    }
  }

  private mutating func write(error: ErrorRecord?, isTemporary: Bool) {
    guard let error else { return }
    key("error")
    object { writer in
      writer.field("kind", error.kind.rawValue)
      writer.field("status", error.status)
      writer.field("message", error.message)
      writer.field("temporary", isTemporary)
      writer.field("at", error.at.rfc3339)
    }
  }
}
