// SPDX-License-Identifier: Apache-2.0
package import SyncCore

extension LibraryStatus {
  /// One JSON object on one line.
  /// - Parameter lastRun: The last run, as far as its report is kept and can be read.
  package func json(lastRun: KeptRun?) -> [UInt8] {
    var writer = JSONWriter()
    writer.object { writer in
      writer.field("format", "syncjob-status")
      writer.field("version", 1)
      writer.field("name", name)
      writer.field("saved_at", savedAt.rfc3339)
      writer.field("well", StatusVerdict(self, lastRun: lastRun).tone == .well)
      if let lastRun {
        writer.object("last_run") { writer in
          writer.field("run_id", lastRun.runID)
          writer.field("started_at", lastRun.startedAt.rfc3339)
          writer.field("finished_at", lastRun.finishedAt.rfc3339)
          writer.field("outcome", lastRun.outcome.rawValue)
          writer.field("exit_status", lastRun.status)
        }
      }
      if let worker {
        writer.object("under_way") { writer in
          writer.field("pid", worker.pid)
          writer.field("since", worker.since.rfc3339)
        }
      }
      counts(&writer)
      writer.key("playlists")
      writer.array { writer in for line in playlists { writer.write(line) } }
      writer.object("orphans") { writer in
        writer.field("items", orphans.items)
        writer.field("bytes", orphans.bytes.bytes)
      }
      if unlisted.items > 0 {
        writer.object("unlisted") { writer in
          writer.field("items", unlisted.items)
          writer.field("bytes", unlisted.bytes.bytes)
        }
      }
      writer.key("sources")
      writer.array { writer in for source in sources { writer.write(source) } }
      storage(&writer)
      plays(&writer)
      writer.key("failures")
      writer.array { writer in for item in failures { writer.write(failure: item) } }
      writer.key("next_attempts")
      writer.array { writer in
        for next in nextAttempts {
          writer.object { writer in
            writer.field("id", next.id.text)
            writer.field("at", next.at.rfc3339)
          }
        }
      }
    }
    writer.endLine()
    return writer.bytes
  }

  private func plays(_ writer: inout JSONWriter) {
    guard !waitingPlays.isEmpty else { return }
    writer.key("waiting_plays")
    writer.array { writer in
      for waiting in waitingPlays {
        writer.object { writer in
          writer.field("server", waiting.server.text)
          writer.field("plays", waiting.plays)
        }
      }
    }
  }

  private func counts(_ writer: inout JSONWriter) {
    writer.object("counts") { writer in
      for state in ItemState.Name.allCases { writer.field(state.rawValue, counts[state] ?? 0) }
      writer.field("evicted", evicted)
    }
    writer.offline(licenses)
  }

  private func storage(_ writer: inout JSONWriter) {
    writer.object("storage") { writer in
      writer.field("budget", storage.budget?.bytes)
      writer.field("used", storage.used.bytes)
      writer.field("partial", storage.partial.bytes)
      writer.field("trash", storage.trash.bytes)
      writer.field("free", storage.free.bytes)
      guard let heldRoom else { return }
      writer.object("held_back") { writer in
        writer.field("items", heldRoom.items)
        writer.field("bytes", heldRoom.bytes.bytes)
        writer.field("until", heldRoom.until.rfc3339)
      }
    }
  }
}

extension JSONWriter {
  /// The items by offline state.
  mutating func offline(_ licenses: LibraryStatus.Licenses) {
    object("offline") { writer in
      for state in OfflineState.allCases { writer.field(state.rawValue, licenses.states[state] ?? 0) }
      writer.field("next_expiry", licenses.nextEnd?.rfc3339)
    }
  }

  fileprivate mutating func write(_ line: LibraryStatus.PlaylistLine) {
    object { writer in
      writer.field("name", line.name.text)
      writer.field("title", line.title)
      writer.field("completed", line.completed)
      writer.field("waiting", line.waiting)
      writer.field("paused", line.paused)
      writer.field("failed", line.failed)
      writer.field("bytes", line.bytes.bytes)
      if line.shared.items > 0 { writer.field("shared", line.shared.items) }
    }
  }

  fileprivate mutating func write(_ source: LibraryStatus.SourceLine) {
    object { writer in
      writer.field("playlist", source.playlist.text)
      writer.field("location", source.location)
      writer.times(of: source.health)
      writer.field("temporary", source.health.failure.map { !$0.isPermanent })
      writer.field("message", source.health.failure?.message)
    }
  }

  fileprivate mutating func write(failure item: QueueItem) {
    let upgrade = item.upgradeFailure
    guard case .failed(let record) = item.transfer else { return }
    object { writer in
      writer.field("id", item.id.text)
      writer.field("action", (upgrade == nil ? Step.Action.download : .upgrade).rawValue)
      writer.field("wanted", upgrade?.wanted.quality?.rawValue)
      writer.object("error") { writer in
        writer.field("kind", record.error.kind.rawValue)
        writer.field("status", record.error.status)
        writer.field("message", record.error.message)
        writer.field("temporary", upgrade == nil ? record.isTriedAgain : record.isTemporary)
        writer.field("at", record.error.at.rfc3339)
      }
    }
  }
}
