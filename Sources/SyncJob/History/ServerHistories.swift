// SPDX-License-Identifier: Apache-2.0
import SyncCore
import SyncDisk
import SyncFormats
import SyncNet

/// The histories that servers keep: their plays are counted before the plan is made, and they are told of plays after it
/// is carried out.
struct ServerHistories {
  /// The time by which questions overlap. A device may report a play long after it, and some servers then name only the
  /// time of the play.
  static let overlap = Duration.days(30)
  /// The number of plays in one request.
  private static let batch = 100

  private let manifest: Manifest
  private let library: Library
  private let now: Timestamp
  private let emit: @Sendable (RunEvent) -> Void

  init(_ view: LibraryView, _ recorder: ReportRecorder) {
    (manifest, library, now) = (view.context.manifest, view.library, view.context.now)
    emit = recorder.emit
  }

  private var store: OutboxStore? { library.stateFolder.map { OutboxStore($0) } }

  // MARK: Pulling

  /// What one server answered.
  struct Heard: Sendable {
    let server: HistoryServer
    let answer: Result<EpisodeActions.Answer, HistoryProblem>
  }

  /// Asks each server for plays since the last answer, with an overlap.
  func ask(_ client: HTTPClient) async -> [Heard] {
    var heard: [Heard] = []
    let outbox: Outbox
    do throws(FileError) { outbox = try store?.read().outbox ?? Outbox() } catch {
      report(error)
      return []
    }
    for server in manifest.historyServers where server.pulls && !Task.isCancelled {
      let seen = outbox.servers[server.server.name]?.seen
      let answer = await GpodderService(client, server.server).actions(since: seen.map { $0 - Self.overlap })
      heard.append(Heard(server: server, answer: answer))
    }
    return heard
  }

  /// Notes the time of each answer, and from when on a server is told of plays. Done once its plays are counted.
  func note(_ heard: [Heard]) throws(FileError) {
    guard let store, !manifest.historyServers.isEmpty else { return }
    let (outbox, isDamaged) = try store.read()
    if isDamaged { emit(.warned(.outboxDamaged)) }
    var lines: [Outbox.Line] = []
    for server in manifest.historyServers {
      let name = server.server.name
      let known = outbox.servers[name]
      // A server that is told nothing now will not be told of it later.
      var mark = Outbox.Mark(since: server.pushes ? known?.since ?? now : nil, seen: known?.seen)
      for case .success(let answer) in heard.lazy.filter({ $0.server.server.name == name }).map(\.answer) {
        mark.seen = answer.timestamp ?? mark.seen
      }
      if mark != known { lines.append(.server(name, mark)) }
    }
    if isDamaged || outbox.isWorthFolding(at: now) {
      var outbox = outbox
      for line in lines { outbox.add(line) }
      try store.replace(outbox.folded(at: now))
    } else {
      try store.append(lines)
    }
  }

  // MARK: Pushing

  /// Tells the servers of plays that they were not told of. What cannot be told is there for the next run.
  /// - Parameters:
  ///   - silent: The servers that did not answer in this run.
  ///   - network: Started if there is something to send.
  func tell(
    _ queue: Queue, _ playlists: [Playlist], besides silent: Set<String>, _ network: Network
  ) async throws(JobError) {
    let episodes = EpisodeBook(queue, playlists)
    for server in manifest.historyServers where server.pushes && !Task.isCancelled {
      guard var messenger = messenger(for: server, episodes) else { continue }
      if messenger.hasWork, !silent.contains(server.server.name.text) {
        let client = try await network.start()
        do throws(FileError) {
          try await messenger.send(GpodderService(client, server.server), atOnce: Self.batch)
        } catch { report(error) }
      }
      report(messenger.result, of: server.server)
    }
  }

  /// Nil if nothing was ever played.
  private func messenger(for server: HistoryServer, _ episodes: EpisodeBook) -> HistoryMessenger? {
    guard let store, let folder = library.stateFolder else { return nil }
    do throws(FileError) {
      guard let log = try PlayLogStore(folder).read()?.log else { return nil }
      var messenger = HistoryMessenger(server, store, episodes, try store.read().outbox)
      try messenger.take(log)
      return messenger
    } catch {
      report(error)
      return nil
    }
  }

  private func report(_ error: FileError) { emit(.warned(.historyNotRead(path: error.path, .unreadable(error)))) }

  private func report(_ push: HistoryPush, of server: MediaServer) {
    guard push != HistoryPush() else { return }
    emit(.historyTold(.gpodder, server: server.name.text, push))
    if let problem = push.problem { emit(.warned(.historyNotRead(path: server.name.text, problem))) }
    if push.dropped > 0 { emit(.warned(.playsNotTold(push.dropped, server: server.name))) }
  }
}

