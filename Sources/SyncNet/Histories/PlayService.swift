// SPDX-License-Identifier: Apache-2.0
package import SyncCore
import SyncFormats

/// A server to which plays are pushed (docs/decisions/0101-an-outbox-of-plays.md).
package protocol PlayService: Sendable {
  /// The largest number of plays in one request.
  var batch: Int { get }

  /// What the server says of a play before it is sent. Most servers are not asked.
  func prepare(_ play: OutgoingPlay) async -> Result<PlayPreparation, HistoryProblem>

  /// Sends the plays in one request, once: a server may keep a play twice that arrives twice.
  func push(_ plays: [OutgoingPlay]) async -> PushResult

  /// Says of each play that was sent without an answer whether the server has it.
  func arrivals(of plays: [OutgoingPlay]) async -> Result<[PlayArrival], HistoryProblem>
}

extension PlayService {
  package func prepare(_ play: OutgoingPlay) async -> Result<PlayPreparation, HistoryProblem> { .success(.ready) }
}

package enum PlayPreparation: Sendable {
  case ready
  /// The server's count of plays before this one, and the time of the last one.
  case counted(Int, last: Timestamp?)
  /// The server does not have the track any more.
  case trackIsGone
}

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

package enum PlayArrival: Sendable {
  case arrived
  case missing
  /// The server does not tell.
  case unknown
}

extension APIClient {
  /// A client for a server that keeps a history. It sends even when the run has reached one of its limits, which are about
  /// downloads.
  init(_ client: HTTPClient, history server: MediaServer, limit: ByteCount) {
    self.init(client, client.settings.trail(ofHistory: server), limit: limit, heedsLimits: false)
  }

  /// Sends plays in one JSON document. The answer is a JSON object as well.
  nonisolated func push(to url: RemoteURL, _ document: [UInt8], _ server: MediaServer) async -> PushResult {
    switch await ask(url, document, repeats: false) {
    case .success(let answer) where answer.isSuccess:
      // A login page has the status of success, too.
      return EpisodeActions.isAnswer(answer.body) ? .accepted : .unknown(.notAnAnswer(server.kind))
    case .success(let answer): return refusal(answer.status, of: server)
    // These have accepted nothing, and said so.
    case .failure(.http(status: 429)): return .failed(problem(.http(status: 429)))
    case .failure(let failure): return .unknown(problem(failure))
    }
  }

  /// The meaning of a status that is neither success nor a passing failure.
  nonisolated func refusal(_ status: Int, of server: MediaServer) -> PushResult {
    let problem = HistoryProblem.refused(reason: HistoryProblem.statusWords(status, of: server.name))
    return [400, 413, 422].contains(status) ? .refused(problem) : .failed(problem)
  }

  nonisolated func problem(_ failure: Failure) -> HistoryProblem {
    .unanswered(reason: mask.masked(failure.words))
  }
}
