// SPDX-License-Identifier: Apache-2.0

/// The plays that are to be told to servers, and those that were (docs/decisions/0101-an-outbox-of-plays.md).
package struct Outbox: Equatable, Sendable {
  /// One play that one server is told about.
  package struct Message: Hashable, Sendable {
    package var server: PlaylistName
    package var item: ItemID
    package var at: Timestamp

    package init(server: PlaylistName, item: ItemID, at: Timestamp) {
      (self.server, self.item, self.at) = (server, item, at)
    }
  }

  package enum State: String, CaseIterable, Sendable {
    case waiting
    /// It was sent, and no answer is recorded: the server may know it.
    case sent
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
    case message(Message, State)
    case server(PlaylistName, Mark)
  }

  /// The largest number of plays that wait for one server.
  package static let mostWaiting = 10_000

  package private(set) var states: [Message: State] = [:]
  package private(set) var servers: [PlaylistName: Mark] = [:]
  /// The number of lines, including those that a later line replaced.
  package private(set) var lineCount = 0

  package init() {}

  package mutating func add(_ line: Line) {
    lineCount += 1
    switch line {
    case .message(let message, let state): states[message] = state
    case .server(let name, let mark): servers[name] = mark
    }
  }

  /// The messages for a server in this state, in the order of their times.
  package func messages(for server: PlaylistName, _ state: State) -> [Message] {
    states.lazy.filter { $0.key.server == server && $0.value == state }.map(\.key)
      .sorted { ($0.at, $0.item) < ($1.at, $1.item) }
  }

  /// The plays that the server is to be told about for the first time.
  /// - Parameter isKnown: Returns false for an item that the server cannot know.
  package func news(
    for server: HistoryServer, in log: PlayLog, where isKnown: (ItemID) -> Bool
  ) -> [Message] {
    guard server.pushes, let since = servers[server.server.name]?.since else { return [] }
    var news: [Message] = []
    for (id, entry) in log.entries {
      let times = Set(entry.plays.lazy.filter { $0.source != .gpodder && $0.at >= since }.map(\.at))
      let new = times.map { Message(server: server.server.name, item: id, at: $0) }.filter { states[$0] == nil }
      if !new.isEmpty, isKnown(id) { news += new }
    }
    return news.sorted { ($0.at, $0.item) < ($1.at, $1.item) }
  }

  /// The oldest messages that wait, beyond those that may.
  package func excess(for server: PlaylistName) -> [Message] {
    messages(for: server, .waiting).dropLast(Self.mostWaiting)
  }

  /// True if enough lines are old or replaced to make rewriting the outbox worthwhile.
  package func isWorthFolding(at now: Timestamp) -> Bool {
    let kept = folded(at: now).count
    return lineCount - kept >= 256 && lineCount >= 2 * kept
  }

  /// The lines that still say something. The log of plays forgets single plays after `PlayLog.keep`.
  package func folded(at now: Timestamp) -> [Line] {
    let horizon = now - PlayLog.keep
    let messages = states.filter { $0.key.at >= horizon || $0.value == .waiting || $0.value == .sent }
      .sorted { ($0.key.server, $0.key.at, $0.key.item) < ($1.key.server, $1.key.at, $1.key.item) }
    return servers.sorted { $0.key < $1.key }.map { .server($0.key, $0.value) }
      + messages.map { .message($0.key, $0.value) }
  }
}
