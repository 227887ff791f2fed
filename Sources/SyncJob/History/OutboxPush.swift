// SPDX-License-Identifier: Apache-2.0
import SyncCore
import SyncDisk
import SyncFormats
import SyncNet

/// Pushes the waiting actions of one server. Each step is recorded before it is taken.
struct OutboxPush {
  /// The number of plays, of the oldest and of the newest, that a server may refuse before it accepts one. A server that
  /// refuses all of them has another reason than the plays.
  private static let mostRefusals = 8

  private let name: PlaylistName
  private let server: HistoryServer
  private let store: OutboxStore
  private let tracks: ServerTracks
  private(set) var outbox: Outbox
  var counts = HistoryPush()
  /// The number of plays that the server accepted in this run.
  private var accepted = 0
  /// The plays that the server refused one by one, with the reason for the last of them.
  private var refused: [Outbox.Message] = []
  private var refusal: HistoryProblem?
  /// The number of requests with which the server had trouble, and the last reason. Their plays wait.
  private var troubles = 0
  private var trouble: HistoryProblem?

  init(_ server: HistoryServer, _ store: OutboxStore, _ outbox: Outbox, _ tracks: ServerTracks) {
    (self.server, self.store, self.outbox, self.tracks, name) = (server, store, outbox, tracks, server.server.name)
  }

  /// The counts so far.
  var result: HistoryPush {
    var result = counts
    result.waiting = outbox.pendingCount(for: name)
    if outbox.pendingNoun(for: name) == .action { result.noun = .action }
    // If the run is being stopped, nothing is wrong with the server.
    if Task.isCancelled { result.problem = nil }
    return result
  }

  /// True if a message waits, or may have been lost.
  var hasWork: Bool { outbox.pendingCount(for: name) > 0 }

  /// Records lines of the outbox.
  mutating func record(_ lines: [Outbox.Line]) throws(FileError) {
    try store.append(lines)
    for line in lines { outbox.add(line) }
  }

  /// Settles the messages of earlier runs, then sends those that wait.
  mutating func send(_ service: some PlayService) async throws(FileError) {
    try await introduce(service)
    try await settle(service)
    var rest = inOrder(outbox.messages(for: name, .waiting))[...]
    while !rest.isEmpty, mayGoOn {
      let plays = try await prepared(rest.prefix(service.batch), service)
      try await send(plays, service)
      rest = rest.dropFirst(service.batch)
      if !rest.isEmpty, service.pause > .zero {
        // Cancelled: the loop ends.
        do { try await Task.sleep(for: service.pause) } catch { break }
      }
    }
    if accepted > 0, let refusal {
      try drop(refused, .refused(refusal))
    } else if counts.problem == nil {
      counts.problem = refusal
    }
    if counts.problem == nil, hasWork { counts.problem = trouble }
    try drop(outbox.excess(for: name), .tooMany)
  }

  /// Tells the server about this device if that has changed. If it cannot be told now, the actions name the device alone.
  private mutating func introduce(_ service: some PlayService) async throws(FileError) {
    let declaration = server.server.device.declaration
    guard server.server.kind == .gpodder, var mark = outbox.servers[name], mark.device != declaration else { return }
    guard await service.introduce() else { return }
    mark.device = declaration
    try record([.server(name, mark)])
  }

  private var mayGoOn: Bool {
    counts.problem == nil && !Task.isCancelled && (accepted > 0 || refused.count + troubles < 2 * Self.mostRefusals)
  }

  /// The oldest few, the newest few and the rest, so that neither a few old ones nor a few new ones that the server refuses
  /// keep all others back.
  private func inOrder(_ messages: [Outbox.Message]) -> [Outbox.Message] {
    let (oldest, rest) = (messages.prefix(Self.mostRefusals), messages.dropFirst(Self.mostRefusals))
    return oldest + rest.suffix(Self.mostRefusals).reversed() + rest.dropLast(Self.mostRefusals)
  }

  /// A song is looked up by its item, because a server may have given it another id.
  private func play(of message: Outbox.Message) -> OutgoingPlay? {
    guard var play = outbox.play(of: message) else { return nil }
    if case .song = play.track, let track = tracks.track(of: message.item, at: server.server) {
      (play.track, play.title) = (track, tracks.title(of: message.item))
    }
    return play
  }

