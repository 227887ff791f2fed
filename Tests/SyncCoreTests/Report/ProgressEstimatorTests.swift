// SPDX-License-Identifier: Apache-2.0
import SyncCore
import Testing

@Suite("the estimate of rate and time left")
struct ProgressEstimatorTests {
  /// One second of a transfer, in twentieths, at so many bytes a second.
  private static func feed(_ estimator: inout ProgressEstimator, from second: Int, rate: Int64) {
    for tick in 1...20 {
      estimator.add(ByteCount(rate / 20), at: .milliseconds(second * 1000 + tick * 50))
    }
  }

  private static func steady(_ rate: Int64, seconds: Int) -> ProgressEstimator {
    var estimator = ProgressEstimator(startingAt: .zero)
    for second in 0..<seconds { feed(&estimator, from: second, rate: rate) }
    return estimator
  }

  @Test("says nothing before a second is over")
  func warmUp() {
    var estimator = ProgressEstimator(startingAt: .seconds(5))
    estimator.add(ByteCount(100_000), at: .milliseconds(5500))
    #expect(estimator.rate(at: .milliseconds(5999)) == nil)
    #expect(estimator.timeLeft(for: ByteCount(1), at: .milliseconds(5999)) == nil)
    #expect(estimator.rate(at: .seconds(6)) != nil)
  }

  @Test("is exact for a steady transfer, from the first second on", arguments: [1, 2, 5, 30, 600])
  func steadyRate(seconds: Int) throws {
    let rate = try #require(Self.steady(1_000_000, seconds: seconds).rate(at: .seconds(seconds)))
    #expect(abs(rate - 1_000_000) < 1000)
  }

  @Test("the time left is what remains at that rate")
  func timeLeft() throws {
    let left = try #require(
      Self.steady(1_000_000, seconds: 20).timeLeft(for: ByteCount(30_000_000), at: .seconds(20)))
    #expect(abs(left.inSeconds - 30) < 0.1)
  }

  @Test("follows a new rate within some twenty seconds, and has gone most of the way after ten")
  func newRate() throws {
    var estimator = Self.steady(1_000_000, seconds: 60)
    for second in 60..<70 { Self.feed(&estimator, from: second, rate: 100_000) }
    let half = try #require(estimator.rate(at: .seconds(70)))
    #expect((150_000...550_000).contains(half))
    for second in 70..<90 { Self.feed(&estimator, from: second, rate: 100_000) }
    let whole = try #require(estimator.rate(at: .seconds(90)))
    #expect((100_000...125_000).contains(whole))
  }

  @Test("a pause of a second lowers it by less than a tenth; one of a minute nearly to nothing")
  func pauses() throws {
    let estimator = Self.steady(1_000_000, seconds: 60)
    let short = try #require(estimator.rate(at: .seconds(61)))
    #expect(short > 950_000 && short < 1_000_000)
    let long = try #require(estimator.rate(at: .seconds(120)))
    #expect(long < 1000)
  }

  @Test("bursts every two seconds make it swing by less than a tenth")
  func bursts() throws {
    var estimator = ProgressEstimator(startingAt: .zero)
    var seen: [Double] = []
    for tick in 1...600 {
      if tick % 20 == 0 { estimator.add(ByteCount(2_000_000), at: .milliseconds(tick * 100)) }
      if tick > 300 { seen.append(try #require(estimator.rate(at: .milliseconds(tick * 100)))) }
    }
    let (least, most) = (try #require(seen.min()), try #require(seen.max()))
    #expect(least > 900_000 && most < 1_100_000)
  }

  @Test("how the same bytes are cut into samples makes no difference")
  func cuts() throws {
    for seed in 1...20 {
      var generator = SeededGenerator(seed)
      var fine = ProgressEstimator(startingAt: .zero)
      var coarse = ProgressEstimator(startingAt: .zero)
      for second in 0..<30 {
        let bytes = Int64.random(in: 0...1000, using: &generator) * 10
        for part in 1...10 { fine.add(ByteCount(bytes / 10), at: .milliseconds(second * 1000 + part * 100)) }
        coarse.add(ByteCount(bytes), at: .seconds(second + 1))
      }
      let (a, b) = (try #require(fine.rate(at: .seconds(30))), try #require(coarse.rate(at: .seconds(30))))
      #expect(abs(a - b) < 1, "seed \(seed)")
    }
  }

  @Test("lies between the slowest and the fastest that was seen, whatever comes")
  func bounds() throws {
    for seed in 1...50 {
      var generator = SeededGenerator(seed)
      var estimator = ProgressEstimator(startingAt: .seconds(3))
      var (least, most) = (Double.infinity, 0.0)
      var time = Duration.seconds(3)
      for _ in 0..<200 {
        let step = Duration.milliseconds(Int.random(in: 100...3000, using: &generator))
        let bytes = Int64.random(in: 0...5_000_000, using: &generator)
        time += step
        estimator.add(ByteCount(bytes), at: time)
        least = min(least, Double(bytes) / step.inSeconds)
        most = max(most, Double(bytes) / step.inSeconds)
        guard let rate = estimator.rate(at: time) else { continue }
        #expect(rate >= least * 0.999 && rate <= most * 1.001, "seed \(seed)")
      }
    }
  }

  @Test("is unknown while nothing comes, and beyond a year")
  func unknown() {
    let idle = ProgressEstimator(startingAt: .zero)
    #expect(idle.rate(at: .seconds(10)) == 0)
    #expect(idle.timeLeft(for: ByteCount(1), at: .seconds(10)) == nil)
    #expect(Self.steady(20, seconds: 20).timeLeft(for: ByteCount(.max), at: .seconds(20)) == nil)
    #expect(Self.steady(20, seconds: 20).timeLeft(for: .zero, at: .seconds(20)) == .zero)
  }
}
