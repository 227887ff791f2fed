// SPDX-License-Identifier: Apache-2.0

import Glibc
import SyncTestSupport
import Testing

/// Real servers offer genres, stars, lists of albums and pictures besides playlists.
@Suite("genres, stars, lists of albums and pictures of real servers", .timeLimit(.minutes(5)))
struct ServerChoiceTests {
  private let home: LibraryFixture

  init() throws { home = try LibraryFixture() }

  /// Three songs on two albums. One album has a picture.
  private static func songs(_ path: (String, String, String) -> String) -> [String: GeneratedAudio] {
    let rows: [(artist: String, album: String, name: String, genre: String)] = [
      ("Anna", "Roads", "one", "Rock"), ("Anna", "Roads", "two", "Rock"), ("Bert", "Rivers", "three", "Ambient"),
    ]
    return Dictionary(
      uniqueKeysWithValues: rows.enumerated().map { number, row in
        (
          path(row.artist, row.album, "\(row.name).mp3"),
          GeneratedAudio(
            title: "Song \(row.name)", artist: row.artist, album: row.album, genre: row.genre, seconds: 4,
            seed: UInt64(number))
        )
      })
  }

  private func declare(_ url: String, _ user: String, _ password: String) throws {
    try FileBytes.write(password, to: home.folder.file("password"))
    #expect(chmod(home.folder.file("password"), 0o600) == 0)
    try home.declare(
      """
      tags: { artwork: embed }
      servers:
        home: { type: subsonic, url: "\(url)", auth: { user: \(user), password_file: ./password } }
      playlists:
        rock: { title: Rock, subsonic: { server: home, genre: Rock } }
        ambient: { title: Ambient, subsonic: { server: home, genre: Ambient } }
        stars: { title: Stars, subsonic: { server: home, starred: songs } }
        albums: { title: Albums, subsonic: { server: home, starred: albums } }
        newest: { title: Newest, subsonic: { server: home, albums: newest } }
        random: { title: Random, subsonic: { server: home, albums: random, latest: 1 } }
        recent: { title: Recent, subsonic: { server: home, albums: recent } }
        frequent: { title: Frequent, subsonic: { server: home, albums: frequent } }
      """)
  }

  private func id(_ answer: String?, _ path: String) throws -> String {
    let answer = try #require(answer)
    let json = try JSONValue(Array(answer.drop { $0 != "{" }.utf8))
    return try #require(json[path: "subsonic-response.\(path)"], "\(json)").description
  }

  /// The names in a list file, in its order.
  private func listed(_ name: String) throws -> [String] {
    let lines = try FileBytes.text("\(home.library)/\(name).m3u8").split(separator: "\n").filter { !$0.hasPrefix("#") }
    return lines.map { String($0.split(separator: "/").last ?? "") }
  }

  /// - Parameter ask: Makes a request of the server itself.
  private func check(_ ask: (_ method: String, _ parameters: String) -> String?) throws {
    let three = try id(ask("search3", "query=three&artistCount=0&albumCount=0"), "searchResult3.song.0.id")
    let roads = try id(ask("search3", "query=Roads&artistCount=0&songCount=0"), "searchResult3.album.0.id")
    _ = ask("star", "id=\(three)")
    _ = ask("star", "albumId=\(roads)")
    let (result, report) = try home.run()
    #expect(result.ending == .exited(0), "\(result.standardError)")
    #expect(report[path: "totals.downloaded"] == .number(3), "\(report)")
    #expect(try listed("Rock").sorted() == ["Song one.mp3", "Song two.mp3"])
    #expect(try listed("Ambient") == ["Song three.mp3"] && listed("Stars") == ["Song three.mp3"])
    #expect(try listed("Albums").sorted() == ["Song one.mp3", "Song two.mp3"])
    #expect(try listed("Newest").count == 3)
    #expect(try [1, 2].contains(listed("Random").count))
    // Only the songs of the album with a picture have one.
    for (path, hasPicture) in [
      ("Rock/Song one.mp3", true), ("Rock/Song two.mp3", true), ("Ambient/Song three.mp3", false),
    ] {
      let file = try FileBytes.read("\(home.library)/\(path)")
      #expect((file.firstRange(of: SmallPicture.png) != nil) == hasPicture, "\(path)")
    }
    // Nothing is fetched again, whatever the random choice is.
    let (again, second) = try home.run()
    #expect(again.ending == .exited(0) && second[path: "totals.unchanged"] == .number(3), "\(again.standardError)")
  }

  @Test("come from supysonic, and the albums played last and most", .requires(.supysonicServer))
  func supysonic() throws {
    let server = try Supysonic(
      songs: Self.songs { "\($0)/\($1)/\($2)" }, pictures: ["Anna/Roads/cover.png": SmallPicture.png])
    try declare(server.url, Supysonic.user, Supysonic.password)
    let three = try id(server.request("search3", "query=three&artistCount=0&albumCount=0"), "searchResult3.song.0.id")
    // It counts each stream as a play.
    _ = server.request("stream", "id=\(three)")
    try check(server.request)
    #expect(try listed("Recent") == ["Song three.mp3"])
    // It has every album there, those with the most plays first.
    #expect(try listed("Frequent").first == "Song three.mp3" && listed("Frequent").count == 3)
  }

  @Test("come from maneki, which lists no plays", .requires(.maneki))
  func maneki() throws {
    let server = try Maneki(
      songs: Self.songs { "\($0)/\($1)/\($2)" }, pictures: ["Anna/Roads/cover.png": SmallPicture.png])
    try declare(server.url, Maneki.user, Maneki.password)
    try check(server.request)
  }
}
