// SPDX-License-Identifier: Apache-2.0
import SyncTestSupport
import Testing

@testable import SyncCore

@Suite("a full library, day after day")
struct SteadyStateTests {
  struct Case: CustomTestStringConvertible, Sendable {
    var score: StoragePolicy.Score
    var trigger: Int
    var target: Int
    var hasBacklog: Bool
    var order: Selection.Order

    var isWhole: Bool { trigger == 95 && target == 85 && hasBacklog && order == .newest }

    var testDescription: String {
      "\(score), \(trigger)/\(target), \(hasBacklog ? "backlog" : "no backlog"), \(order) first"
    }
  }

  private static let cases = StoragePolicy.Score.allCases.flatMap { score in
    [(95, 85), (95, 95), (100, 50), (80, 79)].flatMap { trigger, target in
      [true, false].flatMap { hasBacklog in
        Selection.Order.allCases.map { order in
          Case(score: score, trigger: trigger, target: target, hasBacklog: hasBacklog, order: order)
        }
      }
    }
  }
  /// One case of each score has three hundred episodes. The others have a quarter of them, of four times the size.
  private static let whole = cases.filter { $0.isWhole }
  static let share = whole + Torture.share(of: cases.filter { !$0.isWhole }, atMost: 12)

  @Test("sixty days of a daily feed fetch the sixty new episodes and nothing else", arguments: share)
  func daily(_ it: Case) throws {
    let (size, budget): (Int64, Int64) = (it.isWhole ? 300_000 : 1_200_000, 40_000_000)
    var life = FeedLife(budget: budget, it.score, trigger: it.trigger, target: it.target)
    // Without a backlog the episodes of the first day just fit below `trigger`.
    let count = it.hasBacklog ? (it.isWhole ? 300 : 75) : Int(budget * Int64(it.trigger) / 100 / size)
    try life.addShow("daily", Array(repeating: size, count: count), order: it.order)
    life.run("\(it)")
    for day in 1...60 {
      life.nextDay()
      try life.publish(size)
      life.run("\(it)", isRepeated: day % 6 == 1)
      if day % 6 == 0 { life.expectOrder("\(it)") }
    }
    #expect(life.fetched <= life.appeared)
    switch it.order {
    // Each new episode is fetched, and one is evicted for it: by twos and threes, or a tenth of the library at once.
    case .newest:
      #expect(life.fetched == life.appeared)
      #expect(life.evictions >= 60 && life.evictions <= 60 + count / 2)
    // The story has no gaps: its later parts wait for the earlier ones.
    case .oldest: #expect(life.evictions == 0 && life.fetched == .zero)
    }
    let (simulated, first) = (life.simulated(days: 61), life.simulated(days: 1))
    #expect(simulated.bytesFetched - first.bytesFetched == life.fetched)
    #expect(simulated.evictions == life.evictions)
    print(
      "60 days | \(it.score) | \(it.trigger) % / \(it.target) % | \(it.hasBacklog ? "yes" : "no") | \(it.order) | "
        + "\(life.appeared.bytes / 1000) kB | \(life.fetched.bytes / 1000) kB | \(life.evictions) |")
  }

  @Test("at the same time of the next day, nothing newer goes for what is a few minutes too young")
  func youngerByMinutes() throws {
    var life = FeedLife(budget: 4_000_000)
    try life.addShow("daily", Array(repeating: 100_000, count: 100))
    life.run("first")
    for _ in 1...20 {
      life.nextDay(hour: 0)
      try life.publish(100_000)
      life.run("same hour", after: .minutes(1))
      life.expectOrder("same hour")
    }
    #expect(life.fetched == life.appeared)
  }

  @Test("whatever the sizes, shows, shares, plays, pins and retries, only what is new or asked for is fetched")
  func varied() throws {
    var random = SeededGenerator(31)
    for round in 0..<(Torture.isWhole ? 60 : 15) {
      let marks = [(95, 85), (95, 95), (90, 40)].randomElement(using: &random) ?? (95, 85)
      let isEqual = Bool.random(using: &random)
      let areSizesKnown = Int.random(in: 0..<4, using: &random) > 0
      var life = FeedLife(
        budget: 6_000_000, StoragePolicy.Score.allCases.randomElement(using: &random) ?? .balanced, trigger: marks.0,
        target: marks.1, areSizesKnown: areSizesKnown)
      let comment = "round \(round), \(life.paper.manifest.storage.evict.score) \(marks), \(isEqual) \(areSizesKnown)"
      let shows = Int.random(in: 1...3, using: &random)
      func size() -> Int64 { isEqual ? 100_000 : .random(in: 20_000...400_000, using: &random) }
      for show in 0..<shows {
        try life.addShow(
          "show\(show)", (0..<Int.random(in: 5...60, using: &random)).map { _ in size() },
          order: Bool.random(using: &random) ? .newest : .oldest,
          share: Bool.random(using: &random) ? .random(in: 20...60, using: &random) : nil)
      }
      life.run(comment)
      for day in 1...25 {
        life.nextDay(hour: day % 3)
        for show in 0..<shows where Int.random(in: 0..<3, using: &random) > 0 { try life.publish(size(), in: show) }
        try disturb(&life, &random)
        life.run(comment, after: .minutes(1))
        if day % 5 == 0, isEqual, shows == 1 { life.expectOrder(comment) }
      }
      // A small file may find room again after a week. One of the usual size does not.
      if isEqual { #expect(life.cameAgain.isEmpty, "\(comment)") }
      // If no size is known beforehand, the first run may leave room that the second one fills.
      if areSizesKnown { #expect(life.fetched <= life.appeared + life.retried, "\(comment)") }
    }
  }

  /// Somebody plays, pins or asks for something.
  private func disturb(_ life: inout FeedLife, _ random: inout SeededGenerator) throws {
    let items = life.paper.queue.items
    guard let item = items.randomElement(using: &random) else { return }
    let now = life.paper.now
    switch (Int.random(in: 0..<6, using: &random), item.state) {
    case (0, .completed), (1, .completed):
      life.change(item.id) { $0.plays = PlayHistory(count: $0.plays.count + 1, lastPlayedAt: now - .minutes(5)) }
    case (2, .completed): life.change(item.id) { $0.pinned = true }
    case (3, .queued), (3, .removed): try life.retry(item.id)
    default: break
    }
  }
}
