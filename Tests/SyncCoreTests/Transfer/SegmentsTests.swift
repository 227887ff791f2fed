// SPDX-License-Identifier: Apache-2.0

import SyncTestSupport
import Testing

@testable import SyncCore

@Suite("segments of one file")
struct SegmentsTests {
  private static func bytes(_ count: Int) -> ByteCount { ByteCount(Int64(count)) }

  private static func extent(_ from: Int, _ to: Int) throws -> Extent {
    try #require(Extent(from: bytes(from), to: bytes(to)))
  }

  private func segments(
    _ total: Int, received: Int = 0, extents: [Extent] = [], limit: Int = 4, minimum: Int = 10
  ) -> Segments {
    Segments(
      total: Self.bytes(total), received: Self.bytes(received), extents: extents, limit: limit,
      minimum: Self.bytes(minimum))
  }

  @Test("a new lane takes the second half of what the one with the most before it has left")
  func split() throws {
    var segments = segments(100)
    segments.advance(0, by: Self.bytes(20))
    let begun = segments.begin()
    #expect(try #require(begun) == (1, Self.extent(60, 100)))
    #expect(segments.left(of: 0) == Self.bytes(40))
    segments.advance(1, by: Self.bytes(30))
    let again = segments.begin()
    #expect(try #require(again) == (2, Self.extent(40, 60)))
    #expect(segments.size == Self.bytes(50))
    #expect(segments.received == Self.bytes(20))
    #expect(try segments.extents == [Self.extent(60, 90)])
  }

  @Test("there are no more lanes than allowed, and none for less than is worth a request")
  func limits() {
    var few = segments(100, limit: 2)
    var small = segments(19)
    var alone = segments(1000, limit: 1)
    let begun = [few.begin(), few.begin(), small.begin(), alone.begin()].map { $0 != nil }
    #expect(begun == [true, false, false, false])
  }

  @Test("what an ended lane has left goes to the next one, whole and as it is")
  func handedOn() throws {
    var segments = segments(100)
    _ = segments.begin()
    segments.advance(1, by: Self.bytes(7))
    segments.end(1)
    let begun = segments.begin()
    #expect(try #require(begun) == (2, Self.extent(57, 100)))
    #expect(segments.position(of: 1) == nil)
    #expect(segments.left(of: 1) == .zero)
  }

  @Test("lane 0 goes on behind what is here and stops where more is")
  func continued() throws {
    let segments = segments(100, received: 10, extents: [try Self.extent(30, 40), try Self.extent(80, 120)])
    #expect(segments.position(of: 0) == Self.bytes(10))
    #expect(segments.left(of: 0) == Self.bytes(20))
    #expect(try segments.extents == [Self.extent(30, 40)], "an extent beyond the file is none of it")
    #expect(segments.size == Self.bytes(20))
  }

  @Test("a lane takes what follows it when nobody fetches that, or nobody has had an answer about it")
  func reaching() throws {
    var segments = segments(100)
    _ = segments.begin()
    var answered = segments
    answered.answered(1)
    answered.reach(0, for: Self.bytes(51))
    #expect(answered.left(of: 0) == Self.bytes(50))
    answered.end(1)
    answered.reach(0, for: Self.bytes(50))
    #expect(answered.left(of: 0) == Self.bytes(50), "not before it is needed")
    answered.reach(0, for: Self.bytes(51), to: Self.bytes(70))
    #expect(answered.left(of: 0) == Self.bytes(70))
    segments.reach(0, for: Self.bytes(51))
    #expect(segments.left(of: 0) == Self.bytes(100))
    #expect(!segments.has(1))
  }

  @Test("extents that touch are one")
  func merging() throws {
    let all = try [(5, 9), (0, 2), (2, 3), (7, 12), (20, 21)].map { try Self.extent($0.0, $0.1) }
    #expect(try all.merged == [Self.extent(0, 3), Self.extent(5, 12), Self.extent(20, 21)])
    #expect(try all.merged.gaps(in: Self.bytes(25)) == [Self.extent(3, 5), Self.extent(12, 20), Self.extent(21, 25)])
    #expect(try all.merged.gaps(in: Self.bytes(10)) == [Self.extent(3, 5)])
    #expect(Extent(from: Self.bytes(3), to: Self.bytes(3)) == nil)
  }

  @Test(
    "whatever lanes do and wherever a run is cut, every byte is fetched once and none twice",
    arguments: Torture.share(of: 0..<200, atMost: 40))
  func property(seed: Int) throws {
    var chance = SeededGenerator(seed)
    let total = Int.random(in: 0..<5000, using: &chance) + 1
    var fetched = [Int](repeating: 0, count: total)
    var state = segments(
      total, limit: Int.random(in: 0..<6, using: &chance) + 1, minimum: Int.random(in: 0..<50, using: &chance) + 1)
    var running: Set = [0]
    for _ in 0..<100_000 where !state.isComplete {
      if Int.random(in: 0..<3, using: &chance) == 0, let (lane, part) = state.begin() {
        #expect(part.length > .zero)
        running.insert(lane)
      }
      // The run is cut, and a later one goes on with what was recorded.
      if Int.random(in: 0..<60, using: &chance) == 0 {
        state = segments(
          total, received: Int(state.received.bytes), extents: state.extents,
          limit: Int.random(in: 0..<6, using: &chance) + 1,
          minimum: Int.random(in: 0..<50, using: &chance) + 1)
        running = [0]
      }
      guard let lane = running.randomElement(using: &chance) else {
        let begun = state.begin()
        running.insert(try #require(begun).lane)
        continue
      }
      let count = min(Int.random(in: 0..<40, using: &chance), Int(state.left(of: lane).bytes))
      let position = Int(try #require(state.position(of: lane)).bytes)
      for index in position..<position + count { fetched[index] += 1 }
      state.advance(lane, by: Self.bytes(count))
      if state.left(of: lane) == .zero || Int.random(in: 0..<50, using: &chance) == 0 {
        state.end(lane)
        running.remove(lane)
      }
    }
    #expect(state.isComplete)
    #expect(state.extents.isEmpty)
    #expect(fetched.allSatisfy { $0 == 1 })
  }
}
