// SPDX-License-Identifier: Apache-2.0
package import SyncCore

/// The keys of a library, one a line, without the keys themselves.
package struct KeyList: Sendable {
  private struct Line {
    var id: KeyID
    var isPrimary = false
    /// Nil for a key that is not in the keyset.
    var status: Keyset.Entry.Status?
    var isUsable = false
    var files: Int
  }

  private let lines: [Line]

  /// - Parameter files: the number of files that each key has sealed.
  package init(_ keys: Keyset, files: [KeyID: Int]) {
    let known = keys.entries.map { entry in
      Line(
        id: entry.id, isPrimary: entry.id == keys.primary.id, status: entry.status,
        isUsable: entry.status == .enabled && entry.key != nil, files: files[entry.id] ?? 0)
    }
    let missing = files.keys.filter { id in !keys.entries.contains { $0.id == id } }.sorted()
    lines = known + missing.map { Line(id: $0, files: files[$0] ?? 0) }
  }

  package func text(style: TextStyle) -> String {
    let width = lines.map { "\($0.id.number)".count }.max() ?? 0
    return lines.map { line in
      "  \("\(line.id.number)".padded(before: width))  \(words(line).padded(toColumns: 11))"
        + "  \(line.files.counted("file"))\n"
    }.joined()
  }

  private func words(_ line: Line) -> String {
    if line.isPrimary { return "primary" }
    guard let status = line.status else { return "missing" }
    return status == .enabled ? line.isUsable ? "enabled" : "other kind" : status.rawValue.lowercased()
  }

  /// One JSON object per line.
  package func jsonLines() -> [UInt8] {
    lines.flatMap { line in
      var writer = JSONWriter()
      writer.object { writer in
        writer.field("key", line.id.number)
        writer.field("primary", line.isPrimary ? true : nil)
        writer.field("status", line.status?.rawValue.lowercased() ?? "missing")
        writer.field("usable", line.isUsable)
        writer.field("files", line.files)
      }
      writer.endLine()
      return writer.bytes
    }
  }
}
