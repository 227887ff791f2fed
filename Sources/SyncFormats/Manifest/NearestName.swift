// SPDX-License-Identifier: Apache-2.0

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
