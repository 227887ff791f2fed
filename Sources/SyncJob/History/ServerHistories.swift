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

  /// Asks each server for plays since the last answer, with an overlap. Ends early if the task is cancelled.
  func ask(_ client: HTTPClient) async -> [Heard] {
    var heard: [Heard] = []
    let outbox: Outbox
    do throws(FileError) { outbox = try store?.read().outbox ?? Outbox() } catch {
      report(error)
      return []
    }
    for server in manifest.historyServers where server.pulls {
      let seen = outbox.servers[server.server.name]?.seen.map { min($0, now) - Self.overlap }
      let answer = await GpodderService(client, server.server).actions(since: seen)
      guard !Task.isCancelled else { break }
      heard.append(Heard(server: server, answer: answer))
    }
    return heard
  }

  /// Records the time of each answer, from when on a server is told of plays, and the plays that it knows. Done once its
  /// plays are counted.
  func record(_ heard: [Heard], _ known: [Outbox.Message]) {
    guard let store, !manifest.historyServers.isEmpty else { return }
    do throws(FileError) { try record(heard, known, in: store) } catch { report(error) }
  }

  private func record(
    _ heard: [Heard], _ known: [Outbox.Message], in store: OutboxStore
  ) throws(FileError) {
    var (outbox, isDamaged) = try store.read()
    if isDamaged { emit(.warned(.outboxDamaged)) }
    var lines: [Outbox.Line] = []
    for server in manifest.historyServers {
      let name = server.server.name
      let before = outbox.servers[name]
      // A server that is told nothing now will not be told of it later.
      var mark = Outbox.Mark(since: server.pushes ? before?.since ?? now : nil, seen: before?.seen)
      for case .success(let answer) in heard.lazy.filter({ $0.server.server.name == name }).map(\.answer) {
        // A time ahead of this clock would hide everything until then.
        mark.seen = answer.timestamp.map { min($0, now) } ?? mark.seen
      }
      if mark != before { lines.append(.server(name, mark)) }
      guard let since = mark.since else { continue }
      let new = Set(known.lazy.filter { $0.server == name && $0.at >= since && outbox.state(of: $0) != .told })
      lines += new.sorted { ($0.at, $0.item) < ($1.at, $1.item) }.map { .message($0, .told, nil) }
    }
    lines += marksWithoutServer(outbox) + dropped(outbox)
    if isDamaged || outbox.isWorthFolding(at: now) {
      for line in lines { outbox.add(line) }
      try store.replace(outbox.folded(at: now))
    } else {
      try store.append(lines)
    }
  }

  /// The lines that begin anew with servers that the manifest may name again.
  private func marksWithoutServer(_ outbox: Outbox) -> [Outbox.Line] {
    let named = Set(manifest.historyServers.map(\.server.name))
    return outbox.servers.sorted { $0.key < $1.key }.filter { !named.contains($0.key) && $0.value.since != nil }
      .map { .server($0.key, Outbox.Mark(since: nil, seen: $0.value.seen)) }
  }

  /// The lines that drop what waits for servers that the manifest no longer names, or only asks.
  private func dropped(_ outbox: Outbox) -> [Outbox.Line] {
    let told = Set(manifest.historyServers.filter(\.pushes).map(\.server.name))
    return outbox.pendingServers.filter { !told.contains($0) }.flatMap { name in
      let messages = outbox.messages(for: name, .waiting) + outbox.messages(for: name, .sent)
      emit(.warned(.playsNotTold(messages.count, server: name, .leftManifest)))
      return messages.map { Outbox.Line.message($0, .dropped, nil) }
    }
  }

  // MARK: Pushing

  /// Tells the servers of plays that they do not know. What cannot be told is there for the next run.
  /// - Parameters:
  ///   - silent: The servers that did not answer in this run.
  ///   - network: Started if there is something to send.
  func tell(_ queue: Queue, _ playlists: [Playlist], besides silent: Set<String>, _ network: Network) async {
    guard let store, let folder = library.stateFolder, manifest.historyServers.contains(where: \.pushes) else { return }
    do throws(FileError) {
      guard let log = try PlayLogStore(folder).read()?.log else { return }
      var outbox = try store.read().outbox
      let episodes = EpisodeIndex(queue, playlists)
      for server in manifest.historyServers where server.pushes && !Task.isCancelled {
        var submission = PlaySubmission(server, store, outbox)
        try submission.record(outbox.news(for: server, in: log, at: now) { episodes[$0] })
        if submission.hasWork, !silent.contains(server.server.name.text) {
          switch await client(network) {
          case .success(let client): try await submission.send(GpodderService(client, server.server))
          case .failure(let problem): submission.push.problem = problem
          }
        }
        outbox = submission.outbox
        report(submission.result, of: server.server)
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
    emit(.historyTold(.gpodder, server: server.name.text, push))
    if let problem = push.problem { emit(.warned(.playsNotSent(push.waiting, server: server.name, problem))) }
    for (reason, count) in push.drops { emit(.warned(.playsNotTold(count, server: server.name, reason))) }
  }
}

extension OpenLibrary {
  /// Tells servers of plays, as far as the state can be trusted.
  func tellServers(_ playlists: [Playlist], _ network: Network, _ recorder: ReportRecorder) async {
    guard view.readsHistories, recorder.current.storageFailure == nil else { return }
    let silent = Set(recorder.current.history.lazy.filter { $0.source == .gpodder && $0.problem != nil }.map(\.path))
    await ServerHistories(view, recorder).tell(journal.queue, playlists, besides: silent, network)
  }
}
