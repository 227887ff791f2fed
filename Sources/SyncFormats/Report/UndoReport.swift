// SPDX-License-Identifier: Apache-2.0
package import SyncCore

extension UndoResult {
  /// One JSON object on one line.
  package func json() -> [UInt8] {
    var writer = JSONWriter()
    writer.object { writer in
      writer.field("format", "syncjob-undo")
      writer.field("version", 1)
      writer.field("removed_at", removedAt?.rfc3339)
      writer.array("restored") { writer in
        for restored in restored {
          writer.object { writer in
            writer.field("id", restored.id.text)
            writer.field("path", restored.file.path.text)
            writer.field("bytes", restored.file.size.bytes)
            writer.field("cause", restored.cause.rawValue)
          }
        }
      }
      writer.array("kept") { writer in
        for kept in kept {
          writer.object { writer in
            writer.field("path", kept.path.text)
            writer.field("bytes", kept.size.bytes)
            writer.field("reason", kept.obstacle.name)
            writer.field("id", kept.obstacle.item?.text)
            writer.field("removed_at", kept.removedAt.rfc3339)
            writer.field("trash_path", kept.trashPath)
          }
        }
      }
    }
    writer.endLine()
    return writer.bytes
  }

  /// The text for people; ends with a newline.
  /// - Parameter isRehearsal: true if nothing was restored, and only would be.
  package func text(style: TextStyle, isRehearsal: Bool = false) -> String {
    style.text { textLines(style, isRehearsal: isRehearsal) }
  }

  private func textLines(_ style: TextStyle, isRehearsal: Bool) -> [String] {
    let evicted = "what was evicted is deleted, and does not come back this way"
    guard let removedAt else {
      return ["nothing to undo: the trash is empty\(hasEvicted ? "; \(evicted)" : "")"]
    }
    var rows = TextRows(style)
    for restored in restored {
      rows.add(
        TextRow(
          sign: "=", tone: .good, subject: restored.file.path.text.printable, bytes: restored.file.size,
          note: (isRehearsal ? "would come back" : "brought back") + restored.hint(style.invocation),
          kind: "brought back"))
    }
    for kept in kept {
      rows.add(
        TextRow(
          sign: "!", tone: .bad, subject: kept.path.text.printable, bytes: kept.size,
          note: kept.words))
    }
    let missing = kept.count { $0.obstacle.isAbsence }
    let later = kept.count { $0.isLater && !$0.obstacle.isAbsence }
    let parts = joinedCounts([
      (
        restored.count,
        "\(isRehearsal ? "would come back" : "brought back") (\(restored.map(\.file.size).sum().words))"
      ),
      (kept.count - missing - later, "left in the trash"), (missing, "missing"),
      (later, "of later removals left in the trash"),
    ])
    var lines = rows.lines + ["of what was removed at \(removedAt.rfc3339): \(parts)"]
    if hasEvicted { lines.append(evicted) }
    if unrecorded != nil {
      lines.append("what was brought back could not be recorded; the next run takes it up, and so does undo")
    }
    return lines
  }
}

extension UndoResult.Kept {
  /// A file that no item knows can only be fetched by hand.
  fileprivate var words: String {
    if obstacle.isAbsence { return obstacle.words }
    guard obstacle == .unknown, let trashPath else { return "stays in the trash: \(obstacle.words)" }
    return "stays in the trash: \(obstacle.words); move it back yourself from \(trashPath.quoted)"
  }
}

extension UndoResult.Restored {
  /// The way to keep the next run from removing the file for the same reason; empty where it would not.
  fileprivate func hint(_ invocation: Invocation) -> String {
    let pin = "pin it with: \(invocation.item("pin", id))"
    if isPinned { return "" }
    switch cause {
    case .orphan: return "; no playlist named it, so name it again or \(pin)"
    case .retention:
      let rules = playlist.map { "playlists.\($0).retain" } ?? "retain"
      return "; \(rules) removed it, and will again unless its rule is changed; or \(pin)"
    case .evicted, .user, .lost, .expired: return ""
    }
  }
}
