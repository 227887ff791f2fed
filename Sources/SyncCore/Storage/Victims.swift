// SPDX-License-Identifier: Apache-2.0

/// A finished file as the eviction sees it.
package struct Evictable: Hashable, Sendable {
  package var id: ItemID
  package var size: ByteCount
  package var completedAt: Timestamp
  package var score: Double
  /// It left the manifest and goes before everything that is still wanted.
  package var isOrphan: Bool
  package init(id: ItemID, size: ByteCount, completedAt: Timestamp, score: Double, isOrphan: Bool = false) {
    self.id = id
    self.size = size
    self.completedAt = completedAt
    self.score = score
    self.isOrphan = isOrphan
  }

  /// Whether this one goes before the other: orphans, then the lower score, the larger, the older, the id.
  package func goesBefore(_ other: Evictable) -> Bool {
    if isOrphan != other.isOrphan { return isOrphan }
    if score != other.score { return score < other.score }
    if size != other.size { return size > other.size }
    if completedAt != other.completedAt { return completedAt < other.completedAt }
    return id < other.id
  }
}

/// The files that may be evicted, first victim first, of which a prefix has been chosen, but for those that are spared.
struct VictimLine {
  private let victims: [Evictable]
  /// `freed[n]` is what the first `n` victims free.
  private let freed: [ByteCount]
  private var chosenCount = 0
  private var spared: Set<Int> = []
  private var sparedBytes: ByteCount = .zero

  init(_ candidates: [Evictable]) {
    victims = candidates.sorted { $0.goesBefore($1) }
    var freed: [ByteCount] = [.zero]
    freed.reserveCapacity(victims.count + 1)
    for victim in victims { freed.append(freed[freed.count - 1] + victim.size) }
    self.freed = freed
  }

  var chosen: [Evictable] { (0..<chosenCount).filter { !spared.contains($0) }.map { victims[$0] } }
  var chosenBytes: ByteCount { freed[chosenCount] - sparedBytes }

  /// What those that go before `newcomer` would still free; all that are left when it is nil.
  func available(before newcomer: Evictable?) -> ByteCount { freed[end(before: newcomer)] - freed[chosenCount] }

  /// Takes back chosen victims of together at most `bytes`, the last of the line first. Orphans are not wanted back.
  mutating func spare(upTo bytes: ByteCount) {
    var left = bytes
    for index in (0..<chosenCount).reversed() where !victims[index].isOrphan && victims[index].size <= left {
      guard spared.insert(index).inserted else { continue }
      left -= victims[index].size
      sparedBytes += victims[index].size
    }
  }

  /// Chooses victims that go before `newcomer` until `bytes` more are free or none is left.
  mutating func choose(freeing bytes: ByteCount, before newcomer: Evictable?) {
    let goal = freed[chosenCount] + bytes
    let end = end(before: newcomer)
    chosenCount = partitionPoint(chosenCount..<end) { freed[$0] < goal }
  }

  private func end(before newcomer: Evictable?) -> Int {
    guard let newcomer else { return victims.count }
    return partitionPoint(chosenCount..<victims.count) { victims[$0].goesBefore(newcomer) }
  }
}

/// The first index of `range` that does not belong to the front part, or its end.
private func partitionPoint(_ range: Range<Int>, inFront: (Int) -> Bool) -> Int {
  var (low, high) = (range.lowerBound, range.upperBound)
  while low < high {
    let middle = low + (high - low) / 2
    if inFront(middle) { low = middle + 1 } else { high = middle }
  }
  return low
}
