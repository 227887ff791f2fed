// SPDX-License-Identifier: Apache-2.0
import SyncCore
import Testing

@Suite("actions about files")
struct PushedActionTests {
  private static let at = Timestamp(secondsSince1970: 1_790_000_000)

  enum State: Sendable { case queued, here, removed(Removal.Cause), replaced, unfetched }

  private func item(_ state: State) throws -> QueueItem {
    let file = StoredFile(
      path: try #require(LibraryPath("a.mp3")), size: ByteCount(1),
      sha256: try #require(SHA256Digest(hex: String(repeating: "a", count: 64))), completedAt: Self.at)
    let first = Item(
      id: try #require(ItemID("a")), title: "a", main: Candidate(url: try RemoteURL("https://h.example/a.mp3")))
    var later = file
    later.completedAt = Self.at + .days(9)
    let recorded: ItemState =
      switch state {
      case .queued: .queued(Pending())
      case .here: .completed(file)
      case .replaced: .completed(later)
      case .removed(let cause): .removed(Removal(cause: cause, at: Self.at + .days(1), file: file))
      case .unfetched: .removed(Removal(cause: .user, at: Self.at + .days(1)))
      }
    return QueueItem(item: first, memberships: [], state: recorded, queuedAt: Self.at)
  }

  private static let download = FileAction(.download, at: at)
  private static let delete = FileAction(.delete, at: at + .days(1))

  @Test(
    "a server learns of a file once, and of its removal by a person or a rule once",
    arguments: [
      (State.queued, nil, []), (.here, nil, [download]), (.here, download, []),
      // Restored after it was removed.
      (.here, delete, [FileAction(.download, at: at + .days(1) + .seconds(1))]),
      // Another file of the same item.
      (.replaced, download, []), (.replaced, delete, [FileAction(.download, at: at + .days(9))]),
      (.removed(.user), download, [delete]), (.removed(.retention), download, [delete]),
      (.removed(.user), nil, [download, delete]), (.removed(.user), delete, []),
      (.removed(.evicted), download, []), (.removed(.lost), download, []), (.removed(.orphan), download, []),
      (.removed(.expired), download, []), (.removed(.evicted), nil, [download]), (.unfetched, nil, []),
      (.unfetched, download, []),
      // A clock that went back.
      (
        .removed(.user), FileAction(.download, at: at + .days(3)),
        [FileAction(.delete, at: at + .days(3) + .seconds(1))]
      ),
    ] as [(State, FileAction?, [FileAction])])
  func actions(_ state: State, _ last: FileAction?, _ expected: [FileAction]) throws {
    #expect(try item(state).fileActions(after: last) == expected)
  }

  @Test("files are news for a server that keeps all actions, since it was added, and once")
  func news() throws {
    let (name, url) = (try #require(PlaylistName("pods")), try RemoteURL("https://h.example"))
    func news(
      _ outbox: Outbox, _ state: State, at address: RemoteURL? = nil, _ direction: HistoryServer.Direction = .push,
      _ actions: HistoryServer.Actions = .all
    ) throws -> [Outbox.Line] {
      let pods = MediaServer(name: name, kind: .gpodder, url: address ?? url, auth: AuthSettings())
      let server = HistoryServer(pods, direction, actions: actions)
      let queue = Queue(libraryID: "l", savedAt: Self.at, items: [try item(state)])
      return outbox.newFileMessages(for: server, in: queue, at: Self.at + .days(2)) { _ in track }
    }
    var outbox = Outbox()
    #expect(try news(outbox, .here).isEmpty, "nothing is pushed yet")
    outbox.add(.server(name, .init(since: Self.at)))
    let first = try news(outbox, .here)
    let message = Outbox.Message(server: name, item: try #require(ItemID("a")), at: Self.at, .download)
    #expect(first == [.message(message, .waiting, track: track)])
    #expect(try news(outbox, .here, .pull).isEmpty && news(outbox, .here, .push, .plays).isEmpty)
    let cloud = try RemoteURL("https://h.example/index.php/apps/gpoddersync/")
    #expect(try news(outbox, .here, at: cloud).isEmpty)
    for line in first { outbox.add(line) }
    #expect(try news(outbox, .here).isEmpty && outbox.pendingNoun(for: name) == .action)
    outbox.add(.message(message, .dropped))
    #expect(try news(outbox, .here).isEmpty && outbox.pendingNoun(for: name) == .play)
    #expect(try news(outbox, .removed(.user)).count == 1)
    var late = Outbox()
    late.add(.server(name, .init(since: Self.at + .seconds(1))))
    #expect(try news(late, .here).isEmpty)
    #expect(try news(late, .removed(.user)).count == 1, "the removal is later")
  }

  private let track = ServerTrack.episode(KnownEpisode(podcast: "http://h/f", episode: "http://h/e", duration: nil))

  @Test("the forms in which a server keeps URLs outlive folding, and are bounded")
  func urls() throws {
    let name = try #require(PlaylistName("pods"))
    var outbox = Outbox()
    outbox.add(.renamed(server: name, sent: "a b", kept: "a%20b"))
    let folded = outbox.folded(at: Self.at).reduce(into: Outbox()) { $0.add($1) }
    #expect(folded.sentURLs(of: name) == ["a%20b": "a b"])
    for index in 0..<10_001 { outbox.add(.renamed(server: name, sent: "\(index)", kept: "k\(index)")) }
    outbox.add(.renamed(server: name, sent: "new", kept: "a%20b"))
    #expect(outbox.sentURLs(of: name).count == 10_000 && outbox.sentURLs(of: name)["a%20b"] == "new")
  }

  @Test("a feed is told once, and again after it has left the manifest")
  func feeds() throws {
    let name = try #require(PlaylistName("pods"))
    var outbox = Outbox()
    #expect(outbox.subscriptions(of: ["b", "a"], at: name) == (new: ["a", "b"], left: []))
    outbox.add(.subscription(server: name, feed: "a", .pushed))
    outbox.add(.subscription(server: name, feed: "b", .dropped))
    outbox = outbox.folded(at: Self.at).reduce(into: Outbox()) { $0.add($1) }
    #expect(outbox.subscriptions(of: ["b", "a"], at: name) == (new: [], left: []))
    #expect(outbox.subscriptions(of: ["c"], at: name) == (new: ["c"], left: ["a", "b"]))
    outbox.add(.subscription(server: name, feed: "a", .forgotten))
    #expect(outbox.subscriptions(of: ["a"], at: name) == (new: ["a"], left: ["b"]))
  }
}
