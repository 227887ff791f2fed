// SPDX-License-Identifier: Apache-2.0
import SyncCore
import Testing

@Suite("taking what was heard into the queue")
struct HistoryMergeTests {
  static let now = Timestamp(secondsSince1970: 1_795_000_000)

  private static func queue(_ names: [String] = ["a", "b"], plays: PlayHistory = .init()) throws -> Queue {
    let items = try names.map { name in
      var item = try item(name, duration: .seconds(200))
      item.artist = "x"
      return QueueItem(item: item, memberships: [], plays: plays, queuedAt: now - .days(500))
    }
    return Queue(libraryID: "1", savedAt: now, items: items)
  }

  private static func listening(
    _ name: String, _ secondsAgo: Int, played: Int? = nil, resolution: Listening.Resolution = .second
  ) -> HeardRecord {
    .listening(
      Listening(
        track: TrackReference(id: name), at: now - .seconds(secondsAgo), resolution: resolution,
        played: played.map { .seconds($0) }))
  }

  private static func counter(_ name: String, _ value: Int, _ secondsAgo: Int) -> HeardRecord {
    .counter(
      PlayCounter(track: TrackReference(id: name), uri: "\(name).mp3", value: value, lastAt: now - .seconds(secondsAgo))
    )
  }

  /// A library that keeps its state between two imports.
  private struct Place {
    var queue: Queue
    var log = PlayLog()
    var hasLog = true

    mutating func take(
      _ records: [HeardRecord], source: PlaySource = .listens, from file: String = "/p", now: Timestamp = now
    ) -> HistoryCounts {
      var merge = HistoryMerge(queue, log: log, isLogWhole: hasLog, roots: ["/l"], now: now)
      merge.begin(source, place: file)
      for record in records { merge.take(record) }
      log = merge.log
      hasLog = true
      for item in queue.items(hearing: merge.changes) { queue[item.id] = item }
      return merge.counts
    }

    func plays(_ name: String) throws -> PlayHistory { try #require(queue[try id(name)]).plays }
  }

  @Test("a mark as new forgets the position before it, and no play")
  func renewal() throws {
    var place = Place(queue: try Self.queue())
    _ = place.take([Self.listening("a", 1000), Self.listening("a", 500, played: 60)])
    let before = try place.plays("a")
    #expect(before.position != nil && before.count == 1)
    func mark(_ secondsAgo: Int) -> HeardRecord {
      .renewal(TrackReference(id: "a"), at: Self.now - .seconds(secondsAgo))
    }
    #expect(place.take([mark(600)], source: .gpodder).unheard == 1)
    #expect(try place.plays("a") == before)
    _ = place.take([mark(400), mark(400)], source: .gpodder)
    let after = try place.plays("a")
    #expect(after.position == nil && after.count == 1 && after.lastPlayedAt == before.lastPlayedAt)
  }

  typealias Part = (at: Int, started: Int, position: Int)

  private static let playedInParts: [([Part], Int)] = [
    ([(0, 0, 60), (600, 60, 150), (1200, 150, 200)], 1), ([(0, 0, 150), (600, 140, 200)], 1),
    ([(0, 100, 200)], 1), ([(0, 0, 200), (600, 0, 200)], 2), ([(0, 0, 200), (100_000, 90, 200)], 2),
    ([(600, 140, 200), (0, 0, 150)], 2), ([(0, 0, 40), (600, 40, 80)], 0),
    // Progress that is reported again and again.
    ([(0, 0, 110), (10, 0, 120), (60, 0, 170), (90, 0, 200)], 1), ([(0, 0, 200), (1, 0, 200)], 1),
  ]

  @Test(
    "an item that is played in parts counts once, also after a rewind; from the middle alone it counts as well",
    arguments: playedInParts)
  func parts(_ parts: [Part], _ count: Int) throws {
    var place = Place(queue: try Self.queue())
    let records = parts.map { part in
      HeardRecord.listening(
        Listening(
          track: TrackReference(id: "a"), at: Self.now - .days(5) + .seconds(part.at), started: .seconds(part.started),
          position: .seconds(part.position)))
    }
    #expect(place.take(records, source: .gpodder).counted == count)
    #expect(place.take(records.reversed(), source: .gpodder).counted == 0)
    #expect(try place.plays("a").count == count)
  }

  @Test("a play is counted once, however often it is imported")
  func once() throws {
    var place = Place(queue: try Self.queue())
    let records = [Self.listening("a", 100), Self.listening("a", 50), Self.listening("b", 70, played: 40)]
    let first = place.take(records)
    #expect((first.read, first.matched, first.counted, first.known) == (3, 3, 2, 0))
    #expect(try place.plays("a") == PlayHistory(count: 2, lastPlayedAt: Self.now - .seconds(50)))
    #expect(try place.plays("b").position == PlaybackPosition(offset: .seconds(40), at: Self.now - .seconds(70)))
    let (queue, log) = (place.queue, place.log)
    let second = place.take(records)
    #expect((second.counted, second.known) == (0, 2))
    #expect(place.queue == queue && place.log == log)
  }

