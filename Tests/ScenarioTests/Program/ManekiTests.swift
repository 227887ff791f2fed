// SPDX-License-Identifier: Apache-2.0

import Glibc
import SyncTestSupport
import Testing

@Suite("songs of maneki, which takes tokens", .requires(.maneki), .requires(.ffmpeg), .timeLimit(.minutes(5)))
struct ManekiTests {
  private let home: LibraryFixture
  private let server: Maneki

  init() throws {
    home = try LibraryFixture()
    let names: [(artist: String, name: String)] = [("Anna", "one"), ("Anna", "two"), ("Bert", "three")]
    let songs = Dictionary(
      uniqueKeysWithValues: names.map { artist, name in
        (
          "\(artist)/Roads/\(name).mp3",
          GeneratedAudio(title: "Song \(name)", artist: artist, album: "Roads", seconds: 4, seed: 7)
        )
      })
    server = try Maneki(songs: songs)
    try FileBytes.write(Maneki.password, to: home.folder.file("password"))
    #expect(chmod(home.folder.file("password"), 0o600) == 0)
  }

  private func declare(_ playlists: String) throws {
    try home.declare(
      """
      servers:
        home: { type: subsonic, url: "\(server.url)", auth: { user: \(Maneki.user), password_file: ./password } }
      playlists:
        \(playlists.replacing("\n", with: "\n  "))
      """)
  }

  private func id(of title: String) throws -> String {
    let answer = try #require(server.request("search3", "query=\(title)&artistCount=0&albumCount=0"))
    let found = try JSONValue(Array(answer.drop { $0 != "{" }.utf8))
    return try #require(found[path: "subsonic-response.searchResult3.song.0.id"]).description
  }

  @Test("come by every kind of query, as they are, and no secret shows")
  func queries() throws {
    let (one, two, three) = (try id(of: "one"), try id(of: "two"), try id(of: "three"))
    for (name, song) in [("Run%20easy", one), ("Run%20hard", two), ("Gym", three)] {
      _ = server.request("createPlaylist", "name=\(name)&songId=\(song)")
    }
    _ = server.request("star", "id=\(two)")
    // It takes the names of artists from folders, in its own way.
    let index = try #require(server.request("getArtists", ""))
    let artist = try JSONValue(Array(index.drop { $0 != "{" }.utf8))[
      path: "subsonic-response.artists.index.0.artist.0.name"]
    try declare(
      """
      stars: { title: Stars, subsonic: { server: home, starred: songs } }
      runs: { subsonic: { server: home, playlist: "run *" } }
      gym: { title: Gym, subsonic: { server: home, playlist: gym } }
      new: { title: New, subsonic: { server: home, albums: newest } }
      anna: { title: Anna, subsonic: { server: home, artist: \(try #require(artist)) } }
      found: { title: Found, subsonic: { server: home, search: "Song one" } }
      """)
    let (result, report) = try home.run()
    #expect(result.ending == .exited(0), "\(report)")
    #expect(report[path: "totals.downloaded"] == .number(3))
    #expect(try home.ownedPaths() == ["Stars/Song two.mp3", "Run easy/Song one.mp3", "Gym/Song three.mp3"])
    let originals = try FileTree.files(server.music, hidden: false)
    let fetched = try FileBytes.read("\(home.library)/Gym/Song three.mp3")
    #expect(try originals.contains { try FileBytes.read("\(server.music)/\($0)") == fetched }, "\(originals)")
    func list(_ name: String) throws -> Int {
      try FileBytes.text("\(home.library)/\(name).m3u8").split(separator: "\n").count { !$0.hasPrefix("#") }
    }
    #expect(try [list("Run hard"), list("New"), list("Found")] == [1, 3, 1])
    #expect(try list("Anna") >= 1)
    let traces = try home.traces(result)
    #expect(!traces.contains(Maneki.password) && !traces.contains("&t="))
    let (again, second) = try home.run()
    #expect(again.ending == .exited(0) && second[path: "totals.unchanged"] == .number(3), "\(again.standardError)")
  }

  @Test("are transcoded on demand, and an error in place of a list or of a login says what it is")
  func troubles() throws {
    _ = server.request("createPlaylist", "name=Gym&songId=\(try id(of: "one"))")
    try declare("gym: { title: Gym, subsonic: { server: home, playlist: Gym }, quality: low }")
    #expect(try home.run().result.ending == .exited(0))
    #expect(try home.list().values.first?[path: "quality"] == .string("low"))
    // It announces no length, and marks the end.
    try declare("gym: { title: Gym, subsonic: { server: home, playlist: Gym }, quality: normal }")
    let (replaced, upgrade) = try home.run()
    #expect(replaced.ending == .exited(0) && upgrade[path: "totals.upgraded"] == .number(1), "\(upgrade)")
    #expect(try home.list().values.first?[path: "quality"] == .string("normal"))
    try declare("gym: { title: Gym, subsonic: { server: home, playlist: Swim }, quality: low }")
    let (missing, report) = try home.run()
    #expect(missing.ending == .exited(3) && "\(report)".contains("nothing called"), "\(missing.standardError)")
    try FileBytes.write("canary", to: home.folder.file("password"))
    let (refused, _) = try home.run()
    #expect(refused.ending == .exited(3), "\(refused.standardError)")
    #expect(refused.standardOutput.contains("wrong username or password"), "\(refused.standardOutput)")
    #expect(try !home.traces(refused).contains("canary"))
    #expect(try home.ownedPaths() == ["Gym/Song one.mp3"])
  }
}
