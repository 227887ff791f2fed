// SPDX-License-Identifier: Apache-2.0
import SyncCore
import Testing

@Suite("a number of bytes")
struct ByteCountTests {
  @Test("is never negative")
  func negative() {
    #expect(ByteCount(exactly: -1) == nil)
    #expect(ByteCount(exactly: 0) == .zero)
    #expect(ByteCount(5) - ByteCount(7) == .zero)
  }

  @Test("stays at the largest value instead of overflowing")
  func saturates() {
    #expect(ByteCount(.max) + ByteCount(1) == ByteCount(.max))
    #expect([ByteCount(.max), ByteCount(.max)].sum() == ByteCount(.max))
  }

  @Test(
    "a share of it is rounded down",
    arguments: [
      (Int64(1000), 950, Int64(950)), (999, 950, 949), (10, 333, 3), (1, 999, 0), (1, 1000, 1), (0, 500, 0),
      (.max, 1000, .max), (.max, 500, .max / 2),
    ])
  func share(whole: Int64, perMille: Int, expected: Int64) throws {
    let share = try #require(Share(perMille: perMille))
    #expect(ByteCount(whole) * share == ByteCount(expected))
  }

  @Test("changes in place")
  func inPlace() {
    var count = ByteCount(3)
    count += ByteCount(4)
    #expect(count == ByteCount(7))
    count -= ByteCount(9)
    #expect(count == .zero)
    #expect(ByteCount(1) < ByteCount(2))
  }
}

@Suite("a share")
struct ShareTests {
  @Test("lies between nothing and the whole", arguments: [(-1, false), (0, true), (1000, true), (1001, false)])
  func range(perMille: Int, isLegal: Bool) { #expect((Share(perMille: perMille) != nil) == isLegal) }

  @Test("of 85 % is 850 of a thousand")
  func percent() {
    #expect(Share.percent(85).perMille == 850)
    #expect(Share.percent(85) < Share.percent(95))
  }
}
