// SPDX-License-Identifier: Apache-2.0

import Glibc
import SyncTestSupport
import Testing

/// A server with playlists, whatever it is.
private struct Peer {
  let url: String
  let login: String
  let request: (String, String) -> String?

  private func answer(_ method: String, _ parameters: String) throws -> JSONValue {
    let answer = try #require(request(method, parameters), "\(method)")
    return try JSONValue(Array(answer.drop { $0 != "{" }.utf8))
  }

  func id(of title: String) throws -> String {
    let found = try answer("search3", "query=\(title)&artistCount=0&albumCount=0")
    return try #require(found[path: "subsonic-response.searchResult3.song.0.id"]).description
  }

  func playlistID(_ name: String) throws -> String? {
    try answer("getPlaylists", "")[path: "subsonic-response.playlists.playlist[name=\(name)].id"]?.description
  }

  /// The titles of the songs of a playlist. Nil if there is none.
  func titles(_ name: String) throws -> [String]? {
    guard let id = try playlistID(name) else { return nil }
    return try answer("getPlaylist", "id=\(id)").texts("subsonic-response.playlist.entry", "title").map {
      $0.lowercased()
    }
  }

  func set(_ name: String, _ titles: [String]) throws {
    let songs = try titles.map { "&songId=\(try id(of: $0))" }.joined()
    let target = try playlistID(name).map { "playlistId=\($0)" } ?? "name=\(name)"
    _ = request("createPlaylist", target + songs)
  }
}

@Suite("playlists both ways with real servers", .requires(.ffmpeg), .timeLimit(.minutes(5)))
struct PlaylistPeerTests {
  private static let names = (1...5).map { "song\($0)" }

  private static func audio(_ index: Int) -> GeneratedAudio {
    GeneratedAudio(title: names[index], artist: "Anna", album: "Roads", seconds: 3, seed: UInt64(index + 1))
  }

  @Test("supysonic", .requires(.supysonicServer))
  func supysonic() throws {
    let songs = Dictionary(uniqueKeysWithValues: Self.names.indices.map { ("\(Self.names[$0]).mp3", Self.audio($0)) })
    let server = try Supysonic(songs: songs)
    try exchange(
      Peer(
        url: server.url, login: "user: \(Supysonic.user), password: \(Supysonic.password)", request: server.request))
  }

  @Test("maneki", .requires(.maneki))
  func maneki() throws {
    let songs = Dictionary(
      uniqueKeysWithValues: Self.names.indices.map { ("Anna/Roads/\(Self.names[$0]).mp3", Self.audio($0)) })
    let server = try Maneki(songs: songs)
    try exchange(
      Peer(url: server.url, login: "user: \(Maneki.user), password: \(Maneki.password)", request: server.request))
  }

  private func exchange(_ peer: Peer) throws {
    let home = try LibraryFixture()
    try peer.set("Gym", ["song1", "song2", "song3"])
    try peer.set("All", Self.names)
    try home.declare(
      """
      servers: { home: { type: subsonic, url: "\(peer.url)", auth: { \(peer.login) } } }
      storage: { min_free: 0 }
      downloads: { network: { allow_private: true } }
      playlists:
        gym: { title: Gym, sync: both, subsonic: { server: home, playlist: Gym } }
        new: { title: New, sync: both, subsonic: { server: home, playlist: New } }
        all: { title: All, subsonic: { server: home, playlist: All } }
      """)
    func run(_ arguments: String..., status: Int32 = 0) throws {
      let result = try home.command(arguments).run()
      #expect(result.ending == .exited(status), "\(arguments): \(result.standardError)\(result.standardOutput)")
    }
    let manifest = home.manifest
    // There is no "New" yet.
    try run("run", manifest, status: 3)
    try run("playlist", "create", "-m", manifest, "new", "song4")
    try run("playlist", "add", "-m", manifest, "gym", "song4", "song4", "--at", "1")
    try run("playlist", "remove", "-m", manifest, "gym", "song2")
    try run("playlist", "move", "-m", manifest, "gym", "song3", "--to", "1")
    try peer.set("Gym", ["song1", "song2", "song3", "song5"])
    try run("run", manifest)
    // Songs that were added at one place on both sides come in the order of their ids.
    let merged = [["song3", "song4", "song4", "song1", "song5"], ["song3", "song5", "song4", "song4", "song1"]]
    #expect(merged.contains(try peer.titles("Gym") ?? []))
    #expect(try peer.titles("New") == ["song4"])
    // Its song is shared with the other playlist, and a file of "New" names it.
    try run("run", manifest)
    let file = "\(home.library)/Gym.m3u8"
    let lines = try FileBytes.text(file).split(separator: "\n").filter { !$0.lowercased().hasSuffix("song1.mp3") }
    try FileBytes.write(lines.joined(separator: "\n") + "\n", to: file)
    try run("sync", manifest)
    let left = merged.map { $0.filter { $0 != "song1" } }
    #expect(left.contains(try peer.titles("Gym") ?? []))
    // More songs than a URL can name.
    try run(["playlist", "add", "-m", manifest, "gym"] + Array(repeating: "song1", count: 100))
    try run("sync", manifest)
    #expect(try peer.titles("Gym")?.count == 104)
    try run("playlist", "remove", "-m", manifest, "gym", "song1", "song3", "song4", "song5")
    try run("sync", manifest)
    #expect(try peer.titles("Gym") == [])
    try run("playlist", "delete", "-m", manifest, "--yes", "new")
    try run("sync", manifest)
    #expect(try peer.titles("New") == nil)
    func run(_ arguments: [String]) throws {
      let result = try home.command(arguments).run()
      #expect(result.ending == .exited(0), "\(result.standardError)\(result.standardOutput)")
    }
  }
}
