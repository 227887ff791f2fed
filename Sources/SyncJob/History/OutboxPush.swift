// SPDX-License-Identifier: Apache-2.0
import SyncCore
import SyncDisk
import SyncFormats
import SyncNet

/// Pushes the waiting plays of one server. Each step is recorded before it is taken.
struct OutboxPush {
  /// The number of plays in one request.
  private static let batch = 100
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
  mutating func send(_ service: GpodderService) async throws(FileError) {
    try await settle(service)
    var rest = outbox.messages(for: name, .waiting)[...]
    while !rest.isEmpty, mayGoOn {
      try await send(Array(rest.prefix(Self.batch)), service)
      rest = rest.dropFirst(Self.batch)
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
  private mutating func settle(_ service: GpodderService) async throws(FileError) {
    let sent = outbox.messages(for: name, .sent)
    guard let first = sent.first else { return }
    switch await service.actions(since: first.at - .days(1)) {
    case .failure(let problem): counts.problem = problem
    case .success(let answer):
      let device = server.server.device.text
      let plays = answer.actions.filter { $0.kind == .play }
      let known = Set(plays.map { Arrival($0.episode, $0.at) })
      // A server may have changed the URL.
      let times = Set(plays.lazy.filter { $0.device == device }.map(\.at))
      let arrived = sent.filter { message in
        times.contains(message.at)
          || outbox.episode(of: message).map { known.contains(Arrival($0.episode, message.at)) } ?? true
      }
      counts.pushed += arrived.count
      accepted += arrived.count
      try record(arrived, as: .pushed)
      try record(sent.filter { !arrived.contains($0) }, as: .waiting)
    }
  }

  private mutating func send(_ messages: [Outbox.Message], _ service: GpodderService) async throws(FileError) {
    guard mayGoOn else { return }
    var (known, actions): ([Outbox.Message], [EpisodeAction]) = ([], [])
    for message in messages {
      guard let episode = outbox.episode(of: message) else { continue }
      known.append(message)
      actions.append(episode.play(at: message.at, on: server.server.device))
    }
    guard !known.isEmpty else { return }
    try record(known, as: .sent)
    switch await service.push(actions) {
    case .accepted:
      counts.pushed += known.count
      accepted += known.count
      try record(known, as: .pushed)
    case .unknown(let problem): counts.problem = problem
    case .failed(let problem):
      counts.problem = problem
      try record(known, as: .waiting)
    case .refused(let problem):
      try record(known, as: .waiting)
      guard known.count > 1 else {
        refused += known
        refusal = problem
        return
      }
      try await send(Array(known.prefix(known.count / 2)), service)
      try await send(Array(known.suffix(known.count - known.count / 2)), service)
    }
  }

  private mutating func drop(_ messages: [Outbox.Message], _ reason: PlayDrop) throws(FileError) {
    guard !messages.isEmpty else { return }
    counts.drops[reason, default: 0] += messages.count
    try record(messages, as: .dropped)
  }

  private mutating func record(_ messages: [Outbox.Message], as state: Outbox.State) throws(FileError) {
    try record(messages.map { .message($0, state, nil) })
  }

  /// Identifies a play in the answers of a server.
  private struct Arrival: Hashable {
    let episode: String
    let at: Timestamp

    init(_ episode: String, _ at: Timestamp) {
      (self.episode, self.at) = (RemoteURL.identity(of: episode) ?? episode, at)
    }
  }
}
