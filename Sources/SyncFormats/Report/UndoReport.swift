// SPDX-License-Identifier: Apache-2.0
package import SyncCore

extension Undoing {
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
            writer.field("reason", kept.obstacle.rawValue)
          }
        }
      }
    }
    writer.endLine()
    return writer.bytes
  }

  /// For people; ends with a newline.
  package func text(style: TextStyle) -> String {
    guard let removedAt else { return "nothing to undo: the trash is empty\n" }
    var rows = TextRows(style)
    for restored in restored {
      rows.add(
        TextRow(
          sign: "=", tone: .good, subject: restored.file.path.text.printable, bytes: restored.file.size,
          note: "brought back" + (restored.isUnnamed ? Self.hint(restored.id, style.invocation) : "")))
    }
    for kept in kept {
      rows.add(
        TextRow(
          sign: "!", tone: .bad, subject: kept.path.text.printable, bytes: kept.size,
          note: "stays in the trash: \(kept.obstacle.words)"))
    }
    let parts = joinedCounts([(restored.count, "brought back"), (kept.count, "left in the trash")])
    return (rows.lines + ["of what was removed at \(removedAt.rfc3339): \(parts)"]).joined(separator: "\n") + "\n"
  }

  private static func hint(_ id: ItemID, _ invocation: Invocation) -> String {
    "; no playlist named it, so name it again or pin it with: \(invocation.item("pin", id))"
  }
}

extension Undoing.Restored {
  /// The next run would remove it for the same reason.
  fileprivate var isUnnamed: Bool { cause == .orphan || cause == .retention }
}

extension Undoing.Obstacle {
  fileprivate var words: String {
    switch self {
    case .taken: "another file is in its place"
    case .unknown: "no removed item has this path and these contents"
    }
  }
}
