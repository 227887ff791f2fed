// SPDX-License-Identifier: Apache-2.0
package import SyncCore
import SyncFormats

/// Tells a server with the Subsonic API of plays (http://www.subsonic.org/pages/api.jsp#scrobble,
/// https://opensubsonic.netlify.app/docs/endpoints/scrobble/).
package struct SubsonicService: PlayService {
  /// A lost answer can be settled only for a play that was sent alone, by the server's count.
  package let batch = 1
  private static let largestAnswer = ByteCount(1 << 20)
  private let client: SubsonicClient
  /// The counts of plays that the server told with its songs in this run, by their ids.
  private let listed: [String: Int]

  /// - Parameter listed: The counts of plays that the server told with its songs in this run, by their ids. A server that
  ///   tells some tells none for a song that was not played.
  package init(_ client: HTTPClient, _ server: MediaServer, listed: [String: Int]) {
    self.client = SubsonicClient(
      APIClient(client, history: server, limit: Self.largestAnswer), server.name, at: server.url)
    self.listed = listed
  }

  /// Asks for the song. So nothing is sent to a server that does not answer.
  package func prepare(_ play: OutgoingPlay) async -> PlayPreparation {
    switch await song(of: play) {
    case .found(let count, _): .counted(count ?? 0)
    case .gone: .trackIsGone
    case .postponed(let problem): .postponed(problem)
    case .stopped(let problem): .stopped(problem)
    }
  }

  package func push(_ plays: [OutgoingPlay]) async -> PushResult {
    guard let play = plays.first, case .song(let id) = play.track else { return .accepted() }
    let milliseconds = "\(play.message.at.secondsSince1970 * 1000)"
    let parameters = [("id", id), ("time", milliseconds), ("submission", "true")]
    switch await client.ask("scrobble", parameters, repeats: false) {
    case .answer: return .accepted()
    case .refused(let code?, let problem) where SubsonicAnswer.isAboutLogin(code): return .failed(problem)
    // A generic error may be a passing one.
    case .refused(code: 0, let problem): return .postponed(problem)
    case .refused(_, let problem): return .refused(problem)
    case .failed(let problem): return .failed(problem)
    case .troubled(let problem): return .troubled(problem)
    case .unknown(let problem): return .unknown(problem)
    }
  }

  package func canTell(_ play: OutgoingPlay) -> Bool { !listed.isEmpty || play.count ?? 0 > 0 }

  /// By the server's count of plays, before and now.
  package func arrivals(
    of plays: [OutgoingPlay], besides others: [OutgoingPlay]
  ) async -> Result<[PlayArrival], HistoryProblem> {
    var arrivals: [PlayArrival] = []
    for play in plays {
      switch await song(of: play) {
      case .found(let now?, let last):
        let push = CountedPush(at: play.message.at, count: play.count ?? 0, isCertain: false)
        arrivals.append(push.hasArrived(count: now, last: last) ? .arrived : .missing)
      case .found(nil, _), .gone: arrivals.append(.unknown)
      case .postponed: arrivals.append(.open)
      case .stopped(let problem): return .failure(problem)
      }
    }
    return .success(arrivals)
  }

  private enum Song {
    /// - Parameter count: Nil if the server tells none.
    case found(count: Int?, last: Timestamp?)
    case gone
    case postponed(HistoryProblem)
    case stopped(HistoryProblem)
  }

  private func song(of play: OutgoingPlay) async -> Song {
    guard case .song(let id) = play.track else { return .gone }
    switch await client.ask("getSong", [("id", id)], repeats: true) {
    case .answer(let answer):
      let song = answer.songs.first
      // A server that was set up anew may give the id to another song.
      if let title = song?.title, let wanted = play.title, title.tagKey != wanted.tagKey {
        return .postponed(.refused(reason: HistoryProblem.otherSongWords(title)))
      }
      return .found(count: song?.playCount ?? listed[id] ?? (listed.isEmpty ? nil : 0), last: song?.playedAt)
    case .refused(code: SubsonicAnswer.notFound, _): return .gone
    case .refused(let code?, let problem) where SubsonicAnswer.isAboutLogin(code): return .stopped(problem)
    case .refused(_, let problem), .troubled(let problem): return .postponed(problem)
    case .failed(let problem), .unknown(let problem): return .stopped(problem)
    }
  }
}
