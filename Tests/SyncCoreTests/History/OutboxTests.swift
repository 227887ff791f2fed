// SPDX-License-Identifier: Apache-2.0
import SyncCore
import Testing

@Suite("the outbox of plays")
struct OutboxTests {
  private static let since = Timestamp(secondsSince1970: 1_790_000_000)
  private let server: HistoryServer
  private let (a, b): (ItemID, ItemID)

  init() throws {
    let pods = MediaServer(
      name: try #require(PlaylistName("pods")), kind: .gpodder, url: try RemoteURL("http://h.example"),
      auth: AuthSettings())
    server = HistoryServer(pods, .both)
    (a, b) = (try #require(ItemID("a")), try #require(ItemID("b")))
  }

  private func outbox(_ lines: Outbox.Line...) -> Outbox {
    ([.server(server.server.name, .init(since: Self.since))] + lines).reduce(into: Outbox()) { $0.add($1) }
  }

  private func message(_ item: ItemID, _ seconds: Int) -> Outbox.Message {
    Outbox.Message(server: server.server.name, item: item, at: Self.since + .seconds(seconds))
  }

  private func log(_ plays: (ItemID, Int, PlaySource)...) -> PlayLog {
    plays.reduce(into: PlayLog()) {
      $0.add(.play($1.0, .init(at: Self.since + .seconds($1.1), source: $1.2), total: 1))
    }
  }

  private let track = ServerTrack.episode(
    KnownEpisode(podcast: "http://h/f", episode: "http://h/e.mp3", duration: .seconds(9)))

  private func news(_ outbox: Outbox, _ log: PlayLog, at now: Timestamp = since + .days(1)) -> [Outbox.Message] {
    outbox.newMessages(for: server, in: log, at: now) { _ in track }.compactMap { line in
      guard case .message(let message, .waiting, track, nil) = line else { return nil }
      return message
    }
  }

  @Test("news are plays since the server was added that it does not know, once each, in their order")
  func news() {
    let log = log((a, 20, .listens), (a, 20, .played), (a, -1, .played), (b, 0, .scrobblerLog), (a, 9, .gpodder))
    #expect(news(outbox(), log) == [message(b, 0), message(a, 9), message(a, 20)])
    #expect(
      outbox().newMessages(for: server, in: log, at: Self.since) { $0 == b ? track : nil }
        == [.message(message(b, 0), .waiting, track: track)])
    let known = outbox(.message(message(a, 9), .pushed), .message(message(b, 0), .sent, track: track))
    #expect(news(known, log) == [message(a, 20)])
    #expect(
      outbox().newMessages(for: HistoryServer(server.server, .pull), in: log, at: Self.since) { _ in track }.isEmpty)
    #expect(news(Outbox(), log).isEmpty)
  }

  @Test("a play that was pushed so long ago that the outbox forgot it is not new, although the log still has it")
  func old() {
    let log = log((a, 5, .played))
    var outbox = outbox(.message(message(a, 5), .pushed))
    let later = Self.since + PlayLog.keep + .days(1)
    outbox = outbox.folded(at: later).reduce(into: Outbox()) { $0.add($1) }
    #expect(outbox.state(of: message(a, 5)) == nil)
    #expect(news(outbox, log, at: later).isEmpty)
  }

  @Test("a later line replaces an earlier one; old and replaced lines are folded away, and what waits stays whole")
  func fold() {
    let first = Outbox.Line.message(message(a, 1), .waiting, track: track)
    var outbox = outbox(first, .message(message(a, 1), .pushed))
    outbox.add(.message(message(b, 2), .waiting, track: track))
    outbox.add(.message(message(b, 2), .sent))
    #expect(outbox.messages(for: server.server.name, .waiting).isEmpty)
    #expect(outbox.pendingCount(for: server.server.name) == 1 && outbox.play(of: message(b, 2))?.track == track)
    #expect(outbox.folded(at: Self.since).count == 3)
    let later = Self.since + .days(500)
    #expect(
      outbox.folded(at: later) == [
        .server(server.server.name, .init(since: Self.since)), .message(message(b, 2), .sent, track: track),
      ])
    #expect(!outbox.isWorthFolding(at: later))
    for _ in 0..<300 { outbox.add(.message(message(b, 2), .sent)) }
    #expect(outbox.isWorthFolding(at: Self.since))
    let folded = outbox.folded(at: Self.since).reduce(into: Outbox()) { $0.add($1) }
    #expect(folded.folded(at: Self.since) == outbox.folded(at: Self.since) && folded.lineCount == 3)
  }

  @Test("a server that never answers lets the newest ten thousand wait")
  func excess() {
    var outbox = outbox()
    for second in 0..<Outbox.mostWaiting + 2 { outbox.add(.message(message(a, second), .waiting, track: track)) }
    #expect(outbox.excess(for: server.server.name) == [message(a, 0), message(a, 1)])
  }

  @Test("a position is told with its play, or alone; not twice, nor to whom it means nothing")
  func positions() {
    func left(_ second: Int) -> [ItemID: PlaybackPosition] {
      [a: PlaybackPosition(offset: .seconds(5), at: Self.since + .seconds(second))]
    }
    func lines(_ positions: [ItemID: PlaybackPosition], _ outbox: Outbox, _ track: ServerTrack) -> [Outbox.Line] {
      outbox.newMessages(for: server, in: log((a, 20, .listens)), positions: positions, at: Self.since + .days(1)) {
        _ in
        track
      }
    }
    let stopped = ServerTrack.episode(
      KnownEpisode(podcast: "http://h/f", episode: "http://h/e.mp3", duration: .seconds(9), position: .seconds(5)))
    #expect(lines(left(20), outbox(), track) == [.message(message(a, 20), .waiting, track: stopped)])
    #expect(
      lines(left(30), outbox(), track) == [
        .message(message(a, 20), .waiting, track: track), .message(message(a, 30), .waiting, track: stopped),
      ])
    let known = outbox(.message(message(a, 20), .pushed), .message(message(a, 30), .pushed))
    #expect(lines(left(30), known, track).isEmpty && lines(left(-5), known, track).isEmpty)
    let endless = ServerTrack.episode(KnownEpisode(podcast: "f", episode: "e", duration: nil))
    for track in [endless, .song(id: "7")] {
      #expect(lines(left(30), outbox(), track) == [.message(message(a, 20), .waiting, track: track)])
    }
  }

  @Test("a pushed play is known with the server's count before it, also after the lines were folded")
  func counted() {
    let name = server.server.name
    var outbox = outbox(
      .message(message(a, 1), .waiting, track: .song(id: "7")), .message(message(a, 1), .sent, count: 3))
    var push = CountedPush(at: Self.since + .seconds(1), count: 3, isCertain: false)
    #expect(outbox.countedPushes(to: name) == [a: [push]])
    push.isCertain = true
    outbox.add(.message(message(a, 1), .pushed))
    outbox.add(.message(message(b, 1), .pushed))
    #expect(outbox.countedPushes(to: name) == [a: [push]])
    let folded = outbox.folded(at: Self.since).reduce(into: Outbox()) { $0.add($1) }
    #expect(folded.countedPushes(to: name) == [a: [push]])
    outbox.add(.message(message(a, 1), .waiting))
    #expect(outbox.countedPushes(to: name).isEmpty)
  }
}