  @Test("the same line twice in one file is one play")
  func twice() throws {
    var place = Place(queue: try Self.queue())
    #expect(place.take([Self.listening("a", 100), Self.listening("a", 100)]).counted == 1)
  }

  @Test("a time to the minute is the same play as one within that minute, on either side")
  func minutes() throws {
    let start = Self.now.secondsSince1970 % 60
    let minute = Int(start) + 600
    var place = Place(queue: try Self.queue())
    #expect(place.take([Self.listening("a", minute, resolution: .minute)]).counted == 1)
    #expect(place.take([Self.listening("a", minute - 33)]).counted == 0)
    #expect(place.take([Self.listening("a", minute - 93)]).counted == 1)
    #expect(place.take([Self.listening("b", minute - 33)]).counted == 1)
    #expect(place.take([Self.listening("b", minute, resolution: .minute)]).counted == 0)
    #expect(place.take([Self.listening("b", minute - 60, resolution: .minute)]).counted == 0)
    #expect(place.take([Self.listening("b", minute - 120, resolution: .minute)]).counted == 1)
  }

  @Test("what nobody can have heard, and what is of no item, is counted as such")
  func refused() throws {
    var place = Place(queue: try Self.queue())
    let counts = place.take([
      Self.listening("a", -90_000), Self.listening("a", 1_700_000_000), Self.listening("c", 10),
      .listening(Listening(track: TrackReference(id: "a"), at: Timestamp(secondsSince1970: .max))),
      .listening(Listening(track: TrackReference(id: "a"), at: Timestamp(secondsSince1970: .min))),
    ])
    #expect((counts.read, counts.refused, counts.unmatched, counts.matched) == (5, 4, 1, 0))
    #expect(try place.plays("a") == PlayHistory())
  }

  @Test("of a counter only the growth counts; one that shrank begins anew, an older copy of it does not")
  func counters() throws {
    var place = Place(queue: try Self.queue())
    #expect(place.take([Self.counter("a", 5, 900)], source: .mpdStickers).counted == 5)
    #expect(place.take([Self.counter("a", 5, 900)], source: .mpdStickers).counted == 0)
    #expect(place.take([Self.counter("a", 7, 800)], source: .mpdStickers).counted == 2)
    #expect(place.take([Self.counter("a", 2, 700)], source: .mpdStickers).counted == 2)
    #expect(place.take([Self.counter("a", 3, 600)], source: .mpdStickers).counted == 1)
    #expect(place.take([Self.counter("a", 2, 700)], source: .mpdStickers).counted == 0)
    #expect(try place.plays("a") == PlayHistory(count: 10, lastPlayedAt: Self.now - .seconds(600)))
    #expect(place.take([Self.counter("a", 4, 500)], source: .mpdcron).counted == 4, "another source is another counter")
  }

  @Test("a counter whose file was copied or moved goes on from where it was")
  func movedCounter() throws {
    var place = Place(queue: try Self.queue())
    #expect(place.take([Self.counter("a", 5, 900)], source: .mpdStickers, from: "/old").counted == 5)
    #expect(place.take([Self.counter("a", 5, 900)], source: .mpdStickers, from: "/copy").counted == 0)
    #expect(place.take([Self.counter("a", 6, 800)], source: .mpdStickers, from: "/copy").counted == 1)
    #expect(place.take([Self.counter("a", 8, 700)], source: .mpdStickers, from: "/moved").counted == 2)
    #expect(place.take([Self.counter("a", 5, 900)], source: .mpdStickers, from: "/backup").counted == 0)
    #expect(place.take([Self.counter("a", 5, 900)], source: .mpdStickers, from: "/old").counted == 0)
    #expect(try place.plays("a").count == 8)
  }

  @Test("plays that both a listening and a counter tell of are counted once")
  func twoTellers() throws {
    var place = Place(queue: try Self.queue())
    #expect(place.take([Self.listening("a", 900), Self.listening("a", 800), Self.listening("b", 700)]).counted == 3)
    #expect(place.take([Self.counter("a", 2, 800), Self.counter("b", 1, 650)], source: .mpdcron).counted == 1)
    #expect(place.take([Self.listening("a", 600), Self.listening("a", 500), Self.listening("b", 650)]).counted == 2)
    #expect(place.take([Self.counter("a", 5, 500)], source: .mpdcron).counted == 1, "one that only the counter knows")
    #expect(place.take([Self.counter("a", 5, 500)], source: .mpdcron).counted == 0)
    #expect(try place.plays("a") == PlayHistory(count: 5, lastPlayedAt: Self.now - .seconds(500)))
  }

