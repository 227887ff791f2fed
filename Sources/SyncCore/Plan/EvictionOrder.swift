// SPDX-License-Identifier: Apache-2.0

/// The evictable items in order of eviction, and those that were chosen.
///
/// A caller chooses from the front of all items or of those of one playlist. The chosen items therefore need not be a
/// prefix of all, and the bytes that the others would free are kept in sums that are updated in logarithmic time.
struct EvictionOrder {
  /// All items, or those of one account, in order.
  private struct Lane {
    /// The indices of the items.
    let members: [Int]
    /// All members before this index are chosen.
    var cursor = 0
    /// The sizes of the members that are not chosen.
    var left: PrefixSums

    init(_ members: [Int], _ victims: [Evictable]) {
      self.members = members
      left = PrefixSums(members.map { victims[$0].size.bytes })
    }
  }

  private let victims: [Evictable]
  private var all: Lane
  private var lanes: [Lane]
  /// The position of each item in the lane of its account.
  private let places: [Int]
  private var isChosen: [Bool]
  private var chosenIndices: [Int] = []
  private var spared: Set<Int> = []
  private(set) var chosenBytes: ByteCount = .zero

  /// - Parameter accounts: The number of accounts to which items may belong.
  init(_ candidates: [Evictable], accounts: Int = 0) {
    let victims = candidates.sorted { $0.goesBefore($1) }
    var byAccount: [[Int]] = Array(repeating: [], count: accounts)
    places = victims.enumerated().map { index, victim in
      guard let account = victim.account else { return 0 }
      byAccount[account].append(index)
      return byAccount[account].count - 1
    }
    self.victims = victims
    all = Lane(Array(victims.indices), victims)
    lanes = byAccount.map { Lane($0, victims) }
    isChosen = Array(repeating: false, count: victims.count)
  }

  /// The chosen items, in order.
  var chosen: [Evictable] { chosenIndices.filter { !spared.contains($0) }.sorted().map { victims[$0] } }
  var chosenCount: Int { chosenIndices.count - spared.count }

  /// The bytes that could still be freed by evicting items ranked below `newcomer`, or all items if it is nil.
  func available(before newcomer: Rank?, account: Int? = nil) -> ByteCount {
    let lane = account.map { lanes[$0] } ?? all
    return ByteCount(lane.left.sum(before: end(of: lane, before: newcomer)))
  }

  /// Chooses items ranked below `newcomer` until `bytes` more are free or none is left.
  /// - Parameter account: The account to choose from. Nil for all.
  /// - Returns: The chosen items.
  @discardableResult
  mutating func choose(
    freeing bytes: ByteCount, before newcomer: Rank?, account: Int? = nil
  ) -> [Evictable] {
    let taken: [Int]
    if let account {
      let end = end(of: lanes[account], before: newcomer)
      taken = Self.take(bytes, from: &lanes[account], to: end, victims, &isChosen)
    } else {
      let end = end(of: all, before: newcomer)
      taken = Self.take(bytes, from: &all, to: end, victims, &isChosen)
    }
    for index in taken { leave(index) }
    return taken.map { victims[$0] }
  }

  private static func take(
    _ bytes: ByteCount, from lane: inout Lane, to end: Int, _ victims: [Evictable], _ isChosen: inout [Bool]
  ) -> [Int] {
    var taken: [Int] = []
    var freed = ByteCount.zero
    while freed < bytes, lane.cursor < end {
      let index = lane.members[lane.cursor]
      lane.cursor += 1
      guard !isChosen[index] else { continue }
      isChosen[index] = true
      freed += victims[index].size
      taken.append(index)
    }
    return taken
  }

  private mutating func leave(_ index: Int) {
    let victim = victims[index]
    chosenIndices.append(index)
    chosenBytes += victim.size
    all.left.subtract(victim.size.bytes, at: index)
    if let account = victim.account { lanes[account].left.subtract(victim.size.bytes, at: places[index]) }
  }

  /// Takes back chosen items with a total of at most `bytes`, last in the order first. Orphans are never taken back.
  /// - Parameter mayStay: Called for each item that would fit. True keeps it.
  mutating func spare(upTo bytes: ByteCount, where mayStay: (Evictable) -> Bool = { _ in true }) {
    var left = bytes
    for index in chosenIndices.sorted(by: >) where !spared.contains(index) {
      let victim = victims[index]
      guard !victim.rank.isOrphan, victim.size <= left, mayStay(victim) else { continue }
      spared.insert(index)
      left -= victim.size
      chosenBytes -= victim.size
    }
  }

  private func end(of lane: Lane, before newcomer: Rank?) -> Int {
    guard let newcomer else { return lane.members.count }
    var (low, high) = (lane.cursor, lane.members.count)
    while low < high {
      let middle = low + (high - low) / 2
      if victims[lane.members[middle]].rank < newcomer { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

/// Prefix sums over a list of changing numbers: a Fenwick tree (Fenwick 1994, "A new data structure for cumulative
/// frequency tables").
struct PrefixSums {
  private var tree: [Int64]

  init(_ values: [Int64]) {
    tree = [0] + values
    for index in stride(from: 1, to: tree.count, by: 1) {
      let parent = index + (index & -index)
      if parent < tree.count { tree[parent] += tree[index] }
    }
  }

  /// The sum of the elements before `end`.
  func sum(before end: Int) -> Int64 {
    var (sum, index): (Int64, Int) = (0, end)
    while index > 0 {
      sum += tree[index]
      index -= index & -index
    }
    return sum
  }

  mutating func subtract(_ value: Int64, at position: Int) {
    var index = position + 1
    while index < tree.count {
      tree[index] -= value
      index += index & -index
    }
  }
}

/// An item in the distribution of space: a finished file that may be evicted, or an item to be fetched.
package struct Evictable: Hashable, Sendable {
  package var id: ItemID
  /// The position of its entry in the reconciliation.
  package var position: Int
  package var size: ByteCount
  package var rank: Rank
  /// The index of the playlist whose share of the budget it uses. Nil if it belongs to no playlist with a share.
  package var account: Int?
  /// True if a playlist still selects the item, so that after eviction it waits for space.
  package var isWanted = true

  package init(id: ItemID, position: Int, size: ByteCount, rank: Rank, account: Int? = nil) {
    self.id = id
    self.position = position
    self.size = size
    self.rank = rank
    self.account = account
  }

  /// True if this item is evicted before the other.
  package func goesBefore(_ other: Evictable) -> Bool { rank < other.rank }
}
