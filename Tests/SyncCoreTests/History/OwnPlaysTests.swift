// SPDX-License-Identifier: Apache-2.0
import SyncCore
import Testing

/// One song on a server that counts plays, a library that pulls and pushes, and devices that play.
private struct Exchange {
  static let start = Timestamp(secondsSince1970: 1_795_000_000)

  private(set) var now = start
  private(set) var queue: Queue
  private(set) var serverCount = 0
  private var serverLast: Timestamp?
  private var log = PlayLog()
  private var outbox = Outbox()
  private let server: HistoryServer
  private let id: ItemID
  private var song: RemoteURL

  /// - Parameters:
  ///   - fetched: The end of a download of the song into the library: of a stream, unless one is still to come.
  ///   - isStreamed: True if a stream is to come.
  init(_ direction: HistoryServer.Direction = .both, fetched: Timestamp? = nil, isStreamed: Bool = false) throws {
    let media = MediaServer(
      name: try #require(PlaylistName("home")), kind: .subsonic, url: try RemoteURL("http://h.example"),
      auth: AuthSettings())
    server = HistoryServer(media, direction)
    song = try #require(SubsonicURL.download("7", of: media.url))
    var item = try item(
      "a", url: fetched == nil && !isStreamed ? song.text : SubsonicURL.qualities(of: song, wanted: .low)?.low?.text)
    item.duration = .seconds(200)
    id = item.id
    var state = ItemState.queued(.init())
    if let fetched {
      let (path, digest) = (
        try #require(LibraryPath("a.mp3")), try #require(SHA256Digest(hex: String(repeating: "0", count: 64)))
      )
      state = .completed(
        StoredFile(
          path: path, size: ByteCount(1), sha256: digest, completedAt: fetched, quality: isStreamed ? .source : .low))
    }
    let queued = QueueItem(item: item, memberships: [], state: state, queuedAt: Self.start)
    queue = Queue(libraryID: "1", savedAt: Self.start, items: [queued])
    outbox.add(.server(media.name, .init(since: Self.start)))
  }

  var plays: PlayHistory { queue[id]?.plays ?? PlayHistory() }

  /// The server gives the song another id, and the library has read it.
  mutating func renumber() throws {
    song = try #require(SubsonicURL.download("8", of: server.server.url))
    queue[id]?.item.main = Candidate(url: song)
  }

  mutating func pass(_ seconds: Int) { now = now + .seconds(seconds) }

  mutating func playElsewhere(at time: Timestamp) {
    serverCount += 1
    serverLast = max(serverLast ?? time, time)
  }

  mutating func playHere(at time: Timestamp) {
    let listening = Listening(track: TrackReference(id: id.text), at: time)
    take([.listening(listening)], .listens, OwnPlays())
  }

  private mutating func take(_ records: [HeardRecord], _ source: PlaySource, _ own: OwnPlays) {
    var merge = HistoryMerge(queue, log: log, isLogWhole: true, roots: ["/l"], now: now)
    merge.begin(source, place: "home", own: own)
    for record in records { merge.take(record) }
    log = merge.log
    for item in queue.items(hearing: merge.changes) { queue[item.id] = item }
  }

  enum Fate: CaseIterable { case answered, lostAnswer, lostRequest }

  mutating func run(_ fates: () -> Fate = { .answered }) {
    let name = server.server.name
    if server.pulls, let serverLast {
      let own = OwnPlays(pushes: outbox.countedPushes(to: name), in: queue, at: server.server)
      let counter = PlayCounter(
        track: TrackReference(url: song.text), uri: song.text, value: serverCount, lastAt: serverLast)
      take([.counter(counter)], .subsonic, own)
      let known = Outbox.Message(server: name, item: id, at: serverLast)
      if outbox.state(of: known) != .pushed { outbox.add(.message(known, .pushed)) }
    }
    for message in outbox.messages(for: name, .sent) {
      let push = CountedPush(at: message.at, count: outbox.play(of: message)?.count ?? 0, isCertain: false)
      outbox.add(.message(message, push.hasArrived(count: serverCount, last: serverLast) ? .pushed : .waiting))
    }
    for line in outbox.newMessages(for: server, in: log, at: now, { _ in .song(id: "7") }) { outbox.add(line) }
    for message in outbox.messages(for: name, .waiting) {
      outbox.add(.message(message, .sent, count: serverCount))
      let fate = fates()
      if fate != .lostRequest { playElsewhere(at: message.at) }
      guard fate == .answered else { break }
      outbox.add(.message(message, .pushed))
    }
  }
}

