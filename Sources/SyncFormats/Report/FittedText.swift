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

extension String {
  /// The number of columns on a terminal: none for combining marks, two for wide East Asian characters and emoji (UAX
  /// #11).
  package var columns: Int {
    reduce(0) { $0 + $1.columns }
  }
}

extension Character {
  var columns: Int {
    guard let scalar = unicodeScalars.first else { return 0 }
    // The most frequent characters.
    if scalar.value < 0x300 { return scalar.value < 0x20 || (0x7F..<0xA0).contains(scalar.value) ? 0 : 1 }
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format, .control: return 0
    default: break
    }
    // A character with an emoji presentation selector, or a flag of two letters.
    if unicodeScalars.count > 1, unicodeScalars.contains("\u{FE0F}") || scalar.isRegionalIndicator { return 2 }
    return scalar.isWide ? 2 : 1
  }
}

extension Unicode.Scalar {
  fileprivate var isRegionalIndicator: Bool { (0x1F1E6...0x1F1FF).contains(value) }

  fileprivate var isWide: Bool {
    guard value >= 0x1100 else { return false }
    return Self.wide.contains { $0.contains(value) }
  }

  /// Wide and fullwidth characters (EastAsianWidth.txt of Unicode 16). Neighbouring ranges are merged if only
  /// unassigned characters are between them.
  private static let wide: [ClosedRange<UInt32>] = [
    0x1100...0x115F, 0x231A...0x231B, 0x2329...0x232A, 0x23E9...0x23EC, 0x23F0...0x23F0, 0x23F3...0x23F3,
    0x25FD...0x25FE, 0x2614...0x2615, 0x2630...0x2637, 0x2648...0x2653, 0x267F...0x267F, 0x268A...0x268F,
    0x2693...0x2693, 0x26A1...0x26A1, 0x26AA...0x26AB, 0x26BD...0x26BE, 0x26C4...0x26C5, 0x26CE...0x26CE,
    0x26D4...0x26D4, 0x26EA...0x26EA, 0x26F2...0x26F3, 0x26F5...0x26F5, 0x26FA...0x26FA, 0x26FD...0x26FD,
    0x2705...0x2705, 0x270A...0x270B, 0x2728...0x2728, 0x274C...0x274C, 0x274E...0x274E, 0x2753...0x2755,
    0x2757...0x2757, 0x2795...0x2797, 0x27B0...0x27B0, 0x27BF...0x27BF, 0x2B1B...0x2B1C, 0x2B50...0x2B50,
    0x2B55...0x2B55, 0x2E80...0x303E, 0x3041...0xA4CF, 0xA960...0xA97C, 0xAC00...0xD7A3, 0xF900...0xFAFF,
    0xFE10...0xFE19, 0xFE30...0xFE6F, 0xFF01...0xFF60, 0xFFE0...0xFFE6, 0x16FE0...0x18DFF, 0x1AFF0...0x1B2FF,
    0x1F004...0x1F004, 0x1F0CF...0x1F0CF, 0x1F18E...0x1F18E, 0x1F191...0x1F19A, 0x1F200...0x1F320,
    0x1F32D...0x1F335, 0x1F337...0x1F37C, 0x1F37E...0x1F393, 0x1F3A0...0x1F3CA, 0x1F3CF...0x1F3D3,
    0x1F3E0...0x1F3F0, 0x1F3F4...0x1F3F4, 0x1F3F8...0x1F43E, 0x1F440...0x1F440, 0x1F442...0x1F4FC,
    0x1F4FF...0x1F53D, 0x1F54B...0x1F54E, 0x1F550...0x1F567, 0x1F57A...0x1F57A, 0x1F595...0x1F596,
    0x1F5A4...0x1F5A4, 0x1F5FB...0x1F64F, 0x1F680...0x1F6C5, 0x1F6CC...0x1F6CC, 0x1F6D0...0x1F6D2,
    0x1F6D5...0x1F6D7, 0x1F6DC...0x1F6DF, 0x1F6EB...0x1F6EC, 0x1F6F4...0x1F6FC, 0x1F7E0...0x1F7EB,
    0x1F7F0...0x1F7F0, 0x1F90C...0x1F93A, 0x1F93C...0x1F945, 0x1F947...0x1F9FF, 0x1FA70...0x1FAFF,
    0x20000...0x3FFFD,
  ]
}
