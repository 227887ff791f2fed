// SPDX-License-Identifier: Apache-2.0
package import SyncCore
package import SyncFormats

/// Asks a server with the gpodder.net API, version 2, for episode actions, and pushes plays to it
/// (https://gpoddernet.readthedocs.io/en/latest/api/reference/events.html). Nextcloud's GPodder Sync has the same
/// documents at other addresses (https://github.com/thrillfall/nextcloud-gpodder).
package struct GpodderService: PlayService {
  package let batch = 100
  private let client: APIClient
  private let server: MediaServer

  package init(_ client: HTTPClient, _ server: MediaServer) {
    self.client = .init(client, history: server, limit: EpisodeActions.maximumSize)
    self.server = server
  }

  /// The server's actions since a time. To some servers it is the time of an action, to others that of its arrival.
  package func actions(since time: Timestamp?) async -> Result<EpisodeActions.Answer, HistoryProblem> {
    guard let url = url(of: "episode_action", query: "?since=\(max(0, time?.secondsSince1970 ?? 0))") else {
      return .failure(.refused(reason: HistoryProblem.longURLWords))
    }
    switch await client.ask(url, nil) {
    case .failure(let failure): return .failure(client.problem(failure))
    case .success(let answer) where answer.isSuccess:
      return EpisodeActions.read(answer.body).map { .success($0) } ?? .failure(.notAnAnswer(.gpodder))
    case .success(let answer):
      return .failure(.refused(reason: HistoryProblem.statusWords(answer.status, of: server.name)))
    }
  }

  package func push(_ plays: [OutgoingPlay]) async -> PushResult {
    let actions = plays.compactMap { play -> EpisodeAction? in
      guard case .episode(let episode) = play.track else { return nil }
      return episode.play(at: play.message.at, on: server.device)
    }
    guard let url = url(of: "episode_action/create", query: "") else {
      return .failed(.refused(reason: HistoryProblem.longURLWords))
    }
    return await client.push(to: url, EpisodeActions.encode(actions), server, EpisodeActions.isAnswer)
  }

  /// By URL and time. A server may change URLs: so actions of this device at the time, of no play that is known, count for
  /// those that are not found.
  package func arrivals(
    of plays: [OutgoingPlay], besides others: [OutgoingPlay]
  ) async -> Result<[PlayArrival], HistoryProblem> {
    guard let first = plays.map(\.message.at).min() else { return .success([]) }
    return await actions(since: first - .days(1)).map { answer in
      let known = answer.actions.filter { $0.kind == .play }
      let found = Set(known.map { Place($0.episode, $0.at) })
      let ours = Set((plays + others).compactMap(Place.init))
      var strangers: [Timestamp: Int] = [:]
      for action in known where action.device == server.device.text && !ours.contains(Place(action.episode, action.at))
      {
        strangers[action.at, default: 0] += 1
      }
      return plays.map { play in
        if Place(play).map(found.contains) ?? true { return .arrived }
        guard let rest = strangers[play.message.at], rest > 0 else { return .missing }
        strangers[play.message.at] = rest - 1
        return .arrived
      }
    }
  }

  /// Identifies a play in the answers of a server.
  private struct Place: Hashable {
    let episode: String
    let at: Timestamp

    init(_ episode: String, _ at: Timestamp) {
      (self.episode, self.at) = (RemoteURL.identity(of: episode) ?? episode, at)
    }

    /// Nil for a play of anything but an episode.
    init?(_ play: OutgoingPlay) {
      guard case .episode(let episode) = play.track else { return nil }
      self.init(episode.episode, play.message.at)
    }
  }

  /// - Parameter path: The last part of the address at Nextcloud.
  private func url(of path: String, query: String) -> RemoteURL? {
    var base = server.url.text[...]
    for ending in ["/", "/api/2"] where base.hasSuffix(ending) { base = base.dropLast(ending.count) }
    let place =
      base.hasSuffix("/apps/gpoddersync") ? path : "api/2/episodes/\(RemoteURL.encoded(server.auth.userName.utf8)).json"
    do throws(RemoteURL.Problem) { return try RemoteURL("\(base)/\(place)\(query)") } catch { return nil }
  }
}
