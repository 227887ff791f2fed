// SPDX-License-Identifier: Apache-2.0

/// The plays that are to be told to servers, and those that were (docs/decisions/0101-an-outbox-of-plays.md).
package struct Outbox: Equatable, Sendable {
  /// One play that one server is told about.
  package struct Message: Hashable, Sendable {
    package var server: PlaylistName
    package var item: ItemID
    /// The time of the play.
    package var at: Timestamp

    package init(server: PlaylistName, item: ItemID, at: Timestamp) {
      (self.server, self.item, self.at) = (server, item, at)
    }
  }

  /// The raw values are those of the file.
  package enum State: String, CaseIterable, Sendable {
    case waiting
    /// It was sent, and no answer is recorded: the server may know it.
    case sent
    /// The server took it, or told of it first.
    case told
    /// The server refused it, or it waited too long. It is not sent again.
    case dropped
  }

  /// The facts about one server.
  package struct Mark: Hashable, Sendable {
    /// Plays before this time are not told: they were there when the server was added to the manifest. Nil if the server
    /// is told nothing.
    package var since: Timestamp?
    /// The server's own time of its last answer.
    package var seen: Timestamp?

    package init(since: Timestamp?, seen: Timestamp? = nil) { (self.since, self.seen) = (since, seen) }
  }

  /// One line of the outbox. A later line replaces an earlier one about the same.
  package enum Line: Hashable, Sendable {
    /// The episode is in the first line of a message, so that it can be sent whatever becomes of the item.
    case message(Message, State, KnownEpisode?)
    case server(PlaylistName, Mark)
  }

  private struct Entry: Equatable {
    var state: State
    var episode: KnownEpisode?
  }

  /// The largest number of plays that wait for one server.
  package static let mostWaiting = 10_000

  private var entries: [PlaylistName: [Message: Entry]] = [:]
  package private(set) var servers: [PlaylistName: Mark] = [:]
  /// The number of lines, including those that a later line replaced.
  package private(set) var lineCount = 0

  package init() {}

  package mutating func add(_ line: Line) {
    lineCount += 1
    switch line {
    case .message(let message, let state, let episode):
      let known = entries[message.server]?[message]?.episode
      entries[message.server, default: [:]][message] = Entry(state: state, episode: episode ?? known)
    case .server(let name, let mark): servers[name] = mark
    }
  }

  /// Nil for a message that is not known.
  package func state(of message: Message) -> State? { entries[message.server]?[message]?.state }

  package func episode(of message: Message) -> KnownEpisode? { entries[message.server]?[message]?.episode }

  /// The messages for a server in this state, in the order of their times.
  package func messages(for server: PlaylistName, _ state: State) -> [Message] {
    (entries[server] ?? [:]).lazy.filter { $0.value.state == state }.map(\.key)
      .sorted { ($0.at, $0.item) < ($1.at, $1.item) }
  }

  /// The number of messages that the server does not know, or may not know.
  package func pendingCount(for server: PlaylistName) -> Int {
    (entries[server] ?? [:]).values.count { $0.state == .waiting || $0.state == .sent }
  }

  /// The servers for which something is pending, in order.
  package var pendingServers: [PlaylistName] { entries.keys.filter { pendingCount(for: $0) > 0 }.sorted() }

  /// The plays that the server is to be told about for the first time, in the order of their times.
  /// - Parameters:
  ///   - now: The log may still have plays that are so old that the outbox has forgotten them. They are no news.
  ///   - episode: Returns nil for an item that the server cannot know.
  package func news(
    for server: HistoryServer, in log: PlayLog, at now: Timestamp, _ episode: (ItemID) -> KnownEpisode?
  ) -> [Line] {
    let name = server.server.name
    guard server.pushes, let since = servers[name]?.since else { return [] }
    let start = max(since, now - PlayLog.keep)
    var news: [(message: Message, episode: KnownEpisode)] = []
    for (id, entry) in log.entries {
      var times: Set<Timestamp> = []
      for play in entry.plays where play.at >= start {
        if state(of: Message(server: name, item: id, at: play.at)) == nil { times.insert(play.at) }
      }
      guard !times.isEmpty, let episode = episode(id) else { continue }
      news += times.map { (Message(server: name, item: id, at: $0), episode) }
    }
    return news.sorted { ($0.message.at, $0.message.item) < ($1.message.at, $1.message.item) }
      .map { .message($0.message, .waiting, $0.episode) }
  }

  /// The oldest messages that wait, beyond those that may.
  package func excess(for server: PlaylistName) -> [Message] {
    messages(for: server, .waiting).dropLast(Self.mostWaiting)
  }

  /// True if enough lines are old or replaced to make rewriting the outbox worthwhile.
  package func isWorthFolding(at now: Timestamp) -> Bool {
    let kept = entries.values.reduce(servers.count) { sum, messages in
      sum + messages.count { isKept($0.key, $0.value, at: now) }
    }
    return lineCount - kept >= 256 && lineCount >= 2 * kept
  }

  /// The lines that still say something.
  package func folded(at now: Timestamp) -> [Line] {
    var lines = servers.sorted { $0.key < $1.key }.map { Line.server($0.key, $0.value) }
    for (_, messages) in entries.sorted(by: { $0.key < $1.key }) {
      let kept = messages.filter { isKept($0.key, $0.value, at: now) }
        .sorted { ($0.key.at, $0.key.item) < ($1.key.at, $1.key.item) }
      lines += kept.map { message, entry in
        let isPending = entry.state == .waiting || entry.state == .sent
        return .message(message, entry.state, isPending ? entry.episode : nil)
      }
    }
    return lines
  }

  private func isKept(_ message: Message, _ entry: Entry, at now: Timestamp) -> Bool {
    message.at >= now - PlayLog.keep || entry.state == .waiting || entry.state == .sent
  }
}
