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
    enum Plays: Sendable {
      /// Actions. Those of `pushed` come from here.
      case actions(EpisodeActions.Answer, pushed: Set<Outbox.Message>)
      /// Counters, and the plays in them that come from here.
      case counters([PlayCounter], pushes: [ItemID: [CountedPush]])
    }

    let server: HistoryServer
    let result: Result<Plays, HistoryProblem>
  }

  /// Asks each server for plays since the last answer, with an overlap. Servers with the Subsonic API have told their
  /// counts with the songs of the sources. Ends early if the task is cancelled.
  func pull(_ resolution: Resolution, _ network: Network) async throws(JobError) -> [Answer] {
    var answers: [Answer] = []
    let outbox: Outbox
    do throws(FileError) { outbox = try store?.read().outbox ?? Outbox() } catch {
      report(error)
      return []
    }
    for history in manifest.historyServers where history.pulls {
      let server = history.server
      let result: Result<Answer.Plays, HistoryProblem>
      switch server.kind {
      case .gpodder:
        let seen = outbox.servers[server.name]?.seen.map { min($0, now) - Self.overlap }
        let urls = outbox.sentURLs(of: server.name)
        result = await GpodderService(try await network.start(), server, sentURLs: urls).actions(since: seen)
          .map { .actions($0, pushed: Set(outbox.messages(for: server.name, .pushed))) }
      case .subsonic:
        let counters = resolution.counters(of: server.name)
        result = .success(.counters(counters, pushes: outbox.countedPushes(to: server.name)))
      case .listenbrainz: continue
      }
      guard !Task.isCancelled else { break }
      answers.append(Answer(server: history, result: result))
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
      var mark = Outbox.Mark(
        since: server.pushes ? before?.since ?? now : nil, seen: before?.seen, device: before?.device)
      for case .success(.actions(let answer, _)) in answers.lazy.filter({ $0.server.server.name == name }).map(\.result)
      {
        // A time ahead of this clock would hide all plays until then.
        mark.seen = answer.timestamp.map { min($0, now) } ?? mark.seen
      }
      if mark != before { lines.append(.server(name, mark)) }
      guard let since = mark.since else { continue }
      let new = Set(known.lazy.filter { $0.server == name && $0.at >= since && outbox.state(of: $0) != .pushed })
      lines += new.sorted().map { .message($0, .pushed) }
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
      .map { .server($0.key, Outbox.Mark(since: nil, seen: $0.value.seen, device: $0.value.device)) }
  }

  /// The lines that drop messages for servers to which the manifest no longer pushes.
  private func dropped(_ outbox: Outbox) -> [Outbox.Line] {
    let pushed = Set(manifest.historyServers.filter(\.pushes).map(\.server.name))
    return outbox.pendingServers.filter { !pushed.contains($0) }.flatMap { name in
      let messages = outbox.messages(for: name, .waiting) + outbox.messages(for: name, .sent)
      emit(.warned(.playsDropped(messages.map(\.item), outbox.pendingNoun(for: name), server: name, .leftManifest)))
      return messages.map { Outbox.Line.message($0, .dropped) }
    }
  }

  // MARK: Pushing

  /// Pushes new plays. Those that cannot be pushed wait for the next run.
  /// - Parameters:
  ///   - unanswered: The servers that did not answer in this run.
  ///   - listed: The counts that servers told with their songs in this run, by the songs' ids.
  ///   - network: Started if there is something to send.
  func push(
    _ queue: Queue, _ playlists: [Playlist], besides unanswered: Set<String>, listed: [PlaylistName: [String: Int]],
    _ network: Network
  ) async {
    guard let store, let folder = library.stateFolder, manifest.historyServers.contains(where: \.pushesAnything) else {
      return
    }
    do throws(FileError) {
      let log = try PlayLogStore(folder).read()?.log ?? PlayLog()
      var outbox = try store.read().outbox
      let tracks = ServerTracks(queue, playlists)
      for server in manifest.historyServers where server.pushesAnything && !Task.isCancelled {
        let feeds = try await subscribe(server, playlists, store, &outbox, besides: unanswered, network)
        var push = OutboxPush(server, store, outbox, tracks)
        push.counts.feeds = feeds
        let positions = server.server.kind == .gpodder ? tracks.positions : [:]
        try push.record(
          outbox.newMessages(for: server, in: log, positions: positions, at: now) {
            tracks.track(of: $0, at: server.server)
          } + outbox.newFileMessages(for: server, in: queue, at: now) { tracks.track(of: $0, at: server.server) })
        if push.hasWork, !unanswered.contains(server.server.name.text) {
          switch await client(network) {
          case .success(let client):
            try await push.send(service(client, server.server, outbox, listed[server.server.name] ?? [:]))
          case .failure(let problem): push.counts.problem = problem
          }
        }
        outbox = push.outbox
        report(push.result, of: server.server)
      }
    } catch { report(error) }
  }

  /// Tells a server of the feeds of the manifest.
  private func subscribe(
    _ server: HistoryServer, _ playlists: [Playlist], _ store: OutboxStore, _ outbox: inout Outbox,
    besides unanswered: Set<String>, _ network: Network
  ) async throws(FileError) -> FeedPush {
    guard server.subscribes, !unanswered.contains(server.server.name.text) else { return FeedPush() }
    var push = SubscriptionPush(server.server, playlists, store, outbox, emit)
    guard push.hasWork else { return FeedPush() }
    let urls = outbox.sentURLs(of: server.server.name)
    try await push.send(await client(network).map { GpodderService($0, server.server, sentURLs: urls) })
    outbox = push.outbox
    return push.counts
  }

  private func service(
    _ client: HTTPClient, _ server: MediaServer, _ outbox: Outbox, _ listed: [String: Int]
  ) -> any PlayService {
    switch server.kind {
    case .gpodder: GpodderService(client, server, sentURLs: outbox.sentURLs(of: server.name))
    case .listenbrainz: ListenBrainzService(client, server)
    case .subsonic: SubsonicService(client, server, listed: listed)
    }
  }

  private func client(_ network: Network) async -> Result<HTTPClient, HistoryProblem> {
    do throws(JobError) { return .success(try await network.start()) } catch {
      return .failure(.unanswered(reason: error.words()))
    }
  }

  private func report(_ error: FileError) { emit(.warned(.outboxUnusable(error))) }

  private func report(_ push: HistoryPush, of server: MediaServer) {
    guard push != HistoryPush() else { return }
    emit(.historyPushed(PlaySource(server.kind), server: server.name.text, push))
    if let problem = push.problem {
      emit(.warned(.playsWaiting(push.waiting, push.noun, server: server.name, problem)))
    }
    for (reason, items) in push.drops { emit(.warned(.playsDropped(items, push.noun, server: server.name, reason))) }
  }
}