  @Test("a counter that grew by plays which may be among the sums adds none")
  func counterOfSums() throws {
    var place = Place(queue: try Self.queue())
    #expect(place.take([Self.counter("a", 2, 90_000)], source: .mpdcron).counted == 2)
    place.hasLog = false
    place.queue[try id("a")]?.plays = PlayHistory(count: 4, lastPlayedAt: Self.now - .seconds(500))
    #expect(place.take([Self.counter("a", 4, 600)], source: .mpdcron).counted == 0)
    #expect(place.take([Self.counter("a", 5, 400)], source: .mpdcron).counted == 1)
  }

  @Test("a play that lies ahead of the clock is heard once, and again by nobody until its time has come")
  func ahead() throws {
    var place = Place(queue: try Self.queue())
    #expect(place.take([Self.listening("a", -3600)]).counted == 1)
    #expect(try place.plays("a") == PlayHistory(count: 1, lastPlayedAt: Self.now))
    #expect(place.take([Self.listening("a", -3600)], now: Self.now + .minutes(10)).counted == 0)
    #expect(try place.plays("a") == PlayHistory(count: 1, lastPlayedAt: Self.now))
  }

  @Test("a count that was not saved follows from the log")
  func crash() throws {
    var place = Place(queue: try Self.queue())
    _ = place.take([Self.listening("a", 100), Self.listening("a", 50)])
    place.queue = try Self.queue()
    #expect(place.take([Self.listening("a", 100)]).counted == 0)
    #expect(try place.plays("a") == PlayHistory(count: 2, lastPlayedAt: Self.now - .seconds(50)))
  }

  @Test("without a log, what was heard up to an item's last play is not counted again")
  func lostLog() throws {
    let plays = PlayHistory(count: 3, lastPlayedAt: Self.now - .seconds(500))
    var place = Place(queue: try Self.queue(plays: plays), hasLog: false)
    #expect(place.take([Self.listening("a", 600), Self.listening("a", 500), Self.listening("a", 400)]).counted == 1)
    #expect(place.take([Self.listening("a", 600), Self.listening("a", 500), Self.listening("a", 400)]).counted == 0)
    #expect(place.take([Self.counter("b", 9, 300)], source: .mpdcron).counted == 1)
    #expect(try place.plays("b").count == 4)
  }

  @Test("plays older than 400 days become sums, and are still known")
  func folding() throws {
    var place = Place(queue: try Self.queue())
    let old = (0..<300).map { Self.listening("a", 86_400 * 401 + $0 * 300) }
    let recent = [Self.listening("a", 1000), Self.listening("b", 2000)]
    #expect(place.take(old + recent).counted == 302)
    #expect(place.log.isWorthFolding(at: Self.now))
    let lines = place.log.folded(at: Self.now)
    #expect(lines.count == 3)
    place.log = lines.reduce(into: PlayLog()) { $0.add($1) }
    #expect(!place.log.isWorthFolding(at: Self.now))
    let again = place.take(old + recent)
    #expect((again.counted, again.known) == (0, 302))
    #expect(place.log.folded(at: Self.now) == lines)
  }

  @Test("neither the order of listenings matters, nor in how many imports they come", arguments: 0..<200)
  func order(seed: Int) throws {
    var random = SeededGenerator(seed)
    let records = (0..<20).map { _ in
      Self.listening(
        ["a", "b", "c"].randomElement(using: &random) ?? "a", Int.random(in: 0..<8, using: &random) * 100,
        played: [nil, 20, 40, 90, 110, 199].randomElement(using: &random) ?? nil)
    }
    var whole = Place(queue: try Self.queue())
    _ = whole.take(records)
    var pieces = Place(queue: try Self.queue())
    for record in records.shuffled(using: &random) { _ = pieces.take([record]) }
    _ = pieces.take(records)
    for name in ["a", "b"] { #expect(try whole.plays(name) == pieces.plays(name)) }
    #expect(Set(whole.log.folded(at: Self.now).map(\.moment)) == Set(pieces.log.folded(at: Self.now).map(\.moment)))
  }
}

extension PlayLog.Line {
  fileprivate var moment: String {
    switch self {
    case .play(let id, let play, _): "\(id) \(play.at.rfc3339)"
    case .folded(let id, let until, let total): "\(id) \(until.rfc3339) \(total)"
    case .counter(let key, let counter): "\(key) \(counter)"
    }
  }
}
