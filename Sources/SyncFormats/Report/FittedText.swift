// SPDX-License-Identifier: Apache-2.0

extension String {
  /// The same lines, none wider than a terminal as far as words allow. A line that is too wide continues below,
  /// indented by four columns more than its beginning. Words are never broken, and escape sequences for colour take no
  /// columns.
  package func fitted(toColumns width: Int) -> String {
    split(separator: "\n", omittingEmptySubsequences: false).map { Self.fitted($0, width) }.joined(separator: "\n")
  }

  private static func fitted(_ line: Substring, _ width: Int) -> String {
    guard line.shownColumns > width else { return String(line) }
    let indent = line.prefix { $0 == " " }
    let hanging = String(repeating: " ", count: Swift.min(indent.count + 4, width / 2))
    var (lines, current, used) = ([String](), String(indent), indent.count)
    var isAtStart = true
    for piece in pieces(of: line.dropFirst(indent.count)) {
      let columns = piece.gap + piece.word.shownColumns
      if !isAtStart, used + columns > width {
        lines.append(current)
        (current, used) = (hanging + piece.word, hanging.count + piece.word.shownColumns)
      } else {
        current += String(repeating: " ", count: piece.gap) + piece.word
        used += columns
      }
      isAtStart = false
    }
    return (lines + [current]).joined(separator: "\n")
  }

  /// The words of a line, each with the number of spaces before it.
  private static func pieces(of line: Substring) -> [(gap: Int, word: Substring)] {
    var (pieces, gap) = ([(gap: Int, word: Substring)](), 0)
    for part in line.split(separator: " ", omittingEmptySubsequences: false) {
      if !part.isEmpty {
        pieces.append((gap, part))
        gap = 0
      }
      gap += 1
    }
    return pieces
  }
}

extension Substring {
  /// The number of columns on a terminal, without escape sequences (ECMA-48, `ESC [ … m`).
  fileprivate var shownColumns: Int {
    var (columns, isEscape) = (0, false)
    for character in self {
      if character == "\u{1B}" { isEscape = true }
      if !isEscape { columns += character.columns }
      if isEscape, character == "m" { isEscape = false }
    }
    return columns
  }
}
