// SPDX-License-Identifier: Apache-2.0
import SyncCore

/// A line of a plan or report: a sign, a subject, its bytes, and words after it. The subject is cut only where it has
/// to fit a terminal with the rest of the line: in other output people search for it and copy it.
struct TextRow {
  var sign: String
  var tone: TextStyle.Tone
  var subject: String
  var bytes: ByteCount?
  var note: String
  /// True if the note is about the subject and follows it directly, in no column.
  var isSentence = false
  /// The word for counting rows of one kind when there are too many of them: `evicted`.
  var kind = ""
}

/// Rows of several kinds, at most as many of each kind as the style allows, and then a count of the others.
struct TextRows {
  private var rows: [TextRow] = []
  private var added: [(kind: String, count: Int)] = []
  private let style: TextStyle
  private let isInOneUnit: Bool

  /// - Parameter isInOneUnit: True if all sizes are compared with each other, and have the unit of the largest.
  init(_ style: TextStyle, inOneUnit isInOneUnit: Bool = false) {
    (self.style, self.isInOneUnit) = (style, isInOneUnit)
  }

  mutating func add(_ row: TextRow) {
    let index = added.firstIndex { $0.kind == row.kind } ?? added.endIndex
    if index == added.endIndex { added.append((row.kind, 0)) }
    added[index].count += 1
    if added[index].count <= style.limit ?? .max { rows.append(row) }
  }

  /// One row a line, with aligned columns and complete names.
  var lines: [String] {
    let largest = isInOneUnit ? rows.compactMap(\.bytes).max() : nil
    let columns = TextColumns(rows, style, width: nil, largest: largest)
    return rows.map { columns.line($0) } + added.compactMap { Overflow($0.count, $0.kind, style).line }
  }
}

/// The line that replaces rows that are too many.
struct Overflow {
  private let hidden: Int
  private let kind: String
  private let style: TextStyle

  init(_ count: Int, _ kind: String, _ style: TextStyle) {
    hidden = count - (style.limit ?? count)
    self.kind = kind
    self.style = style
  }

  /// `… and 243 more deferred: -v lists them`; nil when nothing is hidden.
  var line: String? {
    guard hidden > 0 else { return nil }
    let what = kind.isEmpty ? "" : " \(kind)"
    return style.tinted("  … and \(hidden) more\(what): -v lists \(hidden == 1 ? "it" : "them")", .faint)
  }
}

/// Rows under headings, with the same columns in all groups, and no wider than the terminal as far as names can be cut.
struct TextGroups {
  private var groups: [(heading: String, rows: [TextRow])] = []
  private let style: TextStyle

  init(_ style: TextStyle) { self.style = style }

  /// Adds a group, unless it has no rows.
  mutating func add(_ heading: String, _ rows: [TextRow]) {
    if !rows.isEmpty { groups.append((heading, rows)) }
  }

  /// The lines, with a blank one after each group.
  var lines: [String] {
    let shown = groups.map { $0.rows.prefix(style.limit ?? .max) }
    let columns = TextColumns(shown.flatMap { $0 }.filter { !$0.isSentence }, style, width: style.columns)
    return zip(groups, shown).flatMap { group, shown in
      [style.tinted(group.heading, .strong)] + shown.map { columns.line($0) }
        + [Overflow(group.rows.count, "", style).line, ""].compactMap(\.self)
    }
  }
}

/// The widths of the columns of some rows.
private struct TextColumns {
  private let subject: Int
  /// Zero where the terminal is too narrow for the column: it is left out, not cut.
  private let bytes: Int
  private let style: TextStyle
  private let mayCut: Bool
  /// The size whose unit all sizes have. Nil if each has its own.
  private let largest: ByteCount?
  /// The limit where the width of lines is unknown: a wider subject moves only the rest of its own line.
  private static let widestSubject = 52
  /// The columns reserved for notes. A note that is longer than that, and than a third of the terminal, continues on
  /// the next line.
  private static let reservedForNotes = 31
  private static let narrowestSubject = 20
  private static let narrowestWithBytes = 38

  /// - Parameter width: the width of the terminal; nil if names need not fit one.
  init(_ rows: [TextRow], _ style: TextStyle, width: Int?, largest: ByteCount? = nil) {
    self.style = style
    self.largest = largest
    mayCut = width != nil
    let widestBytes = rows.compactMap { row in row.bytes.map { ($0.words(largest)).columns } }.max() ?? 0
    bytes = width.map { $0 < Self.narrowestWithBytes } ?? false ? 0 : widestBytes
    let widest = rows.map(\.subject.columns).max() ?? 0
    let notes = rows.map(\.note.columns).max() ?? 0
    let signs = rows.map(\.sign.columns).max() ?? 0
    let reserved = max(Self.reservedForNotes, (width ?? 0) / 3)
    let beside = 3 + signs + (bytes > 0 ? bytes + 2 : 0) + (notes > 0 ? min(notes, reserved) + 2 : 0)
    let widestHere = style.columns.map { columns in
      min(Self.widestSubject, max(Self.narrowestSubject, columns - Self.reservedForNotes))
    }
    let room = width.map { max(Self.narrowestSubject, $0 - 1 - beside) } ?? widestHere ?? Self.widestSubject
    subject = min(room, widest)
  }

  func line(_ row: TextRow) -> String {
    if row.isSentence { return "  \(style.tinted(row.sign, row.tone)) \(row.subject): \(row.note)" }
    let name = mayCut ? row.subject.padded(toColumns: subject) : row.subject.filled(toColumns: subject)
    var line = "  " + style.tinted(row.sign, row.tone) + " " + name
    if bytes > 0 { line += "  " + (row.bytes?.words(largest) ?? "").padded(before: bytes) }
    if !row.note.isEmpty { line += "  " + style.tinted(row.note, .faint) }
    return line.trimmingTrailingSpaces
  }
}

extension ByteCount {
  fileprivate func words(_ largest: ByteCount?) -> String { largest.map { words(beside: $0) } ?? words }
}

extension String {
  fileprivate var trimmingTrailingSpaces: String {
    var text = self[...]
    while text.last == " " { text.removeLast() }
    return String(text)
  }
}

/// The nonzero counts in the order given: `3 downloaded (1.2 MiB), 1 failed`.
func joinedCounts(_ parts: [(count: Int, text: String)]) -> String {
  parts.filter { $0.count > 0 }.map { "\($0.count) \($0.text)" }.joined(separator: ", ")
}

extension [String] {
  /// At most as many of these lines as the style allows, and then a count of the others.
  func bounded(_ style: TextStyle, kind: String = "") -> [String] {
    Array(prefix(style.limit ?? .max)) + [Overflow(count, kind, style).line].compactMap(\.self)
  }
}
