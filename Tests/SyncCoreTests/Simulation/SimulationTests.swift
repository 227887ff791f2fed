// SPDX-License-Identifier: Apache-2.0
import SyncCore
import SyncTestSupport
import Testing

@Suite("ninety days on paper")
struct SimulationTests {
  @Test(
    "never exceed the budget, and bring nothing back within a week that nobody asked for",
    arguments: Torture.isWhole ? StoragePolicy.Score.allCases : [.balanced])
  func player(_ score: StoragePolicy.Score) throws {
    let life = try PlayerLife(seed: 64)
    var manifest = try life.manifest
    manifest.storage.evict.score = score
    var most = ByteCount.zero
    let outcome = life.simulation().outcome(under: manifest) { library, _ in
      let finished = library.queue.items.compactMap { $0.state.storedFile?.size }.sum()
      most = max(most, finished + library.seen.trashBytes)
    }
    #expect(most <= PlayerLife.budget * .percent(95))
    #expect(outcome.peak == most)
    #expect(outcome.earlyReturns == 0)
    #expect(outcome.evictions > 100)
    #expect(outcome.plays > 3000)
    let rate = try #require(outcome.hitRate)
    #expect(rate > 0.5)
    print(
      "simulation: \(score): \((rate * 1000).rounded() / 10) % of \(outcome.plays) plays, \(outcome.downloads) downloads of \(outcome.bytesFetched.bytes / 1_000_000_000) GB, \(outcome.evictions) evictions, \(outcome.removals) removals"
    )
  }

  private let day = Timestamp(secondsSince1970: 1_800_000_000)

  private func life(_ name: String, size: Int64 = 100, appears: Int = 0, held: Int? = nil) throws -> Simulation.Life {
    Simulation.Life(
      item: try item(name), memberships: [Membership(playlist: try playlistName("mix"), position: 1)],
      size: ByteCount(size), appearedAt: day + .days(appears), heldSince: held.map { day + .days($0) })
  }

  private func manifest(budget: Int64) throws -> Manifest {
    var manifest = Manifest(name: "m", library: LibrarySettings(path: "/library"))
    manifest.storage.budget = ByteCount(budget)
    manifest.playlists = [Playlist(name: try playlistName("mix"), source: .items([]))]
    return manifest
  }

  @Test("a play of what is here is a hit, of what is not yet or no longer here a miss")
  func hits() throws {
    let lives = try [life("a", held: -5), life("b", appears: 2)]
    let plays = try [
      Simulation.Play(id: id("a"), at: day + .hours(1)), Simulation.Play(id: id("b"), at: day + .hours(2)),
      Simulation.Play(id: id("b"), at: day + .days(2) + .hours(1)), Simulation.Play(id: id("x"), at: day + .hours(3)),
      Simulation.Play(id: id("a"), at: day - .hours(1)), Simulation.Play(id: id("a"), at: day + .days(9)),
    ]
    let outcome = Simulation(lives, plays: plays, from: day, days: 3).outcome(under: try manifest(budget: 1000))
    #expect(outcome.plays == 4)
    #expect(outcome.hits == 2)
    #expect(outcome.misses == 2)
    #expect(outcome.downloads == 1)
    #expect(outcome.bytesFetched == ByteCount(100))
    #expect(outcome.peak == ByteCount(200))
  }

  @Test("plays that a counter told of all happen at the time of the last, and none of them before")
  func counted() throws {
    var remembered = QueueItem(
      item: try item("a"), memberships: [Membership(playlist: try playlistName("mix"), position: 1)],
      plays: PlayHistory(count: 6, lastPlayedAt: day - .days(1)), queuedAt: day - .days(20))
    remembered.complete(try storedFile("mix/a.mp3", completedAt: day - .days(20)))
    var log = PlayLog()
    log.add(.play(remembered.id, PlayLog.Play(at: day - .days(40), source: .played), total: 1))
    log.add(.play(remembered.id, PlayLog.Play(at: day - .days(1), source: .mpdcron, count: 5), total: 6))
    let queue = Queue(libraryID: "1", savedAt: day, items: [remembered])
    let manifest = try manifest(budget: 10_000)
    let (simulation, _) = Simulation.remembered(queue, log: log, manifest: manifest, until: day, days: 10)
    var first: Int?
    var last = 0
    let outcome = simulation.outcome(under: manifest) { library, _ in
      last = library.queue[remembered.id]?.plays.count ?? 0
      if first == nil { first = last }
    }
    #expect((outcome.plays, outcome.hits) == (5, 5))
    #expect((first, last) == (1, 6))
  }

