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

  private let episode = KnownEpisode(podcast: "http://h/f", episode: "http://h/e.mp3", duration: .seconds(9))

  private func news(_ outbox: Outbox, _ log: PlayLog, at now: Timestamp = since + .days(1)) -> [Outbox.Message] {
    outbox.newMessages(for: server, in: log, at: now) { _ in episode }.compactMap { line in
      guard case .message(let message, .waiting, episode) = line else { return nil }
      return message
    }
  }

  @Test("news are plays since the server was added that it does not know, once each, in their order")
  func news() {
    let log = log((a, 20, .listens), (a, 20, .played), (a, -1, .played), (b, 0, .scrobblerLog), (a, 9, .gpodder))
    #expect(news(outbox(), log) == [message(b, 0), message(a, 9), message(a, 20)])
    #expect(
      outbox().newMessages(for: server, in: log, at: Self.since) { $0 == b ? episode : nil }
        == [.message(message(b, 0), .waiting, episode)])
    let known = outbox(.message(message(a, 9), .pushed, nil), .message(message(b, 0), .sent, episode))
    #expect(news(known, log) == [message(a, 20)])
    #expect(
      outbox().newMessages(for: HistoryServer(server.server, .pull), in: log, at: Self.since) { _ in episode }.isEmpty)
    #expect(news(Outbox(), log).isEmpty)
  }

  @Test("a play that was pushed so long ago that the outbox forgot it is not new, although the log still has it")
  func old() {
    let log = log((a, 5, .played))
    var outbox = outbox(.message(message(a, 5), .pushed, nil))
    let later = Self.since + PlayLog.keep + .days(1)
    outbox = outbox.folded(at: later).reduce(into: Outbox()) { $0.add($1) }
    #expect(outbox.state(of: message(a, 5)) == nil)
    #expect(news(outbox, log, at: later).isEmpty)
  }

  @Test("a later line replaces an earlier one; old and replaced lines are folded away, and what waits stays whole")
  func fold() {
    let first = Outbox.Line.message(message(a, 1), .waiting, episode)
    var outbox = outbox(first, .message(message(a, 1), .pushed, nil))
    outbox.add(.message(message(b, 2), .waiting, episode))
    outbox.add(.message(message(b, 2), .sent, nil))
    #expect(outbox.messages(for: server.server.name, .waiting).isEmpty)
    #expect(outbox.pendingCount(for: server.server.name) == 1 && outbox.episode(of: message(b, 2)) == episode)
    #expect(outbox.folded(at: Self.since).count == 3)
    let later = Self.since + .days(500)
    #expect(
      outbox.folded(at: later) == [
        .server(server.server.name, .init(since: Self.since)), .message(message(b, 2), .sent, episode),
      ])
    #expect(!outbox.isWorthFolding(at: later))
    for _ in 0..<300 { outbox.add(.message(message(b, 2), .sent, nil)) }
    #expect(outbox.isWorthFolding(at: Self.since))
    let folded = outbox.folded(at: Self.since).reduce(into: Outbox()) { $0.add($1) }
    #expect(folded.folded(at: Self.since) == outbox.folded(at: Self.since) && folded.lineCount == 3)
  }

  @Test("a server that never answers lets the newest ten thousand wait")
  func excess() {
    var outbox = outbox()
    for second in 0..<Outbox.mostWaiting + 2 { outbox.add(.message(message(a, second), .waiting, episode)) }
    #expect(outbox.excess(for: server.server.name) == [message(a, 0), message(a, 1)])
  }

  @Test("an episode is known by its feed; its play is whole, or says nothing of its length")
  func episodes() throws {
    var item = try item("a")
    item.duration = .seconds(90)
    let news = try #require(PlaylistName("news"))
    let feed = Playlist(name: news, source: .listing(.feed, at: .remote(try RemoteURL("https://h.example/f.xml"))))
    func index(_ item: Item) -> EpisodeIndex {
      let queued = QueueItem(
        item: item, memberships: [Membership(playlist: news, position: 1)], queuedAt: Self.since)
      return EpisodeIndex(Queue(libraryID: "1", savedAt: Self.since, items: [queued]), [feed])
    }
    let play = try #require(index(item)[item.id]).play(at: Self.since, on: .default)
    #expect(play.podcast == "https://h.example/f.xml" && play.episode == item.main.url.text && play.device == "syncjob")
    #expect([play.started, play.position, play.total] == [.zero, .seconds(90), .seconds(90)])
    item.duration = nil
    #expect(index(item)[item.id]?.play(at: Self.since, on: .default).total == nil)
    #expect(index(item)[b] == nil)
  }
}
