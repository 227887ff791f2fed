// SPDX-License-Identifier: Apache-2.0

/// The actions to push to servers, and those that were pushed (docs/decisions/0101-an-outbox-of-plays.md).
package struct Outbox: Equatable, Sendable {
  /// One action for one server.
  package struct Message: Hashable, Comparable, Sendable {
    package var server: PlaylistName
    package var item: ItemID
    /// The time of the action.
    package var at: Timestamp
    package var kind: PushedAction

    package init(server: PlaylistName, item: ItemID, at: Timestamp, _ kind: PushedAction = .play) {
      (self.server, self.item, self.at, self.kind) = (server, item, at, kind)
    }

    /// By time.
    package static func < (a: Self, b: Self) -> Bool {
      (a.at, a.item, a.kind.rawValue) < (b.at, b.item, b.kind.rawValue)
    }
  }

  /// The raw values are those of the file.
  package enum State: String, CaseIterable, Sendable {
    /// It is to be sent.
    case waiting
    /// It was sent, and no answer is recorded. The server may have it.
    case sent
    /// The server has it.
    case pushed
    /// It is not sent any more.
    case dropped

    /// True if the server does not have the play, or may not have it.
    var isPending: Bool { self == .waiting || self == .sent }
  }

  /// The facts about one server.
  package struct Mark: Hashable, Sendable {
    /// Plays before this time are not pushed, because they are older than the entry in the manifest. Nil if nothing is
    /// pushed to the server.
    package var since: Timestamp?
    /// The time that the server gave in its last answer.
    package var seen: Timestamp?
    /// The caption and the kind of this device that the server was told last, by `GpodderDevice.declaration`.
    package var device: String?

    package init(since: Timestamp?, seen: Timestamp? = nil, device: String? = nil) {
      (self.since, self.seen, self.device) = (since, seen, device)
    }
  }

  /// One line of the outbox. A later line replaces an earlier one about the same.
  package enum Line: Hashable, Sendable {
    /// - Parameters:
    ///   - track: In the first line of a message, so that it can be sent after its item has changed or left.
    ///   - count: The server's count of plays before the message was sent, if the server tells it.
    case message(Message, State, track: ServerTrack? = nil, count: Int? = nil)
    case server(PlaylistName, Mark)
    /// - Parameter feed: The URL of a feed of the manifest.
    case subscription(server: PlaylistName, feed: String, SubscriptionState)
    /// A server keeps a URL that was sent to it in another form.
    case renamed(server: PlaylistName, sent: String, kept: String)
  }

  /// The raw values are those of the file.
  package enum SubscriptionState: String, CaseIterable, Sendable {
    /// The server was told of the feed.
    case pushed
    /// The server does not take it.
    case dropped
    /// The manifest no longer has it.
    case forgotten
  }

  private struct Entry: Equatable {
    var state: State
    var track: ServerTrack?
    var count: Int?
  }

  /// The largest number of plays that wait for one server.
  package static let mostWaiting = 10_000
  /// The largest number of URLs that are remembered for one server.
  private static let mostURLs = 10_000

  private var entries: [PlaylistName: [Message: Entry]] = [:]
  package private(set) var servers: [PlaylistName: Mark] = [:]
  /// The feeds that servers were told of.
  private var feeds: [PlaylistName: [String: SubscriptionState]] = [:]
  /// The URLs that were sent, by the form in which a server keeps them.
  private var urls: [PlaylistName: [String: String]] = [:]
  /// The number of lines, including those that a later line replaced.
  package private(set) var lineCount = 0

  package init() {}

  package mutating func add(_ line: Line) {
    lineCount += 1
    switch line {
    case .message(let message, let state, let track, let count):
      let known = entries[message.server]?[message]
      entries[message.server, default: [:]][message] = Entry(
        state: state, track: track ?? known?.track, count: count ?? known?.count)
    case .server(let name, let mark): servers[name] = mark
    case .subscription(let server, let feed, let state):
      feeds[server, default: [:]][feed] = state == .forgotten ? nil : state
    case .renamed(let server, let sent, let kept):
      guard urls[server]?[kept] != nil || urls[server]?.count ?? 0 < Self.mostURLs else { return }
      urls[server, default: [:]][kept] = sent
    }
  }

  /// Compares the feeds of the manifest with those that a server was told of.
  /// - Returns: Those of which it was not told, and those that have left the manifest.
  package func subscriptions(
    of feeds: Set<String>, at server: PlaylistName
  ) -> (new: [String], left: [String]) {
    let known = self.feeds[server] ?? [:]
    return (feeds.filter { known[$0] == nil }.sorted(), known.keys.filter { !feeds.contains($0) }.sorted())
  }

  /// The URLs that were sent to a server, by the form in which it keeps them.
  package func sentURLs(of server: PlaylistName) -> [String: String] { urls[server] ?? [:] }

  /// Nil for a message that is not known.
  package func state(of message: Message) -> State? { entries[message.server]?[message]?.state }

  /// Nil for a message that is not known, or that does not say what it is about.
  package func play(of message: Message) -> OutgoingPlay? {
    guard let entry = entries[message.server]?[message], let track = entry.track else { return nil }
    var play = OutgoingPlay(message: message, track: track, count: entry.count)
    if case .recording = track {
      play.offset = entries[message.server]?.keys.count { $0.at == message.at && $0.item < message.item } ?? 0
    }
    return play
  }

  /// The plays at the times of these that the server has.
  package func pushedPlays(beside messages: [Message]) -> [OutgoingPlay] {
    guard let server = messages.first?.server else { return [] }
    let times = Set(messages.map(\.at))
    return (entries[server] ?? [:]).lazy.filter { $0.value.state == .pushed && times.contains($0.key.at) }
      .compactMap { self.play(of: $0.key) }
  }

  /// The plays that the server has, or may have, from here and for which it told its count, by item.
  package func countedPushes(to server: PlaylistName) -> [ItemID: [CountedPush]] {
    var pushes: [ItemID: [CountedPush]] = [:]
    for (message, entry) in entries[server] ?? [:] where message.kind == .play {
      guard entry.state == .pushed || entry.state == .sent, let count = entry.count else { continue }
      let push = CountedPush(at: message.at, count: count, isCertain: entry.state == .pushed)
      pushes[message.item, default: []].append(push)
    }
    return pushes
  }

  /// The messages for a server in this state, in the order of their times.
  package func messages(for server: PlaylistName, _ state: State) -> [Message] {
    (entries[server] ?? [:]).lazy.filter { $0.value.state == state }.map(\.key).sorted()
  }

  /// The number of pending messages.
  package func pendingCount(for server: PlaylistName) -> Int {
    (entries[server] ?? [:]).values.count { $0.state.isPending }
  }

  /// The word for the pending messages.
  package func pendingNoun(for server: PlaylistName) -> PushedAction.Noun {
    let isPlays = (entries[server] ?? [:]).allSatisfy { $0.key.kind == .play || !$0.value.state.isPending }
    return isPlays ? .play : .action
  }

  /// The servers with pending messages, in order.
  package var pendingServers: [PlaylistName] { entries.keys.filter { pendingCount(for: $0) > 0 }.sorted() }

  /// The messages about plays and positions that the outbox does not know yet, in the order of their times.
  /// - Parameters:
  ///   - positions: The positions to tell, for a server that takes them.
  ///   - now: Excludes plays so old that the outbox may have forgotten them, although the log still has them, and plays that
  ///     a player dated ahead.
  ///   - track: Returns nil for an item that the server cannot know.
  package func newMessages(
    for server: HistoryServer, in log: PlayLog, positions: [ItemID: PlaybackPosition] = [:], at now: Timestamp,
    _ track: (ItemID) -> ServerTrack?
  ) -> [Line] {
    let name = server.server.name
    guard server.pushes, let since = servers[name]?.since else { return [] }
    let start = max(since, now - PlayLog.keep)
    func isNew(_ id: ItemID, _ time: Timestamp) -> Bool {
      time >= start && time <= now && state(of: Message(server: name, item: id, at: time)) == nil
    }
    var new: [(message: Message, track: ServerTrack)] = []
    for id in Set(log.entries.keys).union(positions.keys) {
      let plays = Set((log.entries[id]?.plays ?? []).lazy.map(\.at).filter { isNew(id, $0) })
      let position = positions[id].flatMap { isNew(id, $0.at) ? $0 : nil }
      guard !plays.isEmpty || position != nil, let track = track(id) else { continue }
      for time in plays.union([position?.at].compactMap(\.self)) {
        guard let track = track.left(at: position?.at == time ? position?.offset : nil, isPlay: plays.contains(time))
        else { continue }
        new.append((Message(server: name, item: id, at: time), track))
      }
    }
    return new.sorted { $0.message < $1.message }.map { .message($0.message, .waiting, track: $0.track) }
  }

  /// The messages about files of episodes that the outbox does not know yet, in the order of their times.
  /// - Parameters:
  ///   - now: Excludes files so old that the outbox may have forgotten them.
  ///   - track: Returns nil for an item that the server cannot know.
  package func newFileMessages(
    for server: HistoryServer, in queue: Queue, at now: Timestamp, _ track: (ItemID) -> ServerTrack?
  ) -> [Line] {
    let name = server.server.name
    guard server.pushesFiles, server.server.keepsAllActions, let since = servers[name]?.since else { return [] }
    let start = max(since, now - PlayLog.keep)
    let last = lastFileActions(at: name)
    var new: [(message: Message, track: ServerTrack)] = []
    for item in queue.items {
      let actions = item.fileActions(after: last[item.id]).filter { $0.at >= start }
      guard !actions.isEmpty, let track = track(item.id) else { continue }
      new += actions.map { (Message(server: name, item: item.id, at: $0.at, $0.kind), track) }
    }
    return new.sorted { $0.message < $1.message }.map { .message($0.message, .waiting, track: $0.track) }
  }

  /// The last action about the file of each item, whether the server has it or not.
  private func lastFileActions(at server: PlaylistName) -> [ItemID: FileAction] {
    (entries[server] ?? [:]).keys.filter(\.kind.isAboutFile).sorted().reduce(into: [:]) { last, message in
      last[message.item] = FileAction(message.kind, at: message.at)
    }
  }

  /// The oldest waiting messages beyond `mostWaiting`.
  package func excess(for server: PlaylistName) -> [Message] {
    messages(for: server, .waiting).dropLast(Self.mostWaiting)
  }

  /// True if enough lines are old or replaced to make rewriting the outbox worthwhile.
  package func isWorthFolding(at now: Timestamp) -> Bool {
    let marks = servers.count + (urls.values.map(\.count) + feeds.values.map(\.count)).reduce(0, +)
    let kept = entries.values.reduce(marks) { sum, messages in
      sum + messages.count { isKept($0.key, $0.value, at: now) }
    }
    return lineCount - kept >= 256 && lineCount >= 2 * kept
  }

  /// The lines that are still needed.
  package func folded(at now: Timestamp) -> [Line] {
    var lines = servers.sorted { $0.key < $1.key }.map { Line.server($0.key, $0.value) }
    for (server, urls) in urls.sorted(by: { $0.key < $1.key }) {
      lines += urls.sorted { $0.key < $1.key }.map { .renamed(server: server, sent: $0.value, kept: $0.key) }
    }
    for (server, feeds) in feeds.sorted(by: { $0.key < $1.key }) {
      lines += feeds.sorted { $0.key < $1.key }.map { .subscription(server: server, feed: $0.key, $0.value) }
    }
    for (_, messages) in entries.sorted(by: { $0.key < $1.key }) {
      let kept = messages.filter { isKept($0.key, $0.value, at: now) }
        .sorted { $0.key < $1.key }
      lines += kept.map { message, entry in
        .message(message, entry.state, track: entry.state.isPending ? entry.track : nil, count: entry.count)
      }
    }
    return lines
  }

  private func isKept(_ message: Message, _ entry: Entry, at now: Timestamp) -> Bool {
    message.at >= now - PlayLog.keep || entry.state.isPending
  }
}

