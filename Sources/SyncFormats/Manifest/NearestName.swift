// SPDX-License-Identifier: Apache-2.0

/// Finds what somebody may have meant.
enum NearestName {
  /// The known name with the fewest edits to `name`, unless that is more than a third of it (and at least two).
  static func of(_ name: String, among known: [String]) -> String? {
    let name = name.lowercased().replacing("-", with: "_")
    guard name.utf8.count <= 64 else { return nil }
    let limit = max(2, name.count / 3)
    let best = known.map { (name: $0, edits: edits(Array(name), Array($0))) }.min { $0.edits < $1.edits }
    guard let best, best.edits <= limit, best.edits < best.name.count else { return nil }
    return best.name
  }

  /// Insertions, deletions, replacements and swaps of neighbours (optimal string alignment).
  private static func edits(_ a: [Character], _ b: [Character]) -> Int {
    var older: [Int] = []
    var previous = Array(0...b.count)
    for i in a.indices {
      var row = [i + 1]
      for j in b.indices {
        var cost = min(previous[j + 1] + 1, row[j] + 1, previous[j] + (a[i] == b[j] ? 0 : 1))
        if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { cost = min(cost, older[j - 1] + 1) }
        row.append(cost)
      }
      (older, previous) = (previous, row)
    }
    return previous[b.count]
  }
}
