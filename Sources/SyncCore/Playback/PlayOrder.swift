// SPDX-License-Identifier: Apache-2.0

/// The order in which a list of items is played, and the place in it. The order of a shuffled list follows from its seed.
package struct PlayOrder: Equatable, Sendable {
  /// The effect of the end of the list, or of an item.
  package enum Repeat: String, CaseIterable, Sendable {
    case off, all, one
  }

  /// The reason why the next item is played.
  package enum Advance: Hashable, Sendable {
    /// The item reached its end.
    case ended
    /// A person asked for the next item, or the present one cannot be played.
    case next
  }

  /// The items in the order in which they were added.
  package private(set) var items: [ItemID]
  /// Nil for the order of the list.
  package let seed: UInt64?
  package let repeats: Repeat
  /// The number of times that the whole list was played.
  package private(set) var round: Int
  /// The place in the order of this round.
  package private(set) var place: Int
  /// The number of items that were in the list when the round began. Those that were added later come after them.
  package private(set) var known: Int
  /// The indices of the items in the order of this round.
  private var sequence: [Int]

  /// - Parameters:
  ///   - known: Nil if all of the items were in the list when the round began.
  package init(
    _ items: [ItemID], seed: UInt64? = nil, repeats: Repeat = .off, round: Int = 0, place: Int = 0, known: Int? = nil
  ) {
    (self.items, self.seed, self.repeats) = (items, seed, repeats)
    self.round = max(0, round)
    self.known = min(max(0, known ?? items.count), items.count)
    self.place = min(max(0, place), items.count)
    sequence = []
    sequence = order(of: self.round)
  }

  /// Nil after the end of the list.
  package var current: ItemID? { currentIndex.map { items[$0] } }

  /// The index in the list. Nil after its end.
  package var currentIndex: Int? { sequence.indices.contains(place) ? sequence[place] : nil }

  /// Goes on to the next item. After the last one nothing is left, unless the list repeats.
  package mutating func advance(_ step: Advance) {
    guard !items.isEmpty, current != nil else { return }
    if step == .ended, repeats == .one { return }
    place += 1
    guard place >= sequence.count, repeats == .all || repeats == .one else { return }
    (round, place, known) = (round + 1, 0, items.count)
    sequence = order(of: round)
  }

  /// Goes back to the item that was played before, also to that of the round before. The first item of all stays.
  package mutating func goBack() {
    guard place == 0 else {
      place -= 1
      return
    }
    guard round > 0 else { return }
    (round, known) = (round - 1, items.count)
    sequence = order(of: round)
    place = max(0, sequence.count - 1)
  }

  /// Adds items at the end. The order of those that are there stays.
  package mutating func add(_ more: some Sequence<ItemID>) {
    items += more
    sequence = order(of: round)
  }

  private func order(of round: Int) -> [Int] {
    guard let seed else { return Array(items.indices) }
    // Nothing is played twice in a row. The last item of each round stays the last, for the one after it.
    var order = shuffled(seed, known > 2 ? round : 0)
    if round > 0, known > 2, order.first == shuffled(seed, round - 1).last { order.swapAt(0, 1) }
    return order + (known..<items.count)
  }

  private func shuffled(_ seed: UInt64, _ round: Int) -> [Int] {
    var random = SeededOrder(seed: seed &+ UInt64(round) &* 0x9E37_79B9_7F4A_7C15)
    return (0..<known).shuffled(using: &random)
  }
}

/// A repeatable random source (SplitMix64, by Steele, Lea and Flood, 2014).
private struct SeededOrder: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
