// SPDX-License-Identifier: Apache-2.0

/// Work that is done in groups, away from the network's thread. While one group is being worked on, the next one
/// gathers.
struct WorkGroups<Element> {
  private let maximum: Int
  private var waiting: [Element] = []
  private var isUnderWay = false

  /// - Parameter maximum: The number of elements in a group. Later ones wait for the next group.
  init(upTo maximum: Int) { self.maximum = maximum }

  /// True if the work does not keep up.
  var isFull: Bool { waiting.count >= maximum }

  mutating func add(_ elements: [Element]) { waiting += elements }

  /// The next group. Nil while another one is being worked on, or if there is none.
  mutating func begin() -> [Element]? {
    guard !isUnderWay, !waiting.isEmpty else { return nil }
    let group = Array(waiting.prefix(maximum))
    waiting.removeFirst(group.count)
    isUnderWay = true
    return group
  }

  mutating func end() { isUnderWay = false }

  /// Removes all elements, unless a group is being worked on.
  mutating func dismiss() -> [Element] {
    guard !isUnderWay else { return [] }
    defer { waiting = [] }
    return waiting
  }
}
