// SPDX-License-Identifier: Apache-2.0

/// The way from one list to another: the entries that keep their order, those that moved, left and came.
///
/// The entries that keep their order are a longest common subsequence (Hunt and Szymanski, 1977). Entries beside it that
/// both lists have are moves, paired in their order.
package struct ListAlignment: Equatable, Sendable {
  /// For each entry of the new list, its place in the old one. Nil for an entry that came.
  package private(set) var origins: [Int?]
  /// The places in the new list of the entries that moved.
  package private(set) var moved: Set<Int>
  /// The places in the old list of the entries that left.
  package private(set) var removed: [Int]

  /// The largest number of pairs of equal entries that are compared. Beyond it, equal entries are paired in their order.
  private static let mostPairs = 2_000_000

  package init<Element: Hashable>(from old: [Element], to new: [Element]) {
    origins = Array(repeating: nil, count: new.count)
    moved = []
    removed = []
    for (before, after) in Self.kept(old, new) { origins[after] = before }
    var left: [Element: [Int]] = [:]
    var isKept = Array(repeating: false, count: old.count)
    for case let origin? in origins { isKept[origin] = true }
    for index in old.indices.reversed() where !isKept[index] { left[old[index], default: []].append(index) }
    for index in new.indices where origins[index] == nil {
      guard let origin = left[new[index]]?.popLast() else { continue }
      origins[index] = origin
      isKept[origin] = true
      moved.insert(index)
    }
    removed = old.indices.filter { !isKept[$0] }
  }

  /// True if both lists are the same.
  package var isEmpty: Bool { moved.isEmpty && removed.isEmpty && !origins.contains(nil) }

  /// The pairs of places of a longest common subsequence. Equal beginnings and ends belong to one.
  private static func kept<Element: Hashable>(_ old: [Element], _ new: [Element]) -> [(Int, Int)] {
    var start = 0
    while start < old.count, start < new.count, old[start] == new[start] { start += 1 }
    var (oldEnd, newEnd) = (old.count, new.count)
    while oldEnd > start, newEnd > start, old[oldEnd - 1] == new[newEnd - 1] {
      (oldEnd, newEnd) = (oldEnd - 1, newEnd - 1)
    }
    let middle = subsequence(candidates(old[start..<oldEnd], new[start..<newEnd]))
    return (0..<start).map { ($0, $0) } + middle
      + zip(oldEnd..<old.count, newEnd..<new.count).map { ($0, $1) }
  }

  /// For each old place, in order, the new places with an equal entry, the last one first.
  private static func candidates<Element: Hashable>(
    _ old: ArraySlice<Element>, _ new: ArraySlice<Element>
  ) -> [(old: Int, new: [Int])] {
    var places: [Element: [Int]] = [:]
    for index in new.indices.reversed() { places[new[index], default: []].append(index) }
    let pairs = old.reduce(into: 0) { $0 += places[$1]?.count ?? 0 }
    return old.indices.compactMap { index in
      guard pairs > mostPairs else { return places[old[index]].map { (index, $0) } }
      return places[old[index]]?.popLast().map { (index, [$0]) }
    }
  }

  private struct Link {
    let pair: (Int, Int)
    let previous: Int?
  }

  private static func subsequence(_ candidates: [(old: Int, new: [Int])]) -> [(Int, Int)] {
    var links: [Link] = []
    // The smallest new place with which a common subsequence of each length ends, and its link.
    var ends: [Int] = []
    var tails: [Int] = []
    for (old, places) in candidates {
      for new in places {
        let length = ends.firstPlace { $0 >= new }
        if length < ends.count, ends[length] == new { continue }
        links.append(Link(pair: (old, new), previous: length > 0 ? tails[length - 1] : nil))
        if length == ends.count {
          ends.append(new)
          tails.append(links.count - 1)
        } else {
          (ends[length], tails[length]) = (new, links.count - 1)
        }
      }
    }
    var pairs: [(Int, Int)] = []
    var next = tails.last
    while let index = next {
      pairs.append(links[index].pair)
      next = links[index].previous
    }
    return pairs.reversed()
  }
}

extension [Int] {
  /// The first place whose value meets the condition, in a list in which all after it do. `count` if there is none.
  func firstPlace(where meets: (Int) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if meets(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
