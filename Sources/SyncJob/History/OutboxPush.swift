// SPDX-License-Identifier: Apache-2.0
import SyncCore
import SyncDisk
import SyncFormats
import SyncNet

/// Pushes the waiting plays of one server. Each step is recorded before it is taken.
struct OutboxPush {
  /// The number of plays that a server may refuse before it accepts one. A server that refuses everything has another
  /// reason than the plays.
  private static let mostRefusals = 8

  private let name: PlaylistName
  private let server: HistoryServer
  private let store: OutboxStore
  private(set) var outbox: Outbox
  var counts = HistoryPush()
  /// The number of plays that the server accepted in this run.
  private var accepted = 0
  /// The plays that the server refused one by one, with the reason for the last of them.
  private var refused: [Outbox.Message] = []
  private var refusal: HistoryProblem?

  init(_ server: HistoryServer, _ store: OutboxStore, _ outbox: Outbox) {
    (self.server, self.store, self.outbox, name) = (server, store, outbox, server.server.name)
  }

  /// The counts so far.
  var result: HistoryPush {
    var result = counts
    result.waiting = outbox.pendingCount(for: name)
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
    try await settle(service)
    var rest = outbox.messages(for: name, .waiting)[...]
    while !rest.isEmpty, mayGoOn {
      let plays = try await prepared(rest.prefix(service.batch), service)
      try await send(plays, service)
      rest = rest.dropFirst(service.batch)
    }
    if accepted > 0, let refusal {
      try drop(refused, .refused(refusal))
    } else if counts.problem == nil {
      counts.problem = refusal
    }
    try drop(outbox.excess(for: name), .tooMany)
  }

  private var mayGoOn: Bool {
    counts.problem == nil && !Task.isCancelled && (accepted > 0 || refused.count < Self.mostRefusals)
  }

  /// Asks the server for the messages that were sent and not answered.
  private mutating func settle(_ service: some PlayService) async throws(FileError) {
    let sent = outbox.messages(for: name, .sent)
    let plays = sent.compactMap { outbox.play(of: $0) }
    switch await service.arrivals(of: plays) {
    case .failure(let problem): counts.problem = problem
    case .success(let arrivals):
      func messages(_ wanted: PlayArrival) -> [Outbox.Message] {
        zip(plays, arrivals).compactMap { $1 == wanted ? $0.message : nil }
      }
      let arrived = messages(.arrived)
      counts.pushed += arrived.count
      accepted += arrived.count
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
      guard var play = outbox.play(of: message) else { continue }
      switch await service.prepare(play) {
      case .failure(let problem):
        counts.problem = problem
        return plays
      case .success(.trackIsGone): try drop([message], .trackIsGone)
      case .success(.ready): plays.append(play)
      case .success(.counted(let count, _)):
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
    case .accepted:
      counts.pushed += plays.count
      accepted += plays.count
      try record(messages, as: .pushed)
    case .unknown(let problem): counts.problem = problem
    case .failed(let problem):
      counts.problem = problem
      try record(messages, as: .waiting)
    case .refused(let problem):
      try record(messages, as: .waiting)
      guard plays.count > 1 else {
        refused += messages
        refusal = problem
        return
      }
      try await send(Array(plays.prefix(plays.count / 2)), service)
      try await send(Array(plays.suffix(plays.count - plays.count / 2)), service)
    }
  }

  private mutating func drop(_ messages: [Outbox.Message], _ reason: PlayDrop) throws(FileError) {
    guard !messages.isEmpty else { return }
    counts.drops[reason, default: 0] += messages.count
    try record(messages, as: .dropped)
  }

  private mutating func record(_ messages: [Outbox.Message], as state: Outbox.State) throws(FileError) {
    try record(messages.map { .message($0, state) })
  }
}