@Suite("plays that a server counts")
struct OwnPlaysTests {
  @Test(
    "with devices that play, late reports and lost answers, each play counts once on both sides", arguments: 1...200)
  func simulated(seed: Int) throws {
    var random = SeededGenerator(seed)
    var exchange = try Exchange()
    var total = 0
    var times: Set<Timestamp> = []
    for _ in 0..<40 {
      exchange.pass(Int.random(in: 400...4000, using: &random))
      // Some plays are told weeks after they took place.
      let late = Int.random(in: 0..<4, using: &random) == 0 ? Int.random(in: 1...300, using: &random) : 0
      let time = max(Exchange.start + .seconds(1), exchange.now - .seconds(late * 1000 + 7))
      switch Int.random(in: 0..<4, using: &random) {
      case 0 where times.insert(time).inserted:
        exchange.playElsewhere(at: time)
        total += 1
      case 1 where times.insert(time).inserted:
        exchange.playHere(at: time)
        total += 1
      default:
        exchange.run { Exchange.Fate.allCases.randomElement(using: &random) ?? .answered }
        // A play of somebody else before the next run could be taken for the one without an answer.
        exchange.run()
      }
    }
    for _ in 0..<3 { exchange.run() }
    #expect(exchange.plays.count == total && exchange.serverCount == total)
  }

  @Test("a count that is pulled after pushes has only the plays of others")
  func pushesFirst() throws {
    var exchange = try Exchange()
    exchange.playHere(at: Exchange.start + .seconds(5))
    exchange.pass(10)
    exchange.run()
    exchange.playElsewhere(at: Exchange.start + .seconds(400))
    exchange.pass(1000)
    exchange.run()
    #expect(exchange.plays.count == 2 && exchange.serverCount == 2)
  }

  @Test(
    "a stream into the library is no play, however often it was begun; a later play is one, whether the server counts streams or not",
    arguments: [(0, 0), (1, 0), (4, 0), (0, 1), (1, 1), (4, 1), (0, 2)])
  func streams(counted: Int, played: Int) throws {
    let end = Exchange.start + .minutes(100)
    var exchange = try Exchange(.pull, fetched: end)
    exchange.pass(6100)
    for attempt in 0..<counted { exchange.playElsewhere(at: end - .minutes(20 - attempt)) }
    exchange.run()
    #expect(exchange.plays == PlayHistory())
    for play in 0..<played { exchange.playElsewhere(at: end + .minutes(70 + play)) }
    exchange.pass(7200)
    exchange.run()
    #expect(exchange.plays.count == (counted > 0 ? played : min(1, played)))
    exchange.playElsewhere(at: exchange.now)
    exchange.run()
    #expect(exchange.plays.count == (counted > 0 ? played : min(1, played)) + 1)
  }

  @Test("nothing counts while a song is still to be streamed, or to be replaced by a stream", arguments: [true, false])
  func unfinished(isReplaced: Bool) throws {
    var exchange = try Exchange(.pull, fetched: isReplaced ? Exchange.start : nil, isStreamed: true)
    for _ in 0..<3 {
      exchange.pass(1000)
      for _ in 0..<4 { exchange.playElsewhere(at: exchange.now) }
      exchange.run()
    }
    #expect(exchange.plays == PlayHistory())
  }

  @Test("a song that gets another id counts on")
  func otherID() throws {
    var exchange = try Exchange()
    for minute in 1...3 { exchange.playElsewhere(at: Exchange.start + .minutes(minute)) }
    exchange.pass(1000)
    exchange.run()
    exchange.playHere(at: exchange.now)
    exchange.pass(10)
    exchange.run()
    try exchange.renumber()
    exchange.pass(1000)
    exchange.run()
    #expect(exchange.plays.count == 4 && exchange.serverCount == 4)
  }
}
