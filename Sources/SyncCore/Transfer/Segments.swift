// SPDX-License-Identifier: Apache-2.0

/// One file that is fetched in several parts at once: the bytes present, and the request for each part. Lane 0 is the
/// first request of the transfer. It reads from its start towards the end and stops where other lanes have been.
package struct Segments: Equatable, Sendable {
  /// The part that one request fetches.
  private struct Lane: Equatable {
    let from: ByteCount
    var position: ByteCount
    /// Moves towards `position` when another lane takes the second half of the rest.
    var end: ByteCount
    /// True if the response has arrived and is this part. Until then the first request need not rely on it.
    var isAnswered = false

    var left: ByteCount { end - position }
  }

  /// The smallest part for a request. The round trip for a smaller part would cost more than it saves.
  package static let minimum = ByteCount(4 << 20)

  package let total: ByteCount
  private let limit: Int
  private let minimum: ByteCount
  /// The bytes fetched by finished lanes, and those present before.
  private var done: [Extent]
  private var lanes: [Int: Lane] = [:]
  private var nextLane = 1

  /// Creates the segments. Lane 0 begins at `received`.
  /// - Parameters:
  ///   - received: The number of bytes present from the beginning.
  ///   - extents: The bytes present after that.
  ///   - limit: The largest number of lanes at once.
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

  /// The number of bytes present from the beginning without a gap.
  package var received: ByteCount { present.first.flatMap { $0.from == .zero ? $0.to : nil } ?? .zero }

  /// The extents present after the first gap.
  package var extents: [Extent] { present.filter { $0.from > .zero } }

  /// The number of all bytes present.
  package var size: ByteCount { present.map(\.length).sum() }

  package var isComplete: Bool { received == total }

  private var present: [Extent] {
    (done + lanes.values.compactMap { Extent(from: $0.from, to: $0.position) }).merged
  }

  /// The bytes that are missing and assigned to no lane.
  private var holes: [Extent] {
    (done + lanes.values.compactMap { Extent(from: $0.from, to: $0.end) }).merged.gaps(in: total)
  }

  /// Assigns a part to a new lane: a part without a lane, otherwise the second half of the rest of the lane with the
  /// most left. Returns nil if there are enough lanes or no part is worth a request.
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

  /// The number of bytes that a lane still has to fetch.
  package func left(of lane: Int) -> ByteCount { lanes[lane]?.left ?? .zero }

  /// The position of a lane's next byte.
  package func position(of lane: Int) -> ByteCount? { lanes[lane]?.position }

  /// Records that a lane has fetched `count` more bytes.
  package mutating func advance(_ lane: Int, by count: ByteCount) {
    guard let running = lanes[lane] else { return }
    lanes[lane]?.position = min(running.position + count, running.end)
  }

  /// Records that the response to an additional request is the requested part.
  package mutating func answered(_ lane: Int) { lanes[lane]?.isAnswered = true }

  /// True if the lane still exists. Another lane may have taken over its part.
  package func has(_ lane: Int) -> Bool { lanes[lane] != nil }

  /// Extends a lane that is about to receive `count` bytes into the bytes that follow, as long as no lane fetches them
  /// or the lane that does has no response yet.
  /// - Parameter limit: The position at which the lane's response ends.
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

  /// Ends a lane. Bytes that it has not fetched are no longer assigned.
  package mutating func end(_ lane: Int) {
    guard let ended = lanes.removeValue(forKey: lane) else { return }
    done = (done + [Extent(from: ended.from, to: ended.position)].compactMap(\.self)).merged
  }
}

extension DownloadedRanges {
  package init(_ segments: Segments) { self.init(received: segments.received, extents: segments.extents) }
}
