// SPDX-License-Identifier: Apache-2.0
import SyncCore

/// Lines of a plan or report: a sign, what it is about, its bytes, and words behind it.
struct TextRow {
  var sign: String
  var tone: TextStyle.Tone
  var subject: String
  var bytes: ByteCount?
  var note: String
}

struct TextRows {
  private var rows: [TextRow] = []
  private let style: TextStyle
  private static let widestSubject = 52

  init(_ style: TextStyle) { self.style = style }

  mutating func add(_ row: TextRow) { rows.append(row) }

  /// One row a line, columns aligned.
  var lines: [String] {
    let subjectWidth = min(Self.widestSubject, rows.map(\.subject.columns).max() ?? 0)
    let bytesWidth = rows.compactMap { $0.bytes?.words.columns }.max() ?? 0
    return rows.map { row in
      var line = "  " + style.tinted(row.sign, row.tone) + " " + row.subject.padded(toColumns: subjectWidth)
      if bytesWidth > 0 { line += "  " + (row.bytes?.words ?? "").padded(before: bytesWidth) }
      if !row.note.isEmpty { line += "  " + style.tinted(row.note, .faint) }
      return line.trimmingTrailingSpaces
    }
  }
}

extension String {
  fileprivate var trimmingTrailingSpaces: String {
    var text = self[...]
    while text.last == " " { text.removeLast() }
    return String(text)
  }
}

/// `3 downloaded (1.2 MiB), 1 failed`: what counts something, in the order given.
func joinedCounts(_ parts: [(count: Int, text: String)]) -> String {
  parts.filter { $0.count > 0 }.map { "\($0.count) \($0.text)" }.joined(separator: ", ")
}
