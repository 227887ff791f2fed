// SPDX-License-Identifier: Apache-2.0

/// How text goes to a person: with colour on a terminal that has it, plain elsewhere, with hints that fit the call.
package struct TextStyle: Sendable {
  package enum Tone: String, Sendable {
    case good = "32"
    case bad = "31"
    case notable = "33"
    case faint = "2"
    case strong = "1"
  }

  package var hasColor: Bool
  /// Of the terminal; nil where the text goes elsewhere.
  package var columns: Int?
  /// For the commands that a text suggests.
  package var invocation: Invocation

  package init(hasColor: Bool, columns: Int? = nil, invocation: Invocation = Invocation()) {
    self.hasColor = hasColor
    self.columns = columns
    self.invocation = invocation
  }

  package func tinted(_ text: String, _ tone: Tone) -> String {
    hasColor && !text.isEmpty ? "\u{1B}[\(tone.rawValue)m\(text)\u{1B}[0m" : text
  }
}

extension String {
  /// Filled up with spaces to `width` columns, or cut to it with an ellipsis.
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

  /// Filled up with spaces to `width` columns, whole where it is wider.
  func filled(toColumns width: Int) -> String { self + String(repeating: " ", count: max(0, width - columns)) }

  /// Cut to `width` columns with an ellipsis where it is wider, without spaces at the end.
  func cut(toColumns width: Int) -> String {
    var text = (columns > width ? padded(toColumns: width) : self)[...]
    while text.last == " " { text.removeLast() }
    return String(text)
  }

  func padded(before width: Int) -> String { String(repeating: " ", count: max(0, width - columns)) + self }
}
