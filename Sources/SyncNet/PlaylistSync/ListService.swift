// SPDX-License-Identifier: Apache-2.0
package import SyncCore
import SyncFormats

/// Changes playlists on a server with the Subsonic API
/// (http://www.subsonic.org/pages/api.jsp#createPlaylist, https://opensubsonic.netlify.app/docs/endpoints/createplaylist/).
///
/// A playlist gets all of its songs in one request, which a server carries out as a whole and which may arrive twice. The
/// API can remove songs only by their places, which may be others by then, and adds songs only at the end.
package struct ListService: Sendable {
  private static let largestAnswer = ByteCount(64 << 20)
  private let client: SubsonicClient

  /// A client with the credentials of a playlist of the server. It sends even when the run has reached one of its limits,
  /// which are about downloads.
  package init(_ client: HTTPClient, _ query: SubsonicQuery, for playlist: PlaylistName) {
    let trail = client.settings.trail(of: [playlist])
    self.client = SubsonicClient(
      APIClient(client, trail, limit: Self.largestAnswer, heedsLimits: false), query.server, at: query.url)
  }

  package enum Outcome: Sendable {
    /// The server has the playlist as it was asked for.
    /// - Parameter id: That of the playlist. Nil once it is deleted.
    case done(id: String?)
    case failed(ListSyncProblem)
  }

  /// Sends a request once, and reads what the server has then.
  package func carryOut(_ request: ListSync.Request) async -> Outcome {
    switch request {
    case .replace(let id, let songs, let before):
      var reply = await songs.isEmpty ? update(id, removing: before.count) : replace(id, songs)
      // Some servers know only the other request (koel).
      if case .refused(code: 10, _) = reply { reply = await update(id, removing: before.count, adding: songs) }
      if let problem = refusal(reply) { return .failed(problem) }
      return await check(id, songs, reply, before: before)
    case .create(let title, let songs): return await create(title, songs)
    case .delete(let id):
      let reply = await client.ask("deletePlaylist", [("id", id)], repeats: false)
      switch reply {
      case .answer, .refused(code: SubsonicAnswer.notFound, _): return .done(id: nil)
      default: return .failed(refusal(reply) ?? problem(reply))
      }
    }
  }

  /// No name: a server that does not know replacing would make another playlist of that name.
  private func replace(_ id: String, _ songs: [String]) async -> SubsonicClient.Reply {
    await client.ask("createPlaylist", [("playlistId", id)] + songs.map { ("songId", $0) }, repeats: false)
  }

  /// Removes the first songs, and adds others at the end. For an empty playlist as well, because a replacement without songs
  /// cannot be told from a request that forgot them.
  private func update(
    _ id: String, removing count: Int, adding songs: [String] = []
  ) async -> SubsonicClient.Reply {
    let parameters = (0..<count).map { ("songIndexToRemove", "\($0)") } + songs.map { ("songIdToAdd", $0) }
    return await client.ask("updatePlaylist", [("playlistId", id)] + parameters, repeats: false)
  }

  private func create(_ title: String, _ songs: [String]) async -> Outcome {
    let reply = await client.ask(
      "createPlaylist", [("name", title)] + songs.map { ("songId", $0) }, repeats: false)
    if let problem = refusal(reply) { return .failed(problem) }
    if case .answer(let answer) = reply, let made = answer.playlists.first, answer.entryIDs == songs {
      return .done(id: made.id)
    }
    guard case .answer(let all) = await client.ask("getPlaylists", [], repeats: true) else {
      return .failed(problem(reply))
    }
    guard let made = all.playlists.last(where: { $0.name == title }) else { return .failed(problem(reply)) }
    return await check(made.id, songs, reply)
  }

  /// Compares the playlist with the songs that it is to have.
  /// - Parameter before: The songs that it had. Nil once a server that added the new ones behind them has removed these.
  private func check(
    _ id: String, _ songs: [String], _ reply: SubsonicClient.Reply, before: [String]? = nil
  ) async -> Outcome {
    switch await client.ask("getPlaylist", [("id", id)], repeats: true) {
    case .answer(let answer) where answer.entryIDs == songs: return .done(id: id)
    case .answer(let answer):
      guard let before, !before.isEmpty, answer.entryIDs == before + songs else { return .failed(problem(reply)) }
      return await check(id, songs, update(id, removing: before.count))
    case let other: return .failed(refusal(other) ?? problem(other))
    }
  }

  /// Nil if the server may have done what it was asked for.
  private func refusal(_ reply: SubsonicClient.Reply) -> ListSyncProblem? {
    switch reply {
    case .answer, .troubled, .unknown: nil
    // A generic error may be a passing one.
    case .refused(code: 0, let problem): .unanswered(reason: problem.reasonWords)
    case .refused(_, let problem): .refused(reason: problem.reasonWords)
    case .failed(let problem): .unanswered(reason: problem.reasonWords)
    }
  }

  private func problem(_ reply: SubsonicClient.Reply) -> ListSyncProblem {
    switch reply {
    case .answer: .notTaken
    case .refused(_, let problem), .failed(let problem), .troubled(let problem), .unknown(let problem):
      .unanswered(reason: problem.reasonWords)
    }
  }
}
