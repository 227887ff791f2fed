// SPDX-License-Identifier: Apache-2.0
package import SyncCore

extension Explanation {
  /// One JSON object on one line.
  /// - Parameter invocation: For the commands that its sentences suggest.
  package func json(_ invocation: Invocation = Invocation()) -> [UInt8] {
    var writer = JSONWriter()
    writer.object { writer in
      writer.field("format", "syncjob-explanation")
      writer.field("version", 1)
      writer.field("id", item.id.text)
      writer.field("title", item.item.title)
      writer.field("state", known?.state.name.rawValue)
      writer.key("playlists")
      writer.array { writer in for membership in item.memberships { writer.value(membership.playlist.text) } }
      writer.field("matched_by", item.matchedBy?.rawValue)
      if !item.item.recordings.isEmpty {
        writer.array("recordings") { writer in for code in item.item.recordings { writer.value(code.text) } }
      }
      writer.field("orphan", isOrphan ? true : nil)
      writeVerdict(&writer, invocation)
      writer.field("refused", safetyStop?.words(invocation))
      writer.field("path", item.state.storedFile?.path.text)
      writer.field("bytes", item.state.storedFile?.size.bytes)
      writer.field("origin", item.state.storedFile?.origin?.named)
      writer.field("priority", item.choice?.priority?.rawValue)
      writeQuality(&writer, invocation)
      writer.field("play_count", item.plays.count)
      writer.field("last_played_at", item.plays.lastPlayedAt?.rfc3339)
      writer.field("not_selected", unselected?.words)
      writeRetention(&writer)
      writeDrops(&writer)
      writer.key("protections")
      writer.array { writer in for protection in protections { writer.value(protection.words) } }
      writeScore(&writer)
      writeRoom(&writer)
      writeCandidates(&writer)
    }
    writer.endLine()
    return writer.bytes
  }

  private func writeVerdict(_ writer: inout JSONWriter, _ invocation: Invocation) {
    switch verdict {
    case .step(let action, let reason):
      writer.field("action", action.rawValue)
      writer.write(reason.facts, reason.words)
    case .passedOver(let reason):
      writer.field("action", "pass_over")
      writer.write(reason.facts, reason.words)
    case .left(let reason):
      writer.field("action", "leave")
      writer.write(reason.facts, reason.words(id: item.id, invocation))
    case .nothing: writer.field("action", "none")
    }
  }

  private func writeQuality(_ writer: inout JSONWriter, _ invocation: Invocation) {
    guard let quality else { return }
    writer.object("quality") { writer in
      writer.field("here", quality.here?.rawValue)
      writer.field("wanted", quality.wanted.rawValue)
      writer.field("text", quality.words(id: item.id, invocation))
    }
  }

  private func writeRetention(_ writer: inout JSONWriter) {
    guard let retained else { return }
    writer.object("retain") { writer in
      switch retained {
      case .kept(let playlist, let rule):
        writer.field("kept_by", rule.words)
        writer.field("playlist", playlist.text)
      case .dropped(let playlist, let rule):
        writer.field("dropped_by", rule.words)
        writer.field("playlist", playlist.text)
      }
    }
  }

  private func writeDrops(_ writer: inout JSONWriter) {
    guard !drops.isEmpty else { return }
    writer.array("drops_ahead") { writer in
      for drop in drops {
        writer.object { writer in
          writer.field("playlist", drop.playlist.text)
          writer.field("rule", drop.rule.words)
          writer.field("at", drop.at)
        }
      }
    }
  }

  private func writeScore(_ writer: inout JSONWriter) {
    guard let score else { return }
    writer.object("score") { writer in
      writer.field("score", score.score.rawValue)
      writer.field("value", score.value)
      writer.field("days", score.days)
      writer.field("recency", score.recency)
      writer.field("plays", score.plays)
      writer.field("rank", rank?.place)
      writer.field("of", rank?.count)
      writer.field("bytes_before", rank?.before.bytes)
    }
  }

  private func writeRoom(_ writer: inout JSONWriter) {
    writer.object("storage") { writer in
      writer.field("budget", storage.budget?.bytes)
      writer.field("after", storage.after.bytes)
      writer.field("trigger", marks?.trigger.bytes)
      writer.field("target", marks?.target.bytes)
      writer.field("free", storage.free.bytes)
      if let share {
        writer.object("share") { writer in
          writer.field("playlist", share.playlist.text)
          writer.field("used", share.used.bytes)
          writer.field("trigger", share.ceiling.bytes)
        }
      }
    }
  }

  private func writeCandidates(_ writer: inout JSONWriter) {
    writer.key("candidates")
    writer.array { writer in
      for ranked in candidates {
        writer.object { writer in
          writer.field("number", number(of: ranked.candidate))
          writer.write(ranked.candidate.url)
          writer.field("chosen", isChosen ? true : nil)
          writer.field("difference", ranked.difference?.inSeconds)
          writer.field("confidence", ranked.confidence.rawValue)
          writer.field("source", isSource(ranked.candidate) ? true : nil)
        }
      }
      for refused in refused {
        writer.object { writer in
          writer.field("number", number(of: refused.candidate))
          writer.write(refused.candidate.url)
          writer.field("refused", refused.why.words)
          writer.field("source", isSource(refused.candidate) ? true : nil)
        }
      }
      if isSourceGone, let source {
        writer.object { writer in
          writer.field("url", source.named)
          writer.field("refused", sourceQuality?.words ?? words(ofOrigin: source))
          writer.field("source", true)
        }
      }
    }
    guard case .failed(let record)? = known?.transfer else { return }
    writer.object("error") { writer in
      writer.field("kind", record.error.kind.rawValue)
      writer.field("status", record.error.status)
      writer.field("message", record.error.message)
      writer.field("at", record.error.at.rfc3339)
      writer.field("temporary", record.isTemporary)
    }
  }
}

extension JSONWriter {
  /// The place of a candidate, or the words of a search.
  fileprivate mutating func write(_ candidate: RemoteURL) {
    if let words = candidate.searched { field("search", words) } else { field("url", candidate.redacted) }
  }
}