extension OpenLibrary {
  /// Tells servers of plays, as far as the state can be trusted.
  func tellServers(_ playlists: [Playlist], _ network: Network, _ recorder: ReportRecorder) async throws(JobError) {
    guard view.readsHistories, recorder.current.storageFailure == nil else { return }
    let silent = Set(recorder.current.history.lazy.filter { $0.source == .gpodder && $0.problem != nil }.map(\.path))
    try await ServerHistories(view, recorder).tell(journal.queue, playlists, besides: silent, network)
  }
}

/// The messages of one run to one server. Each is recorded before it is sent.
private struct HistoryMessenger {
  private let name: PlaylistName
  private let server: HistoryServer
  private let store: OutboxStore
  private let episodes: EpisodeBook
  private var outbox: Outbox
  private var push = HistoryPush()

  init(_ server: HistoryServer, _ store: OutboxStore, _ episodes: EpisodeBook, _ outbox: Outbox) {
    (self.server, self.store, self.episodes, self.outbox) = (server, store, episodes, outbox)
    name = server.server.name
  }

  /// What was told, and what waits.
  var result: HistoryPush {
    var push = push
    push.waiting = outbox.messages(for: name, .waiting).count + outbox.messages(for: name, .sent).count
    return push
  }

  /// True if there is something to send, or to find out about.
  var hasWork: Bool { result.waiting > 0 }

  /// Records the plays that the server is to be told about.
  mutating func take(_ log: PlayLog) throws(FileError) {
    try record(outbox.news(for: server, in: log) { episodes.episode(of: $0) != nil }, as: .waiting)
    try drop(outbox.excess(for: name))
  }

  mutating func send(_ service: GpodderService, atOnce count: Int) async throws(FileError) {
    try await settle(service)
    var rest = outbox.messages(for: name, .waiting)[...]
    while !rest.isEmpty, push.problem == nil, !Task.isCancelled {
      try await send(Array(rest.prefix(count)), service)
      rest = rest.dropFirst(count)
    }
  }

  /// Finds out which of the messages have arrived that were sent and not answered.
  private mutating func settle(_ service: GpodderService) async throws(FileError) {
    let sent = outbox.messages(for: name, .sent)
    guard let first = sent.first else { return }
    switch await service.actions(since: first.at - .days(1)) {
    case .failure(let problem): push.problem = problem
    case .success(let answer):
      let known = Set(answer.actions.lazy.filter { $0.kind == .play }.map { Arrival($0.episode, $0.at) })
      let arrived = sent.filter { message in
        episodes.episode(of: message.item).map { known.contains(Arrival($0.episode, message.at)) } ?? false
      }
      push.told += arrived.count
      try record(arrived, as: .told)
      try record(sent.filter { !arrived.contains($0) }, as: .waiting)
    }
  }

  private mutating func send(_ messages: [Outbox.Message], _ service: GpodderService) async throws(FileError) {
    var (known, actions): ([Outbox.Message], [EpisodeAction]) = ([], [])
    for message in messages {
      guard let episode = episodes.episode(of: message.item) else { continue }
      known.append(message)
      actions.append(episode.play(at: message.at, on: server.server.device))
    }
    // Their items have left the queue since.
    try drop(messages.filter { !known.contains($0) })
    guard !known.isEmpty else { return }
    try record(known, as: .sent)
    switch await service.tell(actions) {
    case .all:
      push.told += known.count
      try record(known, as: .told)
    case .unknown(let problem): push.problem = problem
    case .notTaken(let problem):
      push.problem = problem
      try record(known, as: .waiting)
    case .refused where known.count > 1:
      try record(known, as: .waiting)
      try await send(Array(known.prefix(known.count / 2)), service)
      guard push.problem == nil else { return }
      try await send(Array(known.suffix(known.count - known.count / 2)), service)
    case .refused: try drop(known)
    }
  }

  private mutating func drop(_ messages: [Outbox.Message]) throws(FileError) {
    push.dropped += messages.count
    try record(messages, as: .dropped)
  }

  private mutating func record(_ messages: [Outbox.Message], as state: Outbox.State) throws(FileError) {
    let lines = messages.map { Outbox.Line.message($0, state) }
    try store.append(lines)
    for line in lines { outbox.add(line) }
  }

  /// A play as a server knows it.
  private struct Arrival: Hashable {
    let episode: String
    let at: Timestamp

    init(_ episode: String, _ at: Timestamp) {
      do throws(RemoteURL.Problem) { self.episode = try RemoteURL(episode).identity } catch { self.episode = episode }
      self.at = at
    }
  }
}