/// A play to be pushed to a server.
package struct OutgoingPlay: Hashable, Sendable {
  package var message: Outbox.Message
  package var track: ServerTrack
  /// The server's count of plays before this one was sent. Nil before that, and if the server does not tell it.
  package var count: Int?
  /// The title of its item. Nil if the item is not known any more.
  package var title: String?
  /// Seconds that set it apart from plays of other items at the same time, for a server that keeps one play a second.
  package var offset: Int

  package init(message: Outbox.Message, track: ServerTrack, count: Int? = nil, offset: Int = 0) {
    (self.message, self.track, self.count, self.offset) = (message, track, count, offset)
  }
}

/// A play that a server has, or may have, from here.
package struct CountedPush: Hashable, Sendable {
  package var at: Timestamp
  /// The server's count of plays before it was sent.
  package var count: Int
  /// False if the answer is unknown.
  package var isCertain: Bool

  package init(at: Timestamp, count: Int, isCertain: Bool = true) {
    (self.at, self.count, self.isCertain) = (at, count, isCertain)
  }

  /// True if the play arrived, by what the server tells now. The last play is at this one's time or later then, where some
  /// servers keep no seconds. If others played the song since, one of them may be taken for this.
  package func hasArrived(count now: Int, last: Timestamp?) -> Bool {
    isCertain || (now > count && last.map { $0 > at - .minutes(1) } ?? true)
  }
}