extension OpenLibrary {
  /// Pushes plays to servers, if the state can be trusted.
  func pushPlays(
    _ playlists: [Playlist], _ listed: [PlaylistName: [String: Int]], _ network: Network, _ recorder: ReportRecorder
  ) async {
    guard view.readsHistories, recorder.current.storageFailure == nil else { return }
    let unanswered = Set(
      recorder.current.history.lazy.filter { $0.source.isServer && $0.problem != nil }.map(\.path))
    await ServerHistories(view, recorder).push(
      journal.queue, playlists, besides: unanswered, listed: listed, network)
  }
}

extension Resolution {
  /// The counts that a server told for the songs of its playlists, once for each song.
  fileprivate func counters(of server: PlaylistName) -> [PlayCounter] {
    plays(of: server).map { url, plays in
      PlayCounter(
        track: TrackReference(url: url), uri: url, value: plays.count, lastAt: plays.lastAt, duration: plays.duration)
    }.sorted { $0.uri < $1.uri }
  }

  private func plays(of server: PlaylistName) -> [String: SongPlays] {
    playlists.reduce(into: [:]) { known, resolved in
      guard case .server(let query) = resolved.playlist.source, query.server == server else { return }
      for plays in resolved.reading?.songPlays ?? [] { known[plays.url.text] = plays }
    }
  }

  /// The counts that each of the servers told with its songs, by their ids.
  func songCounts(of servers: [HistoryServer]) -> [PlaylistName: [String: Int]] {
    servers.reduce(into: [:]) { counts, history in
      for plays in plays(of: history.server.name).values {
        guard let id = SubsonicURL.songID(of: plays.url) else { continue }
        counts[history.server.name, default: [:]][id] = plays.count
      }
    }
  }
}
