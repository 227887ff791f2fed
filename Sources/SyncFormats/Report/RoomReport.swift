// SPDX-License-Identifier: Apache-2.0
package import SyncCore

extension EvictResult {
  /// One JSON object on one line.
  package func json() -> [UInt8] {
    var writer = JSONWriter()
    writer.object { writer in
      writer.field("format", "syncjob-evict")
      writer.field("version", 1)
      writer.field("dry_run", isDryRun)
      writer.field("bytes_needed", eviction.needed.bytes)
      writer.field("bytes_freed", freed.bytes)
      writer.field("bytes_lacking", lacking.bytes)
      writer.array("evicted") { writer in
        for line in lines {
          writer.object { writer in
            writer.field("id", line.id.text)
            writer.field("path", line.path?.text)
            writer.field("bytes", line.bytes.bytes)
            writer.write(line.reason.facts, line.reason.words)
            writer.field("score", line.score)
          }
        }
      }
      writer.field("trash", trash.bytes)
      writer.object("protected") { writer in
        for kind in EvictionProtection.Kind.allCases {
          guard let files = eviction.protected[kind] else { continue }
          writer.object(kind.rawValue) { writer in
            writer.field("items", files.items)
            writer.field("bytes", files.bytes.bytes)
          }
        }
      }
    }
    writer.endLine()
    return writer.bytes
  }

  /// The text for people; ends with a newline.
  package func text(_ policy: StoragePolicy, style: TextStyle) -> String { style.text { textLines(policy, style) } }

  private func textLines(_ policy: StoragePolicy, _ style: TextStyle) -> [String] {
    var rows = TextRows(style)
    if trash > .zero {
      rows.add(TextRow(sign: "-", tone: .bad, subject: "the trash", bytes: trash, note: "goes first"))
    }
    for line in lines {
      rows.add(
        TextRow(
          sign: "-", tone: .bad, subject: (line.path?.text ?? line.id.text).printable, bytes: line.bytes,
          note: line.reason.words))
    }
    return rows.lines + summary(policy.evict)
  }
}
