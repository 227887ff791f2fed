// SPDX-License-Identifier: Apache-2.0
package import SyncCore
import SyncFormats

/// A server to which plays are pushed (docs/decisions/0101-an-outbox-of-plays.md).
package protocol PlayService: Sendable {
  /// The largest number of plays in one request.
  var batch: Int { get }

  /// The time between two requests.
  var pause: Duration { get }

  /// Tells the server about this device, which changes nothing if it knows it. Most services do not need this.
  /// - Returns: True if the server was told, or has no use for it.
  func introduce() async -> Bool

  /// Asks the server about a play before it is sent. Most services do not need this.
  func prepare(_ play: OutgoingPlay) async -> PlayPreparation

  /// Sends the plays in one request, once: a server may keep a play twice that arrives twice.
  func push(_ plays: [OutgoingPlay]) async -> PushResult

  /// True if the server can tell later whether it has a play that was sent without an answer.
  func canTell(_ play: OutgoingPlay) -> Bool

  /// Says of each play that was sent without an answer whether the server has it.
  /// - Parameter others: Plays at the same times that the server has.
  func arrivals(
    of plays: [OutgoingPlay], besides others: [OutgoingPlay]
  ) async -> Result<[PlayArrival], HistoryProblem>
}

extension PlayService {
  package var pause: Duration { .zero }

  package func introduce() async -> Bool { true }

  package func canTell(_ play: OutgoingPlay) -> Bool { true }

  package func prepare(_ play: OutgoingPlay) async -> PlayPreparation { .ready }
}

package enum PlayPreparation: Sendable {
  case ready
  /// The server's count of plays before this one. Zero if it tells none.
  case counted(Int)
  /// The server does not have the track any more.
  case trackIsGone
  /// The server has trouble with this track. Another one may be no trouble.
  case postponed(HistoryProblem)
  /// The server cannot be asked, or would answer the same for each track.
  case stopped(HistoryProblem)
}

/// The result of one push.
package enum PushResult: Sendable {
  /// - Parameter changes: The URLs that the server keeps in another form, or does not take.
  case accepted(changes: [URLChange] = [])
  /// The server accepted nothing because of the plays that were sent.
  case refused(HistoryProblem)
  /// The server accepted nothing, and would accept no other plays either.
  case failed(HistoryProblem)
  /// The server accepted nothing now. It may accept other plays.
  case postponed(HistoryProblem)
  /// The server may have accepted the plays. It answered, and may accept others.
  case troubled(HistoryProblem)
  /// The server may have accepted the plays.
  case unknown(HistoryProblem)
}

package enum PlayArrival: Sendable {
  case arrived
  case missing
  /// The server does not tell, and will not.
  case unknown
  /// It cannot be found out now.
  case open
}

extension APIClient {
  /// A client for a server that keeps a history. It sends even when the run has reached one of its limits, which are about
  /// downloads.
  init(_ client: HTTPClient, history server: MediaServer, limit: ByteCount) {
    self.init(client, client.settings.trail(ofHistory: server), limit: limit, heedsLimits: false)
  }

  /// Sends plays in one JSON document.
  /// - Parameter changes: Nil for a document that is not an answer that accepts them. A login page has the status of
  ///   success, too.
  nonisolated func push(
    to url: RemoteURL, _ document: [UInt8], _ server: MediaServer, _ changes: ([UInt8]) -> [URLChange]?
  ) async -> PushResult {
    switch await ask(url, document, repeats: false) {
    case .success(let answer) where answer.isSuccess:
      return changes(answer.body).map { .accepted(changes: $0) } ?? .unknown(.notAnAnswer(server.kind))
    case .success(let answer):
      let problem = HistoryProblem.refused(reason: HistoryProblem.statusWords(answer.status, of: server.name))
      return [400, 413, 422].contains(answer.status) ? .refused(problem) : .failed(problem)
    case .failure(let failure): return unanswered(failure)
    }
  }

  /// The meaning of a request without an answer that says more.
  nonisolated func unanswered(_ failure: Failure) -> PushResult {
    switch failure {
    // It has accepted nothing, and says so.
    case .http(status: 429): .failed(problem(failure))
    case .http: .troubled(problem(failure))
    default: .unknown(problem(failure))
    }
  }

  nonisolated func problem(_ failure: Failure) -> HistoryProblem {
    .unanswered(reason: mask.masked(failure.words))
  }
}
