// SPDX-License-Identifier: Apache-2.0
import SyncCore

/// The servers of a run and what their first answers told. The first request to a server is made alone: if it shows that
/// the server takes no request at all, such as for a wrong password, no other one is made in this run.
actor ServerTrials {
  private enum State {
    /// The first request is under way, and others wait for its end.
    case trying([CheckedContinuation<Void, Never>])
    case usable
    /// The server refuses the credentials.
    case refusing(SourceProblem)
  }

  private var states: [PlaylistName: State] = [:]
  private var answered: Set<PlaylistName> = []
  private var told: [PlaylistName: Set<SourceProblem>] = [:]

  /// Returns once a request may be made. Each call is followed by one of `end`.
  /// - Throws: The reason why no request is made.
  func begin(_ server: PlaylistName) async throws(SourceProblem) {
    switch states[server] {
    case nil: states[server] = .trying([])
    case .usable?: break
    case .refusing(let problem)?: throw problem
    case .trying(let waiting)?:
      await withCheckedContinuation { states[server] = .trying(waiting + [$0]) }
      if case .refusing(let problem)? = states[server] { throw problem }
    }
  }

  /// Takes the result of a request.
  /// - Returns: The problem, as one of the server if it is not that of one request.
  func end(_ server: PlaylistName, _ problem: SourceProblem?) -> SourceProblem? {
    if problem == nil { answered.insert(server) }
    let isOfServer = problem.map { $0.refusesCredentials || $0.isWrongAddress && !answered.contains(server) } ?? false
    let judged = isOfServer ? problem.map { SourceProblem.server(server, $0) } : problem
    var waiting: [CheckedContinuation<Void, Never>] = []
    if case .trying(let others)? = states[server] { waiting = others }
    if let judged, problem?.refusesCredentials ?? false {
      states[server] = .refusing(judged)
    } else if !isRefusing(server) {
      states[server] = .usable
    }
    for continuation in waiting { continuation.resume() }
    return judged
  }

  /// True the first time that a problem of a server is to be told.
  func isNew(_ problem: SourceProblem, of server: PlaylistName) -> Bool {
    told[server, default: []].insert(problem).inserted
  }

  private func isRefusing(_ server: PlaylistName) -> Bool {
    if case .refusing? = states[server] { true } else { false }
  }
}
