// SPDX-License-Identifier: Apache-2.0
package import SyncCore
package import SyncFormats

/// Asks a server with the gpodder.net API, version 2, for episode actions, and pushes plays to it
/// (https://gpoddernet.readthedocs.io/en/latest/api/reference/events.html). Nextcloud's GPodder Sync has the same
/// documents at other addresses (https://github.com/thrillfall/nextcloud-gpodder).
package struct GpodderService: Sendable {
  /// The result of one push.
  package enum PushResult: Sendable {
    case accepted
    /// The server accepted nothing because of the plays that were sent.
    case refused(HistoryProblem)
    /// The server accepted nothing, and would accept no other plays either.
    case failed(HistoryProblem)
    /// The server may have accepted the plays.
    case unknown(HistoryProblem)
  }

  private let client: APIClient
  private let server: MediaServer

  package init(_ client: HTTPClient, _ server: MediaServer) {
    self.client = APIClient(
      client, client.settings.trail(ofHistory: server), limit: EpisodeActions.maximumSize, heedsLimits: false)
    self.server = server
  }

  /// The server's actions since a time. To some servers it is the time of an action, to others that of its arrival.
  package func actions(since time: Timestamp?) async -> Result<EpisodeActions.Answer, HistoryProblem> {
    guard let url = url(of: "episode_action", query: "?since=\(max(0, time?.secondsSince1970 ?? 0))") else {
      return .failure(.refused(reason: HistoryProblem.longURLWords))
    }
    switch await client.ask(url, nil) {
    case .failure(let failure): return .failure(problem(failure))
    case .success(let answer) where answer.isSuccess:
      return EpisodeActions.read(answer.body).map { .success($0) } ?? .failure(.notAnAnswer)
    case .success(let answer): return .failure(refusal(answer.status))
    }
  }

  /// Sends the request once, because a server keeps an action twice that arrives twice.
  package func push(_ actions: [EpisodeAction]) async -> PushResult {
    guard let url = url(of: "episode_action/create", query: "") else {
      return .failed(.refused(reason: HistoryProblem.longURLWords))
    }
    switch await client.ask(url, EpisodeActions.encode(actions), repeats: false) {
    case .success(let answer) where answer.isSuccess:
      // A login page has the status of success, too.
      return EpisodeActions.isAnswer(answer.body) ? .accepted : .unknown(.notAnAnswer)
    case .success(let answer) where [400, 413, 422].contains(answer.status): return .refused(refusal(answer.status))
    case .success(let answer): return .failed(refusal(answer.status))
    case .failure(.http(status: 429)): return .failed(problem(.http(status: 429)))
    case .failure(let failure): return .unknown(problem(failure))
    }
  }

  private func problem(_ failure: Failure) -> HistoryProblem {
    .unanswered(reason: client.mask.masked(failure.words))
  }

  private func refusal(_ status: Int) -> HistoryProblem {
    .refused(reason: HistoryProblem.statusWords(status, of: server.name))
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
