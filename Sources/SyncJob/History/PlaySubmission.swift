// SPDX-License-Identifier: Apache-2.0
import SyncCore
import SyncDisk
import SyncFormats
import SyncNet

/// The plays that one run tells one server. Each step is recorded before it is taken.
struct PlaySubmission {
  /// The number of plays in one request.
  private static let batch = 100
  /// The number of plays that a server may refuse before it takes one. One that refuses everything is not the place
  /// that was meant.
  private static let mostRefusals = 8

  private let name: PlaylistName
  private let server: HistoryServer
  private let store: OutboxStore
  private(set) var outbox: Outbox
  var push = HistoryPush()
  /// The plays that the server took in this run.
  private var accepted = 0
  /// The plays that the server refused one by one, with the reason for the last of them.
  private var refused: [Outbox.Message] = []
  private var refusal: HistoryProblem?

  init(_ server: HistoryServer, _ store: OutboxStore, _ outbox: Outbox) {
    (self.server, self.store, self.outbox, name) = (server, store, outbox, server.server.name)
  }

  /// What was told, and what waits.
  var result: HistoryPush {
    var push = push
    push.waiting = outbox.pendingCount(for: name)
    // The run is being stopped, and nothing is wrong with the server.
    if Task.isCancelled { push.problem = nil }
    return push
  }

  /// True if there is something to send, or to find out about.
  var hasWork: Bool { outbox.pendingCount(for: name) > 0 }

  /// Records lines of the outbox.
  mutating func record(_ lines: [Outbox.Line]) throws(FileError) {
    try store.append(lines)
    for line in lines { outbox.add(line) }
  }

  /// Sends what waits, after finding out what has arrived before.
  mutating func send(_ service: GpodderService) async throws(FileError) {
    try await settle(service)
    var rest = outbox.messages(for: name, .waiting)[...]
    while !rest.isEmpty, mayGoOn {
      try await send(Array(rest.prefix(Self.batch)), service)
      rest = rest.dropFirst(Self.batch)
    }
    if accepted > 0, let refusal {
      try drop(refused, .refused(refusal))
    } else if push.problem == nil {
      push.problem = refusal
    }
    try drop(outbox.excess(for: name), .tooMany)
  }

  private var mayGoOn: Bool {
    push.problem == nil && !Task.isCancelled && (accepted > 0 || refused.count < Self.mostRefusals)
  }

  /// Finds out which of the messages have arrived that were sent and not answered.
  private mutating func settle(_ service: GpodderService) async throws(FileError) {
    let sent = outbox.messages(for: name, .sent)
    guard let first = sent.first else { return }
    switch await service.actions(since: first.at - .days(1)) {
    case .failure(let problem): push.problem = problem
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
      push.told += arrived.count
      accepted += arrived.count
      try record(arrived, as: .told)
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
    switch await service.tell(actions) {
    case .all:
      push.told += known.count
      accepted += known.count
      try record(known, as: .told)
    case .unknown(let problem): push.problem = problem
    case .notTaken(let problem):
      push.problem = problem
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
    push.drops[reason, default: 0] += messages.count
    try record(messages, as: .dropped)
  }

  private mutating func record(_ messages: [Outbox.Message], as state: Outbox.State) throws(FileError) {
    try record(messages.map { .message($0, state, nil) })
  }

  /// A play as a server knows it.
  private struct Arrival: Hashable {
    let episode: String
    let at: Timestamp

    init(_ episode: String, _ at: Timestamp) {
      (self.episode, self.at) = (RemoteURL.identity(of: episode) ?? episode, at)
    }
  }
}
