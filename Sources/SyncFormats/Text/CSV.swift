// SPDX-License-Identifier: Apache-2.0

/// A table in CSV (RFC 4180): a head, lines ended by CRLF, and quotes where they are needed.
package struct CSV: Sendable {
  package private(set) var text: String
  private let columns: Int

  package init(columns: [String]) {
    self.columns = columns.count
    text = Self.line(columns)
  }

  /// - Parameter cells: One for each column. Nil is an empty cell.
  package mutating func add(_ cells: [String?]) {
    precondition(cells.count == columns, "a row has a cell for each column")
    text += Self.line(cells.map { $0.map(Self.guarded) ?? "" })
  }

  private static func line(_ cells: [String]) -> String { cells.map(quoted).joined(separator: ",") + "\r\n" }

  private static func quoted(_ cell: String) -> String {
    let isPlain = cell.utf8.allSatisfy { !"\",\r\n".utf8.contains($0) } && cell.first != " " && cell.last != " "
    return isPlain ? cell : "\"\(cell.replacing("\"", with: "\"\""))\""
  }

  /// A spreadsheet takes a cell with such a beginning for a formula, which may read other cells and open addresses. An
  /// apostrophe makes it text.
  private static func guarded(_ cell: String) -> String {
    guard let first = cell.unicodeScalars.first, formulaStarts.contains(first) else { return cell }
    return "'" + cell
  }

  private static let formulaStarts: Set<Unicode.Scalar> = ["=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠"]
}
