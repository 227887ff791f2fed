// SPDX-License-Identifier: Apache-2.0
package import SyncCore
import SyncFormats

/// Tells a server with the Subsonic API of plays (http://www.subsonic.org/pages/api.jsp#scrobble,
/// https://opensubsonic.netlify.app/docs/endpoints/scrobble/).
package struct SubsonicService: PlayService {
  /// A lost answer can be settled only for a play that was sent alone, by the server's count.
  package let batch = 1
  private static let largestAnswer = ByteCount(1 << 20)
  private let client: APIClient
  private let server: MediaServer
  private let tellsCounts: Bool

  /// - Parameter tellsCounts: True if the server is known to tell counts of plays, so that a song without one has none.
  package init(_ client: HTTPClient, _ server: MediaServer, tellsCounts: Bool) {
    self.client = .init(client, history: server, limit: Self.largestAnswer)
    self.server = server
    self.tellsCounts = tellsCounts
  }

  /// Asks for the song. So nothing is sent to a server that does not answer.
  package func prepare(_ play: OutgoingPlay) async -> Result<PlayPreparation, HistoryProblem> {
    guard case .song(let id) = play.track else { return .success(.trackIsGone) }
    switch await ask("getSong", [("id", id)], repeats: true) {
    case .answer(let answer):
      let count = answer.songs.first?.playCount ?? (tellsCounts ? 0 : nil)
      return .success(count.map { .counted($0, last: answer.songs.first?.playedAt) } ?? .ready)
    case .refused(code: SubsonicAnswer.notFound, _): return .success(.trackIsGone)
    case .refused(_, let problem), .failed(let problem), .unknown(let problem): return .failure(problem)
    }
  }

  package func push(_ plays: [OutgoingPlay]) async -> PushResult {
    guard let play = plays.first, case .song(let id) = play.track else { return .accepted }
    let milliseconds = "\(play.message.at.secondsSince1970 * 1000)"
    let parameters = [("id", id), ("time", milliseconds), ("submission", "true")]
    switch await ask("scrobble", parameters, repeats: false) {
    case .answer: return .accepted
    // Generic errors, and parameters that the server wants otherwise.
    case .refused(let code, let problem) where [0, 10, SubsonicAnswer.notFound].contains(code):
      return .refused(problem)
    case .refused(_, let problem), .failed(let problem): return .failed(problem)
    case .unknown(let problem): return .unknown(problem)
    }
  }

  /// By the server's count of plays, before and now.
  package func arrivals(of plays: [OutgoingPlay]) async -> Result<[PlayArrival], HistoryProblem> {
    var arrivals: [PlayArrival] = []
    for play in plays {
      switch await prepare(play) {
      case .failure(let problem): return .failure(problem)
      case .success(.counted(let now, let last)):
        let push = CountedPush(at: play.message.at, count: play.count ?? 0, isCertain: false)
        arrivals.append(push.hasArrived(count: now, last: last) ? .arrived : .missing)
      case .success: arrivals.append(.unknown)
      }
    }
    return .success(arrivals)
  }

  private enum Reply {
    case answer(SubsonicAnswer)
    /// An error of the API. The server did nothing.
    case refused(code: Int, HistoryProblem)
    /// The server did nothing, and will do nothing else.
    case failed(HistoryProblem)
    case unknown(HistoryProblem)
  }

  private func ask(_ method: String, _ parameters: [(String, String)], repeats: Bool) async -> Reply {
    let reply = await askOnce(method, parameters, repeats: repeats)
    guard case .refused(let code, _) = reply, SubsonicAnswer.refusesToken(code) else { return reply }
    await client.usePlainLogin(at: server.url.origin)
    return await askOnce(method, parameters, repeats: repeats)
  }

  private func askOnce(_ method: String, _ parameters: [(String, String)], repeats: Bool) async -> Reply {
    guard let url = SubsonicURL.request(method, [("f", "json")] + parameters, of: server.url) else {
      return .failed(.refused(reason: HistoryProblem.longURLWords))
    }
    switch await client.ask(url, nil, repeats: repeats) {
    case .success(let answer) where answer.isSuccess:
      do throws(SourceProblem) { return .answer(try SubsonicAnswer(answer.body)) } catch {
        guard case .refused(let code, _) = error else { return .unknown(.notAnAnswer(.subsonic)) }
        let words = SourceProblem.server(server.name, error).words
        return .refused(code: code, .refused(reason: client.mask.masked(words)))
      }
    case .success(let answer):
      return .failed(.refused(reason: HistoryProblem.statusWords(answer.status, of: server.name)))
    case .failure(.http(status: 429)): return .failed(client.problem(.http(status: 429)))
    case .failure(let failure): return .unknown(client.problem(failure))
    }
  }
}
