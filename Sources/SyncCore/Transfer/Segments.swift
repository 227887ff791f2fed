// SPDX-License-Identifier: Apache-2.0

/// One file that comes in several parts at the same time: what is here, and which request fetches what. Lane 0 is the
/// request that the transfer began with; it reads from its beginning towards the end and stops where others have been.
package struct Segments: Equatable, Sendable {
  /// What one request fetches.
  private struct Lane: Equatable {
    let from: ByteCount
    var position: ByteCount
    /// Moves towards `position` when another lane takes the second half of what is left.
    var end: ByteCount
    /// The answer is there, and it is this part. Until then the first request need not count on it.
    var isAnswered = false

    var left: ByteCount { end - position }
  }

  /// No request is made for less: its round trip would cost more than it saves.
  package static let minimum = ByteCount(4 << 20)

  package let total: ByteCount
  private let limit: Int
  private let minimum: ByteCount
  /// What lanes that are over have fetched, and what was there before.
  private var done: [Extent]
  private var lanes: [Int: Lane] = [:]
  private var nextLane = 1

  /// Lane 0 begins at `received`.
  /// - Parameters:
  ///   - received: so much of the beginning is here.
  ///   - extents: what is here behind that.
  ///   - limit: how many lanes there may be at once.
  package init(
    total: ByteCount, received: ByteCount, extents: [Extent] = [], limit: Int, minimum: ByteCount = Self.minimum
  ) {
    self.total = total
    self.limit = limit
    self.minimum = minimum
    let present = [Extent(from: .zero, to: min(received, total))] + extents.filter { $0.to <= total }
    done = present.compactMap(\.self).merged
    let begun = self.received
    lanes[0] = Lane(from: begun, position: begun, end: holes.first?.to ?? begun)
  }

  /// What is here of the beginning, without a gap.
  package var received: ByteCount { present.first.flatMap { $0.from == .zero ? $0.to : nil } ?? .zero }

  /// What is here behind the first gap.
  package var extents: [Extent] { present.filter { $0.from > .zero } }

  /// How much is here in all.
  package var size: ByteCount { present.map(\.length).sum() }

  package var isComplete: Bool { received == total }

  /// Lanes whose requests are not over.
  package var isIdle: Bool { lanes.isEmpty }

  private var present: [Extent] {
    (done + lanes.values.compactMap { Extent(from: $0.from, to: $0.position) }).merged
  }

  /// Missing, and nobody's.
  private var holes: [Extent] {
    (done + lanes.values.compactMap { Extent(from: $0.from, to: $0.end) }).merged.gaps(in: total)
  }

  /// A part for one more request, which is a lane from now on: one that nobody fetches, else the second half of what
  /// the lane with the most before it has left. Nil when there are enough lanes, or nothing is worth a request.
  package mutating func begin() -> (lane: Int, part: Extent)? {
    guard lanes.count < limit, let part = holes.first ?? split() else { return nil }
    let lane = nextLane
    nextLane += 1
    lanes[lane] = Lane(from: part.from, position: part.from, end: part.to)
    return (lane, part)
  }

  private mutating func split() -> Extent? {
    guard let (number, lane) = lanes.max(by: { ($0.value.left, $1.key) < ($1.value.left, $0.key) }),
      lane.left >= minimum + minimum
    else { return nil }
    let middle = lane.position + ByteCount(lane.left.bytes / 2)
    lanes[number]?.end = middle
    return Extent(from: middle, to: lane.end)
  }

  /// How many of the next bytes of a lane are wanted.
  package func left(of lane: Int) -> ByteCount { lanes[lane]?.left ?? .zero }

  /// Where the next byte of a lane belongs.
  package func position(of lane: Int) -> ByteCount? { lanes[lane]?.position }

  /// A lane has fetched so much more.
  package mutating func advance(_ lane: Int, by count: ByteCount) {
    guard let running = lanes[lane] else { return }
    lanes[lane]?.position = min(running.position + count, running.end)
  }

  /// The answer to a further request is the part that was asked for.
  package mutating func answered(_ lane: Int) { lanes[lane]?.isAnswered = true }

  /// Whether the lane is one still: what it was to fetch may have been taken from it.
  package func has(_ lane: Int) -> Bool { lanes[lane] != nil }

  /// A lane that is about to bring `count` bytes takes what follows it, as far as nobody fetches that, or has not had an
  /// answer yet.
  /// - Parameter limit: the lane's request brings nothing from here on.
  package mutating func reach(_ lane: Int, for count: ByteCount, to limit: ByteCount? = nil) {
    while let running = lanes[lane], running.left < count, let next = follower(of: running) {
      let end = min(next.to, limit ?? next.to)
      guard end > running.end else { return }
      lanes[lane]?.end = end
    }
  }

  private mutating func follower(of running: Lane) -> Extent? {
    let waiting = lanes.first { $0.value.from == running.end && !$0.value.isAnswered && $0.key != 0 }
    if let waiting { lanes[waiting.key] = nil }
    return holes.first { $0.from == running.end }
  }

  /// A lane's request is over; what it has not fetched is nobody's.
  package mutating func end(_ lane: Int) {
    guard let ended = lanes.removeValue(forKey: lane) else { return }
    done = (done + [Extent(from: ended.from, to: ended.position)].compactMap(\.self)).merged
  }
}