  /// Asks the server for the messages that were sent and not answered.
  /// - Parameter some: Nil for all.
  private mutating func settle(
    _ service: some PlayService, _ some: Set<Outbox.Message>? = nil
  ) async throws(FileError) {
    let sent = outbox.messages(for: name, .sent).filter { some?.contains($0) ?? true }
    let plays = sent.compactMap { play(of: $0) }
    switch await service.arrivals(of: plays, besides: outbox.pushedPlays(beside: sent)) {
    case .failure(let problem): counts.problem = problem
    case .success(let arrivals):
      func messages(_ wanted: PlayArrival) -> [Outbox.Message] {
        zip(plays, arrivals).compactMap { $1 == wanted ? $0.message : nil }
      }
      let arrived = messages(.arrived)
      counts.pushed += arrived.count
      accepted += arrived.count
      count(arrived)
      try record(arrived, as: .pushed)
      try record(messages(.missing), as: .waiting)
      // A message without a track cannot be sent again.
      let known = Set(plays.map(\.message))
      try drop(messages(.unknown) + sent.filter { !known.contains($0) }, .unconfirmed)
    }
  }

  /// The plays of messages, with what the server says of them.
  private mutating func prepared(
    _ messages: some Sequence<Outbox.Message>, _ service: some PlayService
  ) async throws(FileError) -> [OutgoingPlay] {
    var plays: [OutgoingPlay] = []
    for message in messages {
      guard var play = play(of: message) else { continue }
      switch await service.prepare(play) {
      case .stopped(let problem):
        counts.problem = problem
        return plays
      case .postponed(let problem): (trouble, troubles) = (problem, troubles + 1)
      case .trackIsGone: try drop([message], .trackIsGone)
      case .ready: plays.append(play)
      case .counted(let count):
        play.count = count
        plays.append(play)
      }
    }
    return plays
  }

  private mutating func send(_ plays: [OutgoingPlay], _ service: some PlayService) async throws(FileError) {
    guard mayGoOn, !plays.isEmpty else { return }
    let messages = plays.map(\.message)
    try record(plays.map { .message($0.message, .sent, count: $0.count) })
    switch await service.push(plays) {
    case .accepted(let changes): try accept(plays, changes)
    case .unknown(let problem):
      counts.problem = problem
      try await settleForGood(plays, service)
    case .failed(let problem):
      counts.problem = problem
      try record(messages, as: .waiting)
    case .postponed(let problem):
      (trouble, troubles) = (problem, troubles + 1)
      try record(messages, as: .waiting)
    case .troubled(let problem):
      (trouble, troubles) = (problem, troubles + 1)
      guard plays.count > 1 else { return try await settleForGood(plays, service) }
      // So that one of them does not keep the others back.
      try await settle(service, Set(messages))
      try await sendHalves(plays.filter { outbox.state(of: $0.message) == .waiting }, service)
    case .refused(let problem):
      try record(messages, as: .waiting)
      guard plays.count > 1 else {
        refused += messages
        refusal = problem
        return
      }
      try await sendHalves(plays, service)
    }
  }

  /// Remembers the URLs that the server changed. So its own forms of them are recognised.
  private mutating func accept(_ plays: [OutgoingPlay], _ changes: [URLChange]) throws(FileError) {
    let refused = Set(changes.lazy.filter { $0.kept == nil }.map(\.sent))
    let lost = plays.filter { play in
      guard case .episode(let episode) = play.track else { return false }
      return refused.contains(episode.podcast) || refused.contains(episode.episode)
    }.map(\.message)
    let taken = plays.map(\.message).filter { !lost.contains($0) }
    counts.pushed += taken.count
    accepted += taken.count
    count(taken)
    let known = outbox.sentURLs(of: name)
    let renamed = Set(changes).compactMap { change -> Outbox.Line? in
      guard let kept = change.kept, known[kept] != change.sent else { return nil }
      return .renamed(server: name, sent: change.sent, kept: kept)
    }
    try record(renamed + taken.map { .message($0, .pushed) })
    try drop(lost, .urlRefused)
  }

  private mutating func count(_ messages: [Outbox.Message]) {
    if messages.contains(where: { $0.kind != .play }) { counts.noun = .action }
  }

  /// Asks at once for plays of which the server could tell nothing later.
  private mutating func settleForGood(
    _ plays: [OutgoingPlay], _ service: some PlayService
  ) async throws(FileError) {
    let open = plays.filter { !service.canTell($0) }
    guard !open.isEmpty else { return }
    try await settle(service, Set(open.map(\.message)))
    // The problem is over if it was about these alone.
    if !hasWork { (counts.problem, trouble) = (nil, nil) }
  }

  private mutating func sendHalves(
    _ plays: [OutgoingPlay], _ service: some PlayService
  ) async throws(FileError) {
    try await send(Array(plays.prefix(plays.count / 2)), service)
    try await send(Array(plays.suffix(plays.count - plays.count / 2)), service)
  }

  private mutating func drop(_ messages: [Outbox.Message], _ reason: PlayDrop) throws(FileError) {
    guard !messages.isEmpty else { return }
    counts.drops[reason, default: []] += messages.map(\.item)
    count(messages)
    try record(messages, as: .dropped)
  }

  private mutating func record(_ messages: [Outbox.Message], as state: Outbox.State) throws(FileError) {
    try record(messages.map { .message($0, state) })
  }
}
