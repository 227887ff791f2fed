// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// A server with the Subsonic API on loopback that keeps playlists for its one user. A request whose answer is cut off was
/// carried out, as on real servers.
///
///     let home = try ListServer(songs: ["a": audio, "b": audio])
///     home.set("Gym", ["a", "b"])
///     home.server.script("/rest/createPlaylist.view", [.breakOff(after: 0)])
package final class ListServer: Sendable {
  /// The differences between real servers.
  package struct Traits: Sendable {
    /// The error for every change. Nil for a server that allows them.
    package var refusal: Int?
    /// True for a playlist that the server says is read-only.
    package var isReadOnly = false
    /// True for a server that accepts every change and makes none.
    package var ignoresChanges = false
    /// True for a server that adds songs where it is to replace them, such as early gonic.
    package var appends = false
    /// True for a server that only makes playlists by that request, such as koel.
    package var onlyMakes = false
    /// The number of entries that the server says a playlist has beyond those that it lists.
    package var missingEntries = 0
    /// The time of the last change that it tells. Nil if it tells none.
    package var changed: String?
    package init() {}
  }

  private struct Playlist: Sendable {
    var id: String
    var name: String
    var songs: [String]
  }

  private struct Content: Sendable {
    var playlists: [Playlist] = []
    var made = 0
    var traits = Traits()
  }

  package static let user = "anna"
  package static let password = "s3cret"

  /// The HTTP server, for its log and its faults.
  package let server: FaultServer
  private let songs: [String: [UInt8]]
  private let content = Mutex(Content())

  package init(songs: [String: [UInt8]]) throws(SystemCallError) {
    self.songs = songs
    server = try FaultServer()
    server.handle { [weak self] request in
      guard let self else { return .status(503, headers: [], body: []) }
      return answer(request)
    }
  }

  package var url: String { server.url("") }

  package func change(_ body: (inout Traits) -> Void) { content.withLock { body(&$0.traits) } }

  /// The songs of the playlist with this name. Nil if there is none.
  package func songs(of name: String) -> [String]? {
    content.withLock { $0.playlists.first { $0.name == name }?.songs }
  }

  /// The names of all playlists.
  package var names: [String] { content.withLock { $0.playlists.map(\.name) } }

  /// A change on another device. Makes the playlist if it is missing.
  package func set(_ name: String, _ songs: [String]) {
    content.withLock { content in
      if let index = content.playlists.firstIndex(where: { $0.name == name }) {
        content.playlists[index].songs = songs
      } else {
        content.made += 1
        content.playlists.append(Playlist(id: "pl_\(content.made)", name: name, songs: songs))
      }
    }
  }

  package func delete(_ name: String) { content.withLock { $0.playlists.removeAll { $0.name == name } } }

  /// The requests that change something.
  package var changes: Int {
    ["create", "update", "delete"].reduce(0) { $0 + server.requests(to: "/rest/\($1)Playlist.view").count }
  }

  private func answer(_ request: LoggedRequest) -> Behaviour.Answer {
    let parameters = Self.parameters(request)
    func value(_ name: String) -> String? { parameters.first { $0.0 == name }?.1 }
    func values(_ name: String) -> [String] { parameters.filter { $0.0 == name }.map(\.1) }
    guard value("u") == Self.user else { return failed(40, "Wrong username or password") }
    let traits = content.withLock { $0.traits }
    switch request.path {
    case "/rest/getPlaylists.view":
      let all = content.withLock { $0.playlists.map { head($0, traits) } }
      return ok(#""playlists":{"playlist":[\#(all.map { "{\($0)}" }.joined(separator: ","))]}"#)
    case "/rest/getPlaylist.view":
      guard let found = content.withLock({ $0.playlists.first { $0.id == value("id") } }) else {
        return failed(70, "Playlist not found")
      }
      let entries = found.songs.map(element).joined(separator: ",")
      return ok(#""playlist":{\#(head(found, traits)),"entry":[\#(entries)]}"#)
    case "/rest/createPlaylist.view", "/rest/updatePlaylist.view", "/rest/deletePlaylist.view":
      if let code = traits.refusal { return failed(code, "User is not authorized") }
      if traits.onlyMakes, request.path.contains("create"), value("name") == nil { return failed(10, "Missing name") }
      if traits.ignoresChanges { return ok(#""x":1"#) }
      return content.withLock { content in
        let id = value("playlistId") ?? value("id")
        let index = content.playlists.firstIndex { $0.id == id }
        if id != nil, index == nil { return failed(70, "Playlist not found") }
        change(&content, index, request.path, name: value("name"), values)
        return ok(#""x":1"#)
      }
    case "/rest/download.view":
      guard let song = value("id").flatMap({ songs[$0] }) else { return failed(70, "Song not found") }
      return .status(200, headers: [HTTPHeader("Content-Type", "audio/mpeg")], body: song)
    default: return failed(0, "Unknown method")
    }
  }

  private func change(
    _ content: inout Content, _ index: Int?, _ path: String, name: String?, _ values: (String) -> [String]
  ) {
    switch (path, index) {
    case ("/rest/createPlaylist.view", nil):
      content.made += 1
      content.playlists.append(Playlist(id: "pl_\(content.made)", name: name ?? "", songs: values("songId")))
    case ("/rest/createPlaylist.view", let index?):
      let before = content.traits.appends ? content.playlists[index].songs : []
      content.playlists[index].songs = before + values("songId")
    case ("/rest/updatePlaylist.view", let index?):
      let gone = Set(values("songIndexToRemove").compactMap { Int($0) })
      let left = content.playlists[index].songs.enumerated().filter { !gone.contains($0.offset) }.map(\.element)
      content.playlists[index].songs = left + values("songIdToAdd")
    case (_, let index?): content.playlists.remove(at: index)
    default: break
    }
  }

  private func head(_ playlist: Playlist, _ traits: Traits) -> String {
    #""id":"\#(playlist.id)","name":"\#(playlist.name)","songCount":\#(playlist.songs.count + traits.missingEntries)"#
      + (traits.isReadOnly ? #","readonly":true"# : "") + (traits.changed.map { #","changed":"\#($0)""# } ?? "")
  }

  private func element(_ id: String) -> String {
    #"{"id":"\#(id)","title":"\#(id)","artist":"The Example","album":"Roads","duration":3}"#
  }

  private func ok(_ element: String) -> Behaviour.Answer { response(#""status":"ok",\#(element)"#) }

  private func failed(_ code: Int, _ message: String) -> Behaviour.Answer {
    response(#""status":"failed","error":{"code":\#(code),"message":"\#(message)"}"#)
  }

  private func response(_ content: String) -> Behaviour.Answer {
    let body = #"{"subsonic-response":{"version":"1.16.1",\#(content)}}"#
    return .status(200, headers: [HTTPHeader("Content-Type", "application/json")], body: Array(body.utf8))
  }

  /// Those of the URL and of a form.
  private static func parameters(_ request: LoggedRequest) -> [(String, String)] {
    let query = request.target.split(separator: "?", maxSplits: 1).dropFirst().first ?? ""
    let texts = [String(query), String(decoding: request.body, as: UTF8.self)]
    let pairs: [Substring] = texts.flatMap { (text: String) -> [Substring] in text.split(separator: "&") }
    return pairs.map { (pair: Substring) -> (String, String) in
      let parts: [Substring] = pair.split(separator: "=", maxSplits: 1)
      return (String(parts[0]), parts.count > 1 ? String(parts[1]).replacing("%20", with: " ") : "")
    }
  }
}