  @Test("counters that were damaged, whatever they tell, are no more than can be added up")
  func damagedCounters() throws {
    var log = PlayLog()
    let items = try ["a", "b"].map { name in
      let file = try storedFile("mix/\(name).mp3", completedAt: day - .days(50))
      return QueueItem(
        item: try item(name), memberships: [Membership(playlist: try playlistName("mix"), position: 1)],
        state: .completed(file), plays: PlayHistory(count: .max, lastPlayedAt: day - .days(1)),
        queuedAt: day - .days(60))
    }
    for item in items {
      log.add(.play(item.id, PlayLog.Play(at: day - .days(1), source: .mpdcron, count: .max), total: .max))
    }
    let manifest = try manifest(budget: 10_000)
    let (simulation, _) = Simulation.remembered(
      Queue(libraryID: "1", savedAt: day, items: items), log: log, manifest: manifest, until: day, days: 10)
    let outcome = simulation.outcome(under: manifest)
    #expect(outcome.hits == outcome.plays && outcome.plays > 1 << 32)
  }

  @Test("an item is known since it first was, however often it came back, and of the size that it last had")
  func comesBack() throws {
    var remembered = QueueItem(
      item: try item("a"), memberships: [Membership(playlist: try playlistName("mix"), position: 1)],
      plays: PlayHistory(count: 2, lastPlayedAt: day - .days(2)), queuedAt: day - .days(20))
    let file = try storedFile("mix/a.mp3", size: 70, completedAt: day - .days(19))
    remembered.remove(Removal(cause: .user, at: day - .days(4), file: file))
    remembered = try #require(try QueueEdit.retry.applied(to: remembered, now: day - .days(1)))
    #expect(remembered.queuedAt == day - .days(1) && remembered.knownSince == day - .days(20))
    var log = PlayLog()
    for (total, days) in [(1, 8), (2, 2)] {
      log.add(.play(remembered.id, PlayLog.Play(at: day - .days(days), source: .played), total: total))
    }
    let queue = Queue(libraryID: "1", savedAt: day, items: [remembered])
    let (simulation, omissions) = Simulation.remembered(
      queue, log: log, manifest: try manifest(budget: 1000), until: day, days: 30)
    #expect(omissions == Simulation.Omissions())
    let outcome = simulation.outcome(under: try manifest(budget: 1000))
    #expect((outcome.plays, outcome.hits, outcome.bytesFetched) == (2, 2, ByteCount(70)))
  }

  @Test("what is evicted and played comes back, and is counted as fetched again")
  func refetch() throws {
    let lives = try [life("a", size: 500, held: -50), life("b", size: 500, appears: 1)]
    let plays = try [
      Simulation.Play(id: id("a"), at: day + .days(2) + .hours(1)),
      Simulation.Play(id: id("a"), at: day + .days(4) + .hours(1)),
    ]
    let outcome = Simulation(lives, plays: plays, from: day, days: 6).outcome(under: try manifest(budget: 1000))
    // The first time it is gone for the newcomer; then it is here again, as the newcomer is old enough to go.
    #expect(outcome.evictions == 2)
    #expect(outcome.hits == 1)
    #expect(outcome.downloads == 2)
    #expect(outcome.earlyReturns == 0)
  }

  @Test("without a play there is no rate")
  func noPlays() throws {
    let outcome = Simulation([], plays: [], from: day, days: 2).outcome(under: try manifest(budget: 10))
    #expect(outcome.hitRate == nil)
    #expect(outcome.days == 2)
  }
}
