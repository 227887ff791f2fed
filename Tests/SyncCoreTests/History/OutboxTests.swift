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

  @Test("news are plays since the server was added that no server told, once each, in their order")
  func news() {
    let log = log(
      (a, 20, .listens), (a, 20, .played), (a, -1, .played), (b, 0, .scrobblerLog), (b, 5, .gpodder), (a, 9, .mpdcron))
    #expect(outbox().news(for: server, in: log) { _ in true } == [message(b, 0), message(a, 9), message(a, 20)])
    #expect(outbox().news(for: server, in: log) { $0 == b } == [message(b, 0)])
    let known = outbox(.message(message(a, 9), .told), .message(message(b, 0), .sent))
    #expect(known.news(for: server, in: log) { _ in true } == [message(a, 20)])
    #expect(outbox().news(for: HistoryServer(server.server, .pull), in: log) { _ in true }.isEmpty)
    #expect(Outbox().news(for: server, in: log) { _ in true }.isEmpty)
  }

  @Test("a later line replaces an earlier one; old and replaced lines are folded away, and what waits stays")
  func fold() {
    var outbox = outbox(.message(message(a, 1), .waiting), .message(message(a, 1), .told))
    outbox.add(.message(message(b, 2), .sent))
    #expect(outbox.messages(for: server.server.name, .waiting).isEmpty)
    #expect(outbox.folded(at: Self.since).count == 3)
    let later = Self.since + .days(500)
    #expect(
      outbox.folded(at: later) == [
        .server(server.server.name, .init(since: Self.since)), .message(message(b, 2), .sent),
      ])
    #expect(!outbox.isWorthFolding(at: later))
    for _ in 0..<300 { outbox.add(.message(message(b, 2), .sent)) }
    #expect(outbox.isWorthFolding(at: Self.since))
    #expect(outbox.folded(at: Self.since).reduce(into: Outbox()) { $0.add($1) }.states == outbox.states)
  }

  @Test("a server that never answers lets the newest ten thousand wait")
  func excess() {
    var outbox = outbox()
    for second in 0..<Outbox.mostWaiting + 2 { outbox.add(.message(message(a, second), .waiting)) }
    #expect(outbox.excess(for: server.server.name) == [message(a, 0), message(a, 1)])
  }

  @Test("an episode is known by its feed; its play is whole, or says nothing of its length")
  func episodes() throws {
    var item = try item("a")
    item.duration = .seconds(90)
    let news = try #require(PlaylistName("news"))
    let feed = Playlist(name: news, source: .listing(.feed, at: .remote(try RemoteURL("https://h.example/f.xml"))))
    func book(_ item: Item) -> EpisodeBook {
      let queued = QueueItem(
        item: item, memberships: [Membership(playlist: news, position: 1)], queuedAt: Self.since)
      return EpisodeBook(Queue(libraryID: "1", savedAt: Self.since, items: [queued]), [feed])
    }
    let play = try #require(book(item).episode(of: item.id)).play(at: Self.since, on: .usual)
    #expect(play.podcast == "https://h.example/f.xml" && play.episode == item.main.url.text && play.device == "syncjob")
    #expect([play.started, play.position, play.total] == [.zero, .seconds(90), .seconds(90)])
    item.duration = nil
    #expect(book(item).episode(of: item.id)?.play(at: Self.since, on: .usual).total == nil)
    #expect(book(item).episode(of: b) == nil)
  }
}