@Suite("the track of a server")
struct ServerTrackTests {
  private static let now = Timestamp(secondsSince1970: 1_790_000_000)

  private func server(_ kind: MediaServer.Kind, _ url: String = "http://h.example/audio") throws -> MediaServer {
    MediaServer(
      name: try #require(PlaylistName("there")), kind: kind, url: try RemoteURL(url), auth: AuthSettings())
  }

  private func track(_ item: Item, at server: MediaServer, from source: Playlist.Source) throws -> ServerTrack? {
    let name = try #require(PlaylistName("news"))
    let queued = QueueItem(item: item, memberships: [Membership(playlist: name, position: 1)], queuedAt: Self.now)
    let queue = Queue(libraryID: "1", savedAt: Self.now, items: [queued])
    return ServerTracks(queue, [Playlist(name: name, source: source)]).track(of: item.id, at: server)
  }

  private func feed() throws -> Playlist.Source {
    .listing(.feed, at: .remote(try RemoteURL("https://h.example/f.xml")))
  }

  @Test("an episode is known by its feed; its play is whole, or says nothing of its length")
  func episodes() throws {
    var item = try item("a")
    item.duration = .seconds(90)
    let pods = try server(.gpodder)
    guard case .episode(let episode)? = try track(item, at: pods, from: feed()) else {
      Issue.record("no episode")
      return
    }
    let play = episode.action(at: Self.now, on: .default)
    #expect(play.podcast == "https://h.example/f.xml" && play.episode == item.main.url.text && play.device == "syncjob")
    #expect([play.started, play.position, play.total] == [.zero, .seconds(90), .seconds(90)])
    #expect(KnownEpisode(podcast: "f", episode: "e", duration: nil).action(at: Self.now, on: .default).total == nil)
    #expect(try track(item, at: pods, from: .list(path: "/l.m3u", roots: [])) == nil)
  }

  @Test("a song is known by its id, in any quality, if it comes from this server")
  func songs() throws {
    let home = try server(.subsonic)
    let url = try #require(SubsonicURL.download("tr 1", of: home.url))
    var item = try item("a")
    for url in [url, try #require(SubsonicURL.qualities(of: url, wanted: .low)?.low)] {
      item.main = Candidate(url: url)
      #expect(try track(item, at: home, from: .list(path: "/l.m3u", roots: [])) == .song(id: "tr 1"))
      for other in ["http://h.example", "http://h.example/audio/2", "https://h.example/audio"] {
        #expect(try track(item, at: server(.subsonic, other), from: .list(path: "/l.m3u", roots: [])) == nil)
      }
    }
  }

  @Test("a recording needs an artist, and is no episode of a podcast")
  func recordings() throws {
    let listens = try server(.listenbrainz)
    var item = try item("a")
    let list = Playlist.Source.list(path: "/l.m3u", roots: [])
    #expect(try track(item, at: listens, from: list) == nil)
    (item.artist, item.album, item.duration) = ("The Example", "Roads", .seconds(9))
    let tags = try #require(TrackTags(artist: "The Example", album: "Roads", title: item.title))
    #expect(try track(item, at: listens, from: list) == .recording(tags, duration: .seconds(9)))
    #expect(try track(item, at: listens, from: feed()) == nil)
  }
}
