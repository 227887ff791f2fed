// SPDX-License-Identifier: Apache-2.0

/// The style of text for a person: with colour on a terminal that has it, plain elsewhere, with hints that fit the
/// call.
package struct TextStyle: Sendable {
  package enum Tone: String, Sendable {
    case good = "32"
    case bad = "31"
    case notable = "33"
    case faint = "2"
    case strong = "1"
  }

  package var hasColor: Bool
  /// The width of the terminal; nil for any other output.
  package var columns: Int?
  /// The call for the commands that a text suggests.
  package var invocation: Invocation
  /// The maximum number of lines of one kind; nil for all of them.
  package var limit: Int?
  /// True if the reader has already seen each file come and go.
  package var hasToldFiles = false

  /// The family of units in which sizes are shown.
  package var units = SizeUnits.binary

  /// The number of lines of one kind that a person reads before a count is better.
  package static let usualLimit = 10

  package init(hasColor: Bool, columns: Int? = nil, invocation: Invocation = Invocation(), limit: Int? = nil) {
    self.hasColor = hasColor
    self.columns = columns
    self.invocation = invocation
    self.limit = limit
  }

  /// Joins lines to one text that fits the terminal and ends with a newline.
  func text(_ lines: () -> [String]) -> String {
    SizeUnits.$shown.withValue(units) { fitted(lines().joined(separator: "\n")) + "\n" }
  }

  /// The same text, broken between words where the terminal is too narrow for it.
  package func fitted(_ text: String) -> String { columns.map { text.fitted(toColumns: $0) } ?? text }

  package func tinted(_ text: String, _ tone: Tone) -> String {
    hasColor && !text.isEmpty ? "\u{1B}[\(tone.rawValue)m\(text)\u{1B}[0m" : text
  }
}

extension String {
  /// The text padded with spaces to `width` columns, or cut to it with an ellipsis.
  func padded(toColumns width: Int) -> String {
    let own = columns
    guard own > width else { return self + String(repeating: " ", count: width - own) }
    var cut = ""
    var used = 0
    for character in self {
      guard used + character.columns < width else { break }
      cut.append(character)
      used += character.columns
    }
    return cut + "…" + String(repeating: " ", count: max(0, width - used - 1))
  }

  /// The text padded with spaces to `width` columns; never cut.
  func filled(toColumns width: Int) -> String { self + String(repeating: " ", count: max(0, width - columns)) }

  /// The text cut to `width` columns with an ellipsis if it is wider, without spaces at the end.
  package func cut(toColumns width: Int) -> String {
    var text = (columns > width ? padded(toColumns: width) : self)[...]
    while text.last == " " { text.removeLast() }
    return String(text)
  }

  func padded(before width: Int) -> String { String(repeating: " ", count: max(0, width - columns)) + self }
}
