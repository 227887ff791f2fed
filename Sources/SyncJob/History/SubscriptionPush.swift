// SPDX-License-Identifier: Apache-2.0
import SyncCore
import SyncDisk
import SyncFormats
import SyncNet

/// Tells one server of the feeds of the manifest, each once. Nothing is unsubscribed there: another device may have
/// subscribed as well.
struct SubscriptionPush {
  /// The largest number of feeds in one request.
  private static let batch = 100
  /// The number of feeds that a server may refuse before it takes one.
  private static let mostRefusals = 8

  private let name: PlaylistName
  private let store: OutboxStore
  /// The playlists of the manifest's feeds, by URL.
  private let feeds: [String: PlaylistName]
  private(set) var outbox: Outbox
  private(set) var counts = FeedPush()
  /// The feeds that the server refused one by one.
  private var refused: [String] = []
  let emit: @Sendable (RunEvent) -> Void

  init(
    _ server: MediaServer, _ playlists: [Playlist], _ store: OutboxStore, _ outbox: Outbox,
    _ emit: @escaping @Sendable (RunEvent) -> Void
  ) {
    (self.store, self.outbox, self.emit, name) = (store, outbox, emit, server.name)
    feeds = playlists.subscribed(at: server.name)
  }

  /// True if the server is not up to date.
  var hasWork: Bool {
    let (new, left) = outbox.subscriptions(of: Set(feeds.keys), at: name)
    return !new.isEmpty || !left.isEmpty
  }

  /// - Parameter service: Nil for a problem that keeps the server from being asked.
  mutating func send(_ service: Result<GpodderService, HistoryProblem>) async throws(FileError) {
    let (new, left) = outbox.subscriptions(of: Set(feeds.keys), at: name)
    try record(left.map { .subscription(server: name, feed: $0, .forgotten) })
    guard !new.isEmpty else { return }
    switch service {
    case .failure(let problem): counts.problem = problem
    case .success(let service):
      var rest = new[...]
      while !rest.isEmpty, counts.problem == nil, !Task.isCancelled {
        try await send(Array(rest.prefix(Self.batch)), service)
        rest = rest.dropFirst(Self.batch)
      }
    }
    try report(new)
  }

  private mutating func send(_ urls: [String], _ service: GpodderService) async throws(FileError) {
    guard counts.problem == nil, !urls.isEmpty else { return }
    switch await service.subscribe(to: urls) {
    case .accepted(let changes):
      let dropped = Set(changes.lazy.filter { $0.kept == nil }.map(\.sent)).intersection(urls)
      (counts.subscribed, counts.refused) = (
        counts.subscribed + urls.count - dropped.count, counts.refused + dropped.count
      )
      try record(urls.map { .subscription(server: name, feed: $0, dropped.contains($0) ? .dropped : .pushed) })
      if !dropped.isEmpty { emit(.warned(.notSubscribed(names(dropped), server: name, nil))) }
    case .refused(let problem) where urls.count == 1:
      refused += urls
      // A server that refuses all of them has another reason than the feeds.
      if counts.subscribed == 0, refused.count >= Self.mostRefusals { counts.problem = problem }
    case .refused:
      try await send(Array(urls.prefix(urls.count / 2)), service)
      try await send(Array(urls.suffix(urls.count - urls.count / 2)), service)
    case .failed(let problem), .postponed(let problem), .troubled(let problem), .unknown(let problem):
      counts.problem = problem
    }
  }

  /// Gives up what the server refuses while it takes other feeds, and reports what waits.
  private mutating func report(_ new: [String]) throws(FileError) {
    if counts.subscribed > 0, !refused.isEmpty {
      counts.refused += refused.count
      try record(refused.map { .subscription(server: name, feed: $0, .dropped) })
      emit(.warned(.notSubscribed(names(Set(refused)), server: name, nil)))
    } else if !refused.isEmpty, counts.problem == nil {
      counts.problem = .refused(reason: HistoryProblem.refusedFeedsWords)
    }
    let waiting = Set(outbox.subscriptions(of: Set(feeds.keys), at: name).new)
    if Task.isCancelled { counts.problem = nil }
    guard let problem = counts.problem, !waiting.isEmpty else { return }
    emit(.warned(.notSubscribed(names(waiting), server: name, problem)))
  }

  private func names(_ urls: Set<String>) -> [PlaylistName] { urls.compactMap { feeds[$0] }.sorted() }

  private mutating func record(_ lines: [Outbox.Line]) throws(FileError) {
    try store.append(lines)
    for line in lines { outbox.add(line) }
  }
}

extension [Playlist] {
  /// The feeds that a server is told of, by URL: not those that it lists itself, and not those with a password.
  fileprivate func subscribed(at server: PlaylistName) -> [String: PlaylistName] {
    let own = Set(lazy.filter { $0.source.subscriptions?.server == server }.map(\.name))
    return reduce(into: [:]) { feeds, playlist in
      guard playlist.source.kind == .feed, let url = playlist.source.url, !url.hasCredentials,
        !own.contains(playlist.name.declared), feeds[url.text] == nil
      else { return }
      feeds[url.text] = playlist.name
    }
  }
}
