// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Synchronization

/// A server with the Subsonic API on loopback that counts plays for its one user. It has one playlist, "Gym". It counts
/// what arrives twice twice, as real ones do.
///
///     let home = try SubsonicServer(songs: ["tr_1": audio])
///     home.play("tr_1", at: "2026-11-20T10:00:00Z")
///     home.script("/rest/scrobble.view", [.status(500), .honest])
package final class SubsonicServer: Sendable {
  /// The differences between real servers.
  package struct Traits: Sendable {
    /// False for a server that tells no counts, such as Supysonic and maneki.
    package var tellsCounts: Bool
    /// True for a server that counts a stream as a play, such as Subsonic itself.
    package var countsStreams: Bool
    /// False for a server that wants the password, such as Supysonic.
    package var takesTokens: Bool

    package init(tellsCounts: Bool = true, countsStreams: Bool = false, takesTokens: Bool = true) {
      (self.tellsCounts, self.countsStreams, self.takesTokens) = (tellsCounts, countsStreams, takesTokens)
    }
  }

  private struct Plays: Sendable {
    var count = 0
    /// The last play, in seconds since 1970.
    var last = 0
  }

  private struct Content: Sendable {
    var plays: [String: Plays] = [:]
    var gone: Set<String> = []
    var now = 0
  }

  /// A play as it arrived.
  package struct Scrobble: Hashable, Sendable {
    package let id: String
    package let milliseconds: Int

    package init(id: String, milliseconds: Int) { (self.id, self.milliseconds) = (id, milliseconds) }
  }

  package static let user = "anna"
  package static let password = "s3cret"

  /// The HTTP server, for its log and its further faults.
  package let server: FaultServer
  private let songs: [String: [UInt8]]
  private let traits: Traits
  private let content = Mutex(Content())

  package init(songs: [String: [UInt8]], _ traits: Traits = Traits()) throws(SystemCallError) {
    (self.songs, self.traits) = (songs, traits)
    server = try FaultServer()
    server.handle { [weak self] request in
      guard let self else { return .status(503, headers: [], body: []) }
      return answer(request)
    }
  }

  package var url: String { server.url("") }

  package func script(_ method: String, _ behaviours: [Behaviour]) { server.script("/rest/\(method).view", behaviours) }

  /// A play on another device.
  package func play(_ id: String, at time: String) { count(id, at: Self.seconds(time)) }

  /// Removes a song.
  package func remove(_ id: String) { _ = content.withLock { $0.gone.insert(id) } }

  /// Sets the time at which streams are counted.
  package func setClock(_ time: String) { content.withLock { $0.now = Self.seconds(time) } }

  package func forget() { content.withLock { $0 = Content() } }

  package func count(of id: String) -> Int { content.withLock { $0.plays[id]?.count ?? 0 } }

  /// The requests that told of plays.
  package var scrobbles: [Scrobble] {
    server.requests(to: "/rest/scrobble.view").map { request in
      Scrobble(id: Self.value("id", request) ?? "", milliseconds: Int(Self.value("time", request) ?? "") ?? 0)
    }
  }

  private func count(_ id: String, at second: Int) {
    content.withLock { content in
      content.plays[id, default: Plays()].count += 1
      content.plays[id, default: Plays()].last = max(content.plays[id]?.last ?? 0, second)
    }
  }

  private func answer(_ request: LoggedRequest) -> Behaviour.Answer {
    guard Self.value("u", request) == Self.user,
      traits.takesTokens ? Self.value("t", request) != nil : Self.value("p", request) != nil
    else { return traits.takesTokens ? failed(40, "Wrong username or password") : failed(10, "Missing parameter") }
    let id = Self.value("id", request) ?? ""
    switch request.path {
    case "/rest/getPlaylists.view": return ok(#""playlists":{"playlist":[{"id":"pl_1","name":"Gym"}]}"#)
    case "/rest/getPlaylist.view":
      return ok(
        #""playlist":{"id":"pl_1","entry":[\#(present.map(element).joined(separator: ","))]}"#)
    case _ where !present.contains(id): return failed(70, "Song not found")
    case "/rest/getSong.view": return ok(#""song":\#(element(id))"#)
    case "/rest/scrobble.view":
      count(id, at: (Int(Self.value("time", request) ?? "") ?? 0) / 1000)
      return ok(#""x":1"#)
    case "/rest/download.view", "/rest/stream.view":
      if traits.countsStreams, request.path.contains("stream") { count(id, at: content.withLock { $0.now }) }
      return .status(200, headers: [HTTPHeader("Content-Type", "audio/mpeg")], body: songs[id] ?? [])
    default: return failed(0, "Unknown method")
    }
  }

  private var present: [String] { songs.keys.filter { id in !content.withLock { $0.gone.contains(id) } }.sorted() }

  /// A song in the form of OpenSubsonic. A song without plays has no count.
  private func element(_ id: String) -> String {
    let plays = content.withLock { $0.plays[id] }
    let last = Date(timeIntervalSince1970: Double(plays?.last ?? 0)).formatted(.iso8601)
    let counts = plays.map { #","playCount":\#($0.count),"played":"\#(last)""# } ?? ""
    return
      #"{"id":"\#(id)","title":"\#(id)","artist":"The Example","album":"Roads","duration":3\#(traits.tellsCounts ? counts : "")}"#
  }

  private func ok(_ element: String) -> Behaviour.Answer { response(#""status":"ok",\#(element)"#) }

  private func failed(_ code: Int, _ message: String) -> Behaviour.Answer {
    response(#""status":"failed","error":{"code":\#(code),"message":"\#(message)"}"#)
  }

  private func response(_ content: String) -> Behaviour.Answer {
    let body = #"{"subsonic-response":{"version":"1.16.1",\#(content)}}"#
    return .status(200, headers: [HTTPHeader("Content-Type", "application/json")], body: Array(body.utf8))
  }

  private static func value(_ name: String, _ request: LoggedRequest) -> String? {
    let query = request.target.split(separator: "?", maxSplits: 1).dropFirst().first ?? ""
    return query.split(separator: "&").first { $0.hasPrefix(name + "=") }.map { String($0.dropFirst(name.count + 1)) }
  }

  private static func seconds(_ text: String) -> Int {
    do { return Int(try Date(text, strategy: .iso8601).timeIntervalSince1970) } catch {
      preconditionFailure("\(text) is no time: \(error)")
    }
  }
}
