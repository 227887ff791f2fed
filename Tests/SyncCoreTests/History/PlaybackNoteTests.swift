// SPDX-License-Identifier: Apache-2.0
import SyncCore
import Testing

@Suite("the records of the play command")
struct PlaybackNoteTests {
  static let now = Timestamp(secondsSince1970: 1_795_000_000)

  private struct Place {
    var queue: Queue
    var log = PlayLog()

    init() throws {
      var item = try item("a", duration: .seconds(200))
      item.artist = "x"
      queue = Queue(
        libraryID: "1", savedAt: now, items: [QueueItem(item: item, memberships: [], queuedAt: now - .days(500))])
    }

    mutating func merge(_ source: PlaySource, _ body: (inout HistoryMerge) -> Void) {
      var merge = HistoryMerge(queue, log: log, isLogWhole: true, roots: ["/l"], now: now)
      merge.begin(source, place: "/p")
      body(&merge)
      log = merge.log
      for item in queue.items(hearing: merge.changes) { queue[item.id] = item }
    }

    /// A playback that began and ended that many seconds ago.
    mutating func play(_ began: Int, _ ended: Int, _ player: PlaySource = .mpd, counts: Bool = true) throws {
      let note = PlaybackNote(
        item: try id("a"), began: now - .seconds(began), ended: now - .seconds(ended), player: player,
        verdict: PlayVerdict(counts: counts, mark: .finished))
      merge(player) { $0.take(note) }
    }

    mutating func hear(_ secondsAgo: Int, _ source: PlaySource) {
      merge(source) {
        $0.take(.listening(Listening(track: TrackReference(id: "a"), at: now - .seconds(secondsAgo))))
      }
    }

    mutating func counter(_ value: Int, _ secondsAgo: Int, _ source: PlaySource = .mpdStickers) {
      merge(source) {
        $0.take(
          .counter(
            PlayCounter(track: TrackReference(id: "a"), uri: "a.mp3", value: value, lastAt: now - .seconds(secondsAgo)))
        )
      }
    }

    var count: Int { queue.items.first?.plays.count ?? -1 }
  }

  @Test("count once, however often they are taken")
  func again() throws {
    var place = try Place()
    for _ in 0..<3 { try place.play(1000, 800) }
    #expect(place.count == 1)
    try place.play(800, 600)
    #expect(place.count == 2)
    try place.play(500, 490, counts: false)
    #expect(place.count == 2)
  }

  @Test("and once with what another program recorded of them, in both orders", arguments: [1000, 900, 800, 790])
  func others(_ secondsAgo: Int) throws {
    for source in [PlaySource.listens, .scrobblerLog] {
      var place = try Place()
      try place.play(1000, 800, .mpv)
      place.hear(secondsAgo, source)
      #expect(place.count == 1, "\(source)")
      var reversed = try Place()
      reversed.hear(secondsAgo, source)
      try reversed.play(1000, 800, .mpv)
      #expect(reversed.count == 1, "\(source)")
    }
  }

  @Test("a play at another time is another one")
  func different() throws {
    var place = try Place()
    try place.play(1000, 800)
    place.hear(2000, .listens)
    place.hear(100, .scrobblerLog)
    #expect(place.count == 3)
  }

  @Test("a counter of MPD grows by plays of one's own, which count once", arguments: [0, 200])
  func counters(_ back: Int) throws {
    // Some clients record the beginning, others the end.
    var place = try Place()
    place.counter(3, 5000)
    #expect(place.count == 3)
    try place.play(1000, 800)
    place.counter(4, 800 + back)
    #expect(place.count == 4)
    // Another client plays it.
    place.counter(5, 400)
    #expect(place.count == 5)
    try place.play(300, 100)
    place.counter(6, 100 + back)
    #expect(place.count == 6)
    place.counter(6, 100 + back)
    #expect(place.count == 6)
  }

  @Test("a counter of MPD says nothing of mpv")
  func otherPlayer() throws {
    var place = try Place()
    try place.play(1000, 800, .mpv)
    place.counter(1, 5000)
    #expect(place.count == 2)
  }

  @Test("an own playback with MPD may be in the counter before its record")
  func counterFirst() throws {
    var place = try Place()
    place.counter(1, 900)
    #expect(place.count == 1)
    try place.play(1000, 800)
    #expect(place.count == 1)
  }

  @Test("a record from the future waits, one from before the year 2000 is refused")
  func clock() throws {
    var place = try Place()
    try place.play(-200_000, -200_100)
    try place.play(1_700_000_000, 1_699_999_000)
    #expect(place.count == 0)
  }
}
