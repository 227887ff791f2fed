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
  /// For the commands that a text suggests.
  package var invocation: Invocation

  package init(hasColor: Bool, invocation: Invocation = Invocation()) {
    self.hasColor = hasColor
    self.invocation = invocation
  }

  package func tinted(_ text: String, _ tone: Tone) -> String {
    hasColor && !text.isEmpty ? "\u{1B}[\(tone.rawValue)m\(text)\u{1B}[0m" : text
  }
}

extension String {
  /// Columns on a terminal: none for combining marks, two for wide East Asian characters and emoji (UAX #11).
  package var columns: Int {
    reduce(0) { $0 + $1.columns }
  }

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

  func padded(before width: Int) -> String { String(repeating: " ", count: max(0, width - columns)) + self }
}

extension Character {
  fileprivate var columns: Int {
    guard let scalar = unicodeScalars.first else { return 0 }
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format, .control: return 0
    default: break
    }
    switch scalar.value {
    case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
      0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F, 0x1F680...0x1F6FF, 0x1F900...0x1F9FF, 0x20000...0x3FFFD:
      return 2
    default: return 1
    }
  }
}
