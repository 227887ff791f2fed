// SPDX-License-Identifier: Apache-2.0
package import SyncCore
package import SyncFormats

/// Asks a server with the gpodder.net API, version 2, for episode actions, and tells it of plays
/// (https://gpoddernet.readthedocs.io/en/latest/api/reference/events.html). Nextcloud's GPodder Sync has the same
/// documents at other addresses (https://github.com/thrillfall/nextcloud-gpodder).
package struct GpodderService: Sendable {
  /// The result of telling a server.
  package enum Told: Sendable {
    case all
    /// The server took nothing because of what was sent.
    case refused(HistoryProblem)
    /// The server took nothing, and would not take anything else either.
    case notTaken(HistoryProblem)
    /// The server may have taken it.
    case unknown(HistoryProblem)
  }

  private let client: APIClient
  private let server: MediaServer

  package init(_ client: HTTPClient, _ server: MediaServer) {
    self.client = APIClient(
      client, client.settings.trail(ofHistory: server), limit: EpisodeActions.maximumSize, heedsLimits: false)
    self.server = server
  }

  /// The actions that the server knows since a time. Servers differ in whether it is the time of an action or of its
  /// arrival.
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

  /// Sends the request once: an action that arrives twice is there twice.
  package func tell(_ actions: [EpisodeAction]) async -> Told {
    guard let url = url(of: "episode_action/create", query: "") else {
      return .notTaken(.refused(reason: HistoryProblem.longURLWords))
    }
    switch await client.ask(url, EpisodeActions.encode(actions), repeats: false) {
    case .success(let answer) where answer.isSuccess:
      // A login page has the status of success, too.
      return EpisodeActions.isAnswer(answer.body) ? .all : .unknown(.notAnAnswer)
    case .success(let answer) where [400, 413, 422].contains(answer.status): return .refused(refusal(answer.status))
    case .success(let answer): return .notTaken(refusal(answer.status))
    case .failure(.http(status: 429)): return .notTaken(problem(.http(status: 429)))
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
