// SPDX-License-Identifier: Apache-2.0
import SyncCore
import SyncDisk
import SyncFormats
import SyncNet

/// The histories that servers keep. A run pulls plays before it plans, and pushes plays after the plan is carried out.
struct ServerHistories {
  /// The time by which questions overlap. A device may report a play long after it, and some servers then name only the
  /// time of the play.
  static let overlap = Duration.days(30)

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

  /// The answer of one server.
  struct Answer: Sendable {
    let server: HistoryServer
    let result: Result<EpisodeActions.Answer, HistoryProblem>
  }

  /// Asks each server for plays since the last answer, with an overlap. Ends early if the task is cancelled.
  func pull(_ client: HTTPClient) async -> [Answer] {
    var answers: [Answer] = []
    let outbox: Outbox
    do throws(FileError) { outbox = try store?.read().outbox ?? Outbox() } catch {
      report(error)
      return []
    }
    for server in manifest.historyServers where server.pulls {
      let seen = outbox.servers[server.server.name]?.seen.map { min($0, now) - Self.overlap }
      let result = await GpodderService(client, server.server).actions(since: seen)
      guard !Task.isCancelled else { break }
      answers.append(Answer(server: server, result: result))
    }
    return answers
  }

  /// Records the time of each answer, the time from which plays are pushed, and the plays that servers have. Called once
  /// these are counted.
  func record(_ answers: [Answer], _ known: [Outbox.Message]) {
    guard let store, !manifest.historyServers.isEmpty else { return }
    do throws(FileError) { try record(answers, known, in: store) } catch { report(error) }
  }

  private func record(
    _ answers: [Answer], _ known: [Outbox.Message], in store: OutboxStore
  ) throws(FileError) {
    var (outbox, isDamaged) = try store.read()
    if isDamaged { emit(.warned(.outboxDamaged)) }
    var lines: [Outbox.Line] = []
    for server in manifest.historyServers {
      let name = server.server.name
      let before = outbox.servers[name]
      // Plays are never pushed that were counted while nothing was pushed to the server.
      var mark = Outbox.Mark(since: server.pushes ? before?.since ?? now : nil, seen: before?.seen)
      for case .success(let answer) in answers.lazy.filter({ $0.server.server.name == name }).map(\.result) {
        // A time ahead of this clock would hide all plays until then.
        mark.seen = answer.timestamp.map { min($0, now) } ?? mark.seen
      }
      if mark != before { lines.append(.server(name, mark)) }
      guard let since = mark.since else { continue }
      let new = Set(known.lazy.filter { $0.server == name && $0.at >= since && outbox.state(of: $0) != .pushed })
      lines += new.sorted { ($0.at, $0.item) < ($1.at, $1.item) }.map { .message($0, .pushed, nil) }
    }
    lines += marksWithoutServer(outbox) + dropped(outbox)
    if isDamaged || outbox.isWorthFolding(at: now) {
      for line in lines { outbox.add(line) }
      try store.replace(outbox.folded(at: now))
    } else {
      try store.append(lines)
    }
  }

  /// The lines that end pushing to servers that have left the manifest.
  private func marksWithoutServer(_ outbox: Outbox) -> [Outbox.Line] {
    let named = Set(manifest.historyServers.map(\.server.name))
    return outbox.servers.sorted { $0.key < $1.key }.filter { !named.contains($0.key) && $0.value.since != nil }
      .map { .server($0.key, Outbox.Mark(since: nil, seen: $0.value.seen)) }
  }

  /// The lines that drop messages for servers to which the manifest no longer pushes.
  private func dropped(_ outbox: Outbox) -> [Outbox.Line] {
    let pushed = Set(manifest.historyServers.filter(\.pushes).map(\.server.name))
    return outbox.pendingServers.filter { !pushed.contains($0) }.flatMap { name in
      let messages = outbox.messages(for: name, .waiting) + outbox.messages(for: name, .sent)
      emit(.warned(.playsDropped(messages.count, server: name, .leftManifest)))
      return messages.map { Outbox.Line.message($0, .dropped, nil) }
    }
  }

  // MARK: Pushing

  /// Pushes new plays. Those that cannot be pushed wait for the next run.
  /// - Parameters:
  ///   - unanswered: The servers that did not answer in this run.
  ///   - network: Started if there is something to send.
  func push(_ queue: Queue, _ playlists: [Playlist], besides unanswered: Set<String>, _ network: Network) async {
    guard let store, let folder = library.stateFolder, manifest.historyServers.contains(where: \.pushes) else { return }
    do throws(FileError) {
      guard let log = try PlayLogStore(folder).read()?.log else { return }
      var outbox = try store.read().outbox
      let episodes = EpisodeIndex(queue, playlists)
      for server in manifest.historyServers where server.pushes && !Task.isCancelled {
        var push = OutboxPush(server, store, outbox)
        try push.record(outbox.newMessages(for: server, in: log, at: now) { episodes[$0] })
        if push.hasWork, !unanswered.contains(server.server.name.text) {
          switch await client(network) {
          case .success(let client): try await push.send(GpodderService(client, server.server))
          case .failure(let problem): push.counts.problem = problem
          }
        }
        outbox = push.outbox
        report(push.result, of: server.server)
      }
    } catch { report(error) }
  }

  private func client(_ network: Network) async -> Result<HTTPClient, HistoryProblem> {
    do throws(JobError) { return .success(try await network.start()) } catch {
      return .failure(.unanswered(reason: error.words()))
    }
  }

  private func report(_ error: FileError) { emit(.warned(.historyNotRead(path: error.path, .unreadable(error)))) }

  private func report(_ push: HistoryPush, of server: MediaServer) {
    guard push != HistoryPush() else { return }
    emit(.historyPushed(.gpodder, server: server.name.text, push))
    if let problem = push.problem { emit(.warned(.playsWaiting(push.waiting, server: server.name, problem))) }
    for (reason, count) in push.drops { emit(.warned(.playsDropped(count, server: server.name, reason))) }
  }
}

extension OpenLibrary {
  /// Pushes plays to servers, if the state can be trusted.
  func pushPlays(_ playlists: [Playlist], _ network: Network, _ recorder: ReportRecorder) async {
    guard view.readsHistories, recorder.current.storageFailure == nil else { return }
    let unanswered = Set(
      recorder.current.history.lazy.filter { $0.source == .gpodder && $0.problem != nil }.map(\.path))
    await ServerHistories(view, recorder).push(journal.queue, playlists, besides: unanswered, network)
  }
}
