// SPDX-License-Identifier: Apache-2.0

/// The lines at the bottom of a terminal, and the control sequences that replace them (ECMA-48).
package struct ProgressBlock: Sendable {
  private var shown: [String] = []

  private static let escape = "\u{1B}["
  /// DECAWM: a line that the terminal considers wider than it is must not wrap.
  private static let withoutWrapping = escape + "?7l"
  private static let withWrapping = escape + "?7h"
  private static let eraseToEndOfLine = escape + "K"
  private static let eraseBelow = escape + "J"

  package init() {}

  /// The text to write so that the terminal shows `lines`, with `said` above them; empty if it shows them already.
  /// - Parameter columns: the present width of the terminal: lines drawn for a wider one have wrapped since.
  package mutating func update(to lines: [String], below said: [String], columns: Int) -> String {
    guard lines != shown || !said.isEmpty else { return "" }
    var text = home(columns: columns)
    for line in said { text += line + Self.eraseToEndOfLine + "\n" }
    if !lines.isEmpty {
      text += Self.withoutWrapping
      text += lines.map { $0 + Self.eraseToEndOfLine }.joined(separator: "\n")
    }
    // Nothing needs to be erased below the last line.
    if lines.isEmpty || rowsOnScreen(shown, columns: columns) > lines.count { text += Self.eraseBelow }
    // Back to the first column: a `^C` that the terminal echoes at the end of a full line would begin another one.
    if !lines.isEmpty { text += "\r" + Self.withWrapping }
    shown = lines
    return text
  }

  /// Moves to the first column of the first line: the cursor is in the last one.
  private func home(columns: Int) -> String {
    guard !shown.isEmpty else { return "" }
    let above = rowsOnScreen(shown.dropLast(), columns: columns)
    return "\r" + (above > 0 ? "\(Self.escape)\(above)A" : "")
  }

  private func rowsOnScreen(_ lines: some Sequence<String>, columns: Int) -> Int {
    lines.reduce(0) { $0 + max(1, ($1.columns + columns - 1) / max(1, columns)) }
  }
}
