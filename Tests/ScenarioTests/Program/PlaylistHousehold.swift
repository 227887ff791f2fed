// SPDX-License-Identifier: Apache-2.0

import SyncTestSupport
import Testing

/// A library with a playlist "gym" that is synced with "Gym" on a server, which has the songs a to f.
struct PlaylistHousehold {
  let home: LibraryFixture
  let server: ListServer

  init(_ songs: [String] = ["a", "b", "c"], settings: String = "") throws {
    home = try LibraryFixture()
    let all = ["a", "b", "c", "d", "e", "f"].enumerated().map {
      ($1, GeneratedAudio(title: $1, seconds: 1, seed: UInt64($0) + 1).bytes)
    }
    server = try ListServer(songs: Dictionary(all, uniquingKeysWith: { first, _ in first }))
    server.set("Gym", songs)
    server.set("All", all.map(\.0))
    try declare(settings)
  }

  /// - Parameter settings: Further keys of the playlist.
  func declare(_ settings: String = "", playlists: String = "") throws {
    try home.declare(
      """
      servers:
        home:
          type: subsonic
          url: "\(server.url)"
          auth: { user: \(ListServer.user), password: \(ListServer.password) }
      storage: { min_free: 0, trash: { keep: 0s } }
      downloads: { retries: 0, network: { allow_private: true } }
      playlists:
        gym: { title: Gym, sync: both, subsonic: { server: home, playlist: Gym }\(settings) }
        rest: { title: All, subsonic: { server: home, playlist: All } }
      \(playlists)
      """)
  }

  var file: String { "\(home.library)/Gym.m3u8" }

  func text() throws -> String { try FileBytes.text(file) }

  /// The songs of the playlist file.
  func listed() throws -> [String] {
    try text().split(separator: "\n").filter { $0.first != "#" }.map { line in
      let name = line.split(separator: "/").last ?? ""
      return name.hasSuffix(".mp3") ? String(name.dropLast(4)) : String(line)
    }
  }

  @discardableResult
  func run(_ status: Int32 = 0) throws -> JSONValue {
    let result = try home.command("run", "--json").run()
    #expect(result.ending == .exited(status), "\(result.standardError)\(result.standardOutput)")
    return try JSONValue(result.stdout)
  }

  @discardableResult
  func sync(_ status: Int32 = 0) throws -> JSONValue {
    let result = try home.command("sync", "--json").run()
    #expect(result.ending == .exited(status), "\(result.standardError)\(result.standardOutput)")
    return try JSONValue(result.stdout)
  }

  func edit(_ command: String, _ arguments: String..., status: Int32 = 0) throws -> CommandResult {
    let result = try home.command(["playlist", command, "-m", home.manifest] + arguments).run()
    #expect(result.ending == .exited(status), "\(result.standardError)\(result.standardOutput)")
    return result
  }

  /// Edits the playlist file, as a person does.
  func write(_ edit: (inout [String]) -> Void) throws {
    var lines = try text().split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    edit(&lines)
    try FileBytes.write(lines.joined(separator: "\n"), to: file)
  }

  var songs: [String]? { server.songs(of: "Gym") }
}

extension JSONValue {
  /// The texts of a member of each element of an array.
  func texts(_ path: String, _ member: String) -> [String] {
    guard case .array(let elements)? = self[path: path] else { return [] }
    return elements.compactMap { $0[path: member]?.description }
  }
}
