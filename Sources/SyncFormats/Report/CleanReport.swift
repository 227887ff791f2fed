// SPDX-License-Identifier: Apache-2.0
package import SyncCore

extension CleanResult {
  /// One JSON object on one line.
  package func json() -> [UInt8] {
    var writer = JSONWriter()
    writer.object { writer in
      writer.field("format", "syncjob-clean")
      writer.field("version", 1)
      writer.field("dry_run", isDryRun)
      writer.array("removed") { writer in
        for piece in pieces {
          writer.object { writer in
            writer.field("kind", piece.kind.rawValue)
            writer.field("path", piece.path)
            writer.field("bytes", piece.size.bytes)
          }
        }
      }
      writer.field("files", pieces.count)
      writer.field("bytes_freed", freed.bytes)
      writer.array("warnings") { writer in if let clockDoubt { writer.value(clockDoubt.words) } }
    }
    writer.endLine()
    return writer.bytes
  }

  /// For people; ends with a newline.
  package func text(style: TextStyle) -> String { style.text { textLines(style) } }

  private func textLines(_ style: TextStyle) -> [String] {
    var rows = TextRows(style)
    for piece in pieces {
      rows.add(
        TextRow(sign: "-", tone: .bad, subject: piece.path.printable, bytes: piece.size, note: piece.kind.words))
    }
    var lines = rows.lines
    if let clockDoubt { lines.append(style.tinted("warning: ", .notable) + clockDoubt.words + ".") }
    let freed = "\(pieces.count.counted("file")), \(freed.words)"
    let done = isDryRun ? "would remove \(freed)" : "removed \(freed)"
    lines.append(pieces.isEmpty ? "nothing to clean" : done)
    return lines
  }
}

extension CleanResult.Kind {
  fileprivate var words: String {
    switch self {
    case .trash: "in the trash for longer than storage.trash.keep"
    case .oldPartial: "begun longer ago than downloads.partials.keep"
    case .orphanPartial: "a partial that no item goes on with"
    case .temporary: "half written by a run that was killed"
    case .aside: "a damaged file that was kept for 30 days"
    case .cache: "the copy of a feed that the manifest does not name"
    }
  }
}
