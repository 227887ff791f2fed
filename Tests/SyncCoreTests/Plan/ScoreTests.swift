// SPDX-License-Identifier: Apache-2.0
import Glibc
import Testing

@testable import SyncCore

@Suite("the eviction score")
struct ScoreTests {
  struct Row: Sendable, CustomTestStringConvertible {
    var score: StoragePolicy.Score
    var plays: Int
    /// Days before now; nil: never.
    var played: Double?
    var completed: Double
    var expected: Double
    var testDescription: String { "\(score), \(plays) plays, played \(played ?? -1), completed \(completed)" }
  }

  private static let now = Timestamp(secondsSince1970: 1_800_000_000)

  @Test(
    "is what docs/manual/policy.md says, computed by hand",
    arguments: [
      // 365 days stand for never: 0.7 / (1 + 365/30) = 0.7 × 30/395
      Row(score: .classic, plays: 0, played: nil, completed: 0, expected: 0.053164556962),
      // 0.7 / (1 + 0) + 0.3 × log10(1)
      Row(score: .classic, plays: 1, played: 0, completed: 0, expected: 0.7),
      // 0.7 / (1 + 30/30) + 0.3 × log10(10)
      Row(score: .classic, plays: 10, played: 30, completed: 400, expected: 0.65),
      // whole days: 0.7 / (1 + 45/30) + 0.3 × log10(100)
      Row(score: .classic, plays: 100, played: 45.9, completed: 400, expected: 0.88),
      // 0.7 × 30/395 + 0.3 × log10(3) = 0.053164556962 + 0.3 × 0.477121254720
      Row(score: .classic, plays: 3, played: 365, completed: 400, expected: 0.196300933378),
      // plays are not capped: 0.7 / (1 + 0) + 0.3 × log10(1000)
      Row(score: .classic, plays: 1000, played: 0.99, completed: 0, expected: 1.6),
      // fresh and never played: 0.7 / (1 + 0)
      Row(score: .balanced, plays: 0, played: nil, completed: 0, expected: 0.7),
      // 0.7 / (1 + 30/30)
      Row(score: .balanced, plays: 0, played: nil, completed: 30, expected: 0.35),
      // fractional days: 0.7 / (1 + 1.5/30) + 0.3 × log10(10)/2 = 0.7/1.05 + 0.15
      Row(score: .balanced, plays: 10, played: 1.5, completed: 90, expected: 0.816666666667),
      // 0.7 / (1 + 60/30) + 0.3 × min(1, log10(100)/2)
      Row(score: .balanced, plays: 100, played: 60, completed: 200, expected: 0.533333333333),
      // capped: 0.7 / 3 + 0.3 × min(1, 3/2)
      Row(score: .balanced, plays: 1000, played: 60, completed: 200, expected: 0.533333333333),
      // completed after the last play: 0.7 / (1 + 3/30) + 0.3 × log10(2)/2 = 0.636363636364 + 0.15 × 0.301029995664
      Row(score: .balanced, plays: 2, played: 10, completed: 3, expected: 0.681518135713),
      // 0.7 / (1 + 7.25/30) + 0.3 × log10(5)/2 = 0.7 × 30/37.25 + 0.15 × 0.698970004336
      Row(score: .balanced, plays: 5, played: 7.25, completed: 100, expected: 0.668603889912),
      // times in the future count as now
      Row(score: .balanced, plays: 0, played: -5, completed: 3, expected: 0.7),
      Row(score: .classic, plays: 1, played: -5, completed: 3, expected: 0.7),
      // completion alone: 1 800 000 000 - 86 400
      Row(score: .oldest, plays: 50, played: 0, completed: 1, expected: 1_799_913_600),
      Row(score: .oldest, plays: 0, played: nil, completed: 0, expected: 1_800_000_000),
    ])
  func table(row: Row) {
    func before(_ days: Double) -> Timestamp {
      Timestamp(secondsSince1970: Self.now.secondsSince1970 - Int64(days * 86_400))
    }
    let terms = ScoreTerms(
      plays: PlayHistory(count: row.plays, lastPlayedAt: row.played.map(before)), completedAt: before(row.completed))
    #expect(abs(row.score.value(of: terms, at: Self.now) - row.expected) < 1e-11)
  }

  @Test("the logarithm of a power of ten is exact")
  func powersOfTen() {
    var power = 1
    for exponent in 0...18 {
      #expect(SyncCore.log10(power) == Double(exponent))
      if exponent < 18 { power *= 10 }
    }
  }

  @Test("other logarithms are right to 1e-15")
  func logarithms() {
    var random = SeededGenerator(2)
    let counts = Array(1...3000) + (0..<3000).map { _ in Int.random(in: 1...(1 << 52), using: &random) } + [Int.max]
    for count in counts {
      let expected = Glibc.log10(Double(count))
      let error = abs(SyncCore.log10(count) - expected)
      #expect(error <= 1e-15 * max(1e-300, expected), "log10(\(count))")
    }
  }

  /// The founding rule in its own words, as simply as can be: above 95 % of the budget the lowest scores go, until ten per
  /// cent are free.
  private func founding(_ files: [(id: ItemID, size: Int64, plays: Int, days: Int?)], budget: Int64) -> Set<ItemID> {
    func score(_ file: (id: ItemID, size: Int64, plays: Int, days: Int?)) -> Double {
      0.7 * (1 / (1 + Double(file.days ?? 365) / 30)) + 0.3 * Glibc.log10(Double(max(file.plays, 1)))
    }
    var used = files.map(\.size).reduce(0, +)
    var gone: Set<ItemID> = []
    guard used * 100 > budget * 95 else { return [] }
    for file in files.sorted(by: { score($0) < score($1) }) where used * 100 > budget * 85 {
      used -= file.size
      gone.insert(file.id)
    }
    return gone
  }

  @Test("classic with a target of 85 % evicts what the founding rule evicts")
  func founding() throws {
    var random = SeededGenerator(21)
    for _ in 0..<200 {
      var world = World()
      let budget: Int64 = 100_000
      world.manifest.storage.budget = ByteCount(budget)
      world.manifest.storage.evict.score = .classic
      world.manifest.storage.evict.target = .percent(85)
      // All of one size, so that none is spared; no two of one score.
      var files: [(id: ItemID, size: Int64, plays: Int, days: Int?)] = []
      for number in 0..<Int.random(in: 80...100, using: &random) {
        let named = try item("\(number)")
        let days = number == 0 ? nil : number * 3
        let plays = PlayHistory(
          count: Int.random(in: 0...500, using: &random),
          lastPlayedAt: days.map { World.start - .days($0) - .minutes(30) })
        try world.name(named)
        try world.remember(named, .completed(try stored("\(number)", size: 1000, age: 700)), plays: plays)
        files.append((named.id, 1000, plays.count, days))
      }
      let evicted = Set(world.plan().changes.filter { $0.action == .evict }.map(\.id))
      #expect(evicted == founding(files, budget: budget))
    }
  }
}
