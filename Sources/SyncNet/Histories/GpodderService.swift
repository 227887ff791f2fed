// SPDX-License-Identifier: Apache-2.0
package import SyncCore
package import SyncFormats

/// Asks a server with the gpodder.net API, version 2, for episode actions, and pushes actions to it
/// (https://gpoddernet.readthedocs.io/en/latest/api/reference/events.html).
package struct GpodderService: PlayService {
  package let batch = 100
  private let client: APIClient
  private let server: MediaServer
  /// The URLs that were sent to the server, by the form in which it keeps them.
  private let sentURLs: [String: String]

  package init(_ client: HTTPClient, _ server: MediaServer, sentURLs: [String: String]) {
    self.client = .init(client, history: server, limit: EpisodeActions.maximumSize)
    (self.server, self.sentURLs) = (server, sentURLs)
  }

  /// The server's actions since a time, with the URLs that were sent. To some servers it is the time of an action, to
  /// others that of its arrival.
  package func actions(since time: Timestamp?) async -> Result<EpisodeActions.Answer, HistoryProblem> {
    let url = GpodderURL.episodes(of: server, since: max(0, time?.secondsSince1970 ?? 0))
    guard let url else { return .failure(.refused(reason: HistoryProblem.longURLWords)) }
    switch await client.ask(url, nil) {
    case .failure(let failure): return .failure(client.problem(failure))
    case .success(let answer) where answer.isSuccess:
      guard var actions = EpisodeActions.read(answer.body) else { return .failure(.notAnAnswer(.gpodder)) }
      for index in actions.actions.indices {
        let kept = actions.actions[index].episode
        actions.actions[index].episode = sentURLs[kept] ?? kept
      }
      return .success(actions)
    case .success(let answer):
      return .failure(.refused(reason: HistoryProblem.statusWords(answer.status, of: server.name)))
    }
  }

  /// A server without devices answers that there is no such address.
  package func introduce() async -> Bool {
    guard !server.isNextcloud, let url = GpodderURL.device(of: server) else { return true }
    switch await client.ask(url, GpodderDocument.device(server.device)) {
    case .success(let answer): return ![401, 403].contains(answer.status)
    case .failure: return false
    }
  }

  package func push(_ plays: [OutgoingPlay]) async -> PushResult {
    let actions = plays.compactMap { play -> EpisodeAction? in
      guard case .episode(let episode) = play.track else { return nil }
      return episode.action(play.message.kind, at: play.message.at, on: server.device)
    }
    guard let url = GpodderURL.newEpisodes(of: server) else {
      return .failed(.refused(reason: HistoryProblem.longURLWords))
    }
    return await client.push(to: url, EpisodeActions.encode(actions), server, EpisodeActions.changes)
  }

  /// Tells the server of feeds, as subscriptions of this device. It knows a feed once, however often it is told of it.
  package func subscribe(to feeds: [String]) async -> PushResult {
    guard let url = GpodderURL.subscriptions(of: server) else {
      return .failed(.refused(reason: HistoryProblem.longURLWords))
    }
    return await client.push(to: url, GpodderDocument.subscriptions(to: feeds), server, EpisodeActions.changes)
  }

  /// By URL, kind and time. A server may change URLs: so actions of this device at the time, that are not known otherwise,
  /// count for those that are not found.
  package func arrivals(
    of plays: [OutgoingPlay], besides others: [OutgoingPlay]
  ) async -> Result<[PlayArrival], HistoryProblem> {
    guard let first = plays.map(\.message.at).min() else { return .success([]) }
    return await actions(since: first - .days(1)).map { answer in
      let found = Set(answer.actions.map { Place($0) })
      let ours = Set((plays + others).compactMap(Place.init))
      var strangers: [Moment: Int] = [:]
      for action in answer.actions where action.device == server.device.text && !ours.contains(Place(action)) {
        strangers[Moment(action.kind, action.at), default: 0] += 1
      }
      return plays.map { play in
        guard let place = Place(play), !found.contains(place) else { return .arrived }
        guard let rest = strangers[place.moment], rest > 0 else { return .missing }
        strangers[place.moment] = rest - 1
        return .arrived
      }
    }
  }

  private struct Moment: Hashable {
    let kind: EpisodeAction.Kind
    let at: Timestamp

    init(_ kind: EpisodeAction.Kind, _ at: Timestamp) { (self.kind, self.at) = (kind, at) }
  }

  /// Identifies an action in the answers of a server.
  private struct Place: Hashable {
    let episode: String
    let moment: Moment

    init(_ action: EpisodeAction) {
      episode = RemoteURL.identity(of: action.episode) ?? action.episode
      moment = Moment(action.kind, action.at)
    }

    /// Nil for an action about anything but an episode.
    init?(_ play: OutgoingPlay) {
      guard case .episode(let episode) = play.track else { return nil }
      self.init(episode.action(play.message.kind, at: play.message.at, on: .default))
    }
  }
}

/// The addresses of the gpodder.net API, version 2, and those of Nextcloud's GPodder Sync.
enum GpodderURL {
  static func episodes(of server: MediaServer, since: Int64) -> RemoteURL? {
    url(server, nextcloud: "episode_action", "api/2/episodes/\(user(server)).json", query: "?since=\(since)")
  }

  static func newEpisodes(of server: MediaServer) -> RemoteURL? {
    url(server, nextcloud: "episode_action/create", "api/2/episodes/\(user(server)).json")
  }

  static func subscriptions(of server: MediaServer) -> RemoteURL? {
    let device = "\(user(server))/\(server.device.text)"
    return url(server, nextcloud: "subscription_change/create", "api/2/subscriptions/\(device).json")
  }

  /// Nil at a server without devices.
  static func device(of server: MediaServer) -> RemoteURL? {
    url(server, nextcloud: nil, "api/2/devices/\(user(server))/\(server.device.text).json")
  }

  private static func user(_ server: MediaServer) -> String { RemoteURL.encoded(server.auth.userName.utf8) }

  /// - Returns: Nil for an address that the server does not have or that is too long.
  private static func url(
    _ server: MediaServer, nextcloud: String?, _ path: String, query: String = ""
  ) -> RemoteURL? {
    guard let place = server.isNextcloud ? nextcloud : path else { return nil }
    do throws(RemoteURL.Problem) { return try RemoteURL("\(server.base)/\(place)\(query)") } catch { return nil }
  }
}
