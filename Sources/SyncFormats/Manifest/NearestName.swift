// SPDX-License-Identifier: Apache-2.0
import SyncCore

/// Suggests the name that a person may have meant.
package enum NearestName {
  /// The known name with the fewest edits to `name`, unless that is more than a third of it (and at least two).
  package static func of(_ name: String, among known: [String]) -> String? {
    let name = Array(name.lowercased().replacing("-", with: "_").utf8)
    guard (2...64).contains(name.count) else { return nil }
    let limit = max(2, name.count / 3)
    var best: (name: String, edits: Int)?
    for candidate in known where abs(candidate.utf8.count - name.count) <= limit {
      let edits = edits(name, Array(candidate.utf8))
      if edits < best?.edits ?? limit + 1, edits < candidate.utf8.count, edits < name.count {
        best = (candidate, edits)
      }
    }
    return best?.name
  }

  /// True if one letter more, less, changed or swapped makes `known` of `name`.
  static func isOneSlip(from name: String, to known: String) -> Bool {
    let (name, known) = (Array(name.utf8), Array(known.utf8))
    return abs(name.count - known.count) <= 1 && edits(name, known) <= 1
  }

  /// The number of insertions, deletions, replacements and swaps of neighbours (optimal string alignment).
  private static func edits(_ a: [UInt8], _ b: [UInt8]) -> Int {
    var older = [Int](repeating: 0, count: b.count + 1)
    var previous = Array(0...b.count)
    var row = previous
    for i in a.indices {
      row[0] = i + 1
      for j in b.indices {
        var cost = min(previous[j + 1] + 1, row[j] + 1, previous[j] + (a[i] == b[j] ? 0 : 1))
        if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { cost = min(cost, older[j - 1] + 1) }
        row[j + 1] = cost
      }
      (older, previous, row) = (previous, row, older)
    }
    return previous[b.count]
  }
}

/// The form in which a character is shown so that no terminal obeys it.
enum VisibleScalar {
  static func text(of scalar: Unicode.Scalar) -> String {
    switch scalar {
    case "\t": "\\t"
    case _ where scalar.isControl || changesDirection(scalar):
      "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
    default: String(scalar)
    }
  }

  /// The number of columns that `text(of:)` takes on a terminal.
  static func width(of scalar: Unicode.Scalar) -> Int {
    let shown = text(of: scalar).unicodeScalars
    guard shown.count == 1 else { return shown.count }
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format: return 0
    default: return isWide(scalar) ? 2 : 1
    }
  }

  /// True for marks and embeddings that change the order in which text is shown (Unicode TR 9), and line separators.
  private static func changesDirection(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x061C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: true
    default: false
    }
  }

  /// True for the blocks of Unicode TR 11 that are wide as a whole; single wide characters elsewhere do not count.
  private static func isWide(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
      0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F, 0x1F680...0x1F6FF, 0x1F900...0x1F9FF, 0x20000...0x3FFFD:
      true
    default: false
    }
  }
}
