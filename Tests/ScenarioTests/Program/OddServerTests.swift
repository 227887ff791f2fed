// SPDX-License-Identifier: Apache-2.0

import Glibc
import SyncTestSupport
import Testing

@Suite("a server with the Subsonic API that answers oddly", .timeLimit(.minutes(5)))
struct OddServerTests {
  private let home: LibraryFixture
  private let server: FaultServer
  private let bytes = GeneratedAudio(title: "Whole", seconds: 3, seed: 1).bytes

  init() throws {
    (home, server) = (try LibraryFixture(), try FaultServer())
    try FileBytes.write("hush-hush-hush", to: home.folder.file("password"))
    #expect(chmod(home.folder.file("password"), 0o600) == 0)
    server.serve("/rest/download.view", Resource(bytes: bytes))
    try declare("playlist: Gym")
    serve("getPlaylists", #""playlists": {"playlist": [{"id": "pl_1", "name": "Gym"}]}"#)
    serveSongs(#"{"id": "tr_1", "title": "Night Drive"}"#)
  }

  private func declare(_ query: String) throws {
    try home.declare(
      """
      downloads: { retries: 0 }
      servers:
        home: { type: subsonic, url: "\(server.url(""))", auth: { user: anna, password_file: ./password } }
      playlists:
        gym: { title: Gym, subsonic: { server: home, \(query) } }
      """)
  }

  /// Answers as Navidrome does, with the fields of OpenSubsonic around the elements.
  private func serve(_ method: String, _ elements: String, status: String = "ok") {
    let head =
      #""status": "\#(status)", "version": "1.16.1", "type": "navidrome", "serverVersion": "0.58.0", "openSubsonic": true"#
    server.serve(
      "/rest/\(method).view",
      Resource(text: #"{"subsonic-response": {\#(head), \#(elements)}}"#, contentType: "application/json"))
  }

  private func serveSongs(_ songs: String) {
    serve("getPlaylist", #""playlist": {"id": "pl_1", "name": "Gym", "entry": [\#(songs)]}"#)
  }

  private static let oddSongs: [(name: String, songs: String, paths: Set<String>)] = [
    ("a path as a title", #"{"id": "1", "title": "../../x"}"#, []),
    ("dots as a title", #"{"id": "1", "title": ".."}"#, []),
    ("no title", #"{"id": "1"}"#, []),
    ("parameters in an id", #"{"id": "1&u=root&x=../..?#%2e", "title": "A"}"#, ["Gym/A.mp3"]),
    ("a size that is too small", #"{"id": "1", "title": "A", "size": 5}"#, ["Gym/A.mp3"]),
    ("a size that is too large", #"{"id": "1", "title": "A", "size": 90000000}"#, ["Gym/A.mp3"]),
    (
      "numbers beyond all bounds",
      #"{"id": "1", "title": "A", "size": 99999999999999999999999, "duration": 1e999, "track": -1e-999}"#, ["Gym/A.mp3"]
    ),
    ("negative numbers", #"{"id": "1", "title": "A", "size": -1, "duration": -5}"#, ["Gym/A.mp3"]),
    ("duplicate keys", #"{"id": "1", "title": "A", "title": "B", "id": "2", "size": 3, "size": 4}"#, ["Gym/B.mp3"]),
    ("a song twice", #"{"id": "1", "title": "A"}, {"id": "1", "title": "A"}"#, ["Gym/A.mp3"]),
    ("names that differ in nothing", #"{"id": "1", "title": "A"}, {"id": "2", "title": "A"}"#, []),
    ("other types", #"{"id": 7, "title": ["A"], "artist": {"id": "x"}, "duration": "3"}"#, []),
    ("control characters", #"{"id": "1", "title": "A\u001b]0;x\u0007\u0000\u202eB"}"#, []),
  ]

  @Test("gets its songs into the library and nowhere else", arguments: oddSongs.indices)
  func songs(_ index: Int) throws {
    let (name, songs, paths) = Self.oddSongs[index]
    serveSongs(songs)
    let (result, report) = try home.run()
    #expect(result.ending == .exited(0), "\(name): \(result.standardError) \(report)")
    let owned = Set(try home.ownedPaths())
    #expect(paths.isEmpty ? !owned.isEmpty : owned == paths, "\(name): \(owned)")
    #expect(owned.allSatisfy { $0.hasPrefix("Gym/") && !$0.split(separator: "/").contains("..") }, "\(name): \(owned)")
    #expect(server.requests(to: "/rest/download.view").allSatisfy { !$0.target.contains("root&x") }, "\(name)")
    #expect(!result.standardError.contains("\u{1B}]"), "\(name)")
    let (again, second) = try home.run()
    #expect(again.ending == .exited(0) && second[path: "totals.downloaded"] == .number(0), "\(name): \(second)")
  }

  private static let oddAnswers: [(name: String, resource: Resource, words: String)] = [
    ("a page", .htmlPage, "not one of the Subsonic API"),
    ("nothing", Resource(text: ""), "not one of the Subsonic API"),
    (
      "a list without a status", Resource(text: #"{"subsonic-response": {"playlist": {}}}"#),
      "not one of the Subsonic API"
    ),
    (
      "an answer cut off", Resource(text: #"{"subsonic-response": {"status": "ok", "playlist": {"#),
      "not one of the Subsonic API"
    ),
    (
      "invalid UTF-8",
      Resource(bytes: Array(#"{"subsonic-response": {"status": "ok", "x": ""#.utf8) + [0xFF] + Array(#""}}"#.utf8)),
      "not one of the Subsonic API"
    ),
    (
      "XML in place of JSON",
      Resource(
        text:
          #"<subsonic-response xmlns="http://subsonic.org/restapi" status="failed" version="1.16.1"><error code="70" message="data not found"/></subsonic-response>"#,
        contentType: "application/xml"), "not one of the Subsonic API"
    ),
  ]

  @Test("keeps the songs of before, and exits with 5", arguments: oddAnswers.indices)
  func answers(_ index: Int) throws {
    let (name, resource, words) = Self.oddAnswers[index]
    #expect(try home.run().result.ending == .exited(0))
    server.serve("/rest/getPlaylist.view", resource)
    let (result, report) = try home.run()
    #expect(result.ending == .exited(5), "\(name): \(result.standardError)")
    #expect("\(report)".contains(words), "\(name): \(report)")
    #expect(try home.ownedPaths() == ["Gym/Night Drive.mp3"], "\(name)")
  }

  @Test("stops a list that does not end")
  func endless() throws {
    let deep = #"{"subsonic-response": {"status": "ok", "x": "# + String(repeating: "[", count: 100_000)
    server.serve("/rest/getPlaylist.view", Resource(text: deep))
    let (result, report) = try home.run()
    #expect(result.ending == .exited(3) && "\(report)".contains("levels"), "\(report)")
    // Pages of a search that are full of the same songs.
    let songs = (0..<500).map { #"{"id": "tr_\#($0)", "title": "Night \#($0)"}"# }.joined(separator: ", ")
    serve("search3", #""searchResult3": {"song": [\#(songs)]}"#)
    try declare("search: night")
    let plan = try home.command("plan", "--json").run()
    #expect(plan.ending == .exited(0), "\(plan.standardError)")
    #expect(server.requests(to: "/rest/search3.view").count == 2)
  }

  @Test("is understood if it is Navidrome: songs with everything that OpenSubsonic adds to them")
  func navidrome() throws {
    serveSongs(
      #"""
      {"id": "2WZiiVVPyaoB0Vq0Zx4LkG", "parent": "5Xa", "isDir": false, "title": "Night Drive", "album": "Roads",
        "artist": "Anna • Bert", "track": 1, "year": 2024, "genre": "Rock", "coverArt": "mf-2WZ_0", "size": \#(bytes.count),
        "contentType": "audio/mpeg", "suffix": "mp3", "duration": 3, "bitRate": 64, "path": "Anna/Roads/01 - Night Drive.mp3",
        "playCount": 8, "played": "2023-03-26T22:27:46Z", "created": "2023-03-14T17:51:22.112827504Z", "albumId": "5Xa",
        "artistId": "7Yb", "type": "music", "userRating": 5, "isVideo": false, "bpm": 0, "comment": "", "sortName": "",
        "mediaType": "song", "musicBrainzId": "8f3471b5-7e6a-48da-86a9-c1c07a0f47ae", "isrc": ["USRC17607839"],
        "genres": [{"name": "Rock"}], "replayGain": {"trackGain": -7.2}, "channelCount": 2, "samplingRate": 44100,
        "bitDepth": 16, "moods": [], "artists": [{"id": "7Yb", "name": "Anna"}, {"id": "8Zc", "name": "Bert"}],
        "displayArtist": "Anna • Bert", "albumArtists": [{"id": "7Yb", "name": "Anna"}], "displayAlbumArtist": "Anna",
        "contributors": [{"role": "composer", "subRole": "", "artist": {"id": "9Ad", "name": "Carl"}}],
        "displayComposer": "Carl", "explicitStatus": ""}
      """#)
    let (result, _) = try home.run()
    #expect(result.ending == .exited(0), "\(result.standardError)")
    let queue = String(decoding: try home.queueFile(), as: UTF8.self)
    #expect(queue.contains("isrc:USRC17607839") && queue.contains("Anna • Bert"), "\(queue)")
    // A missing song is an error in XML, because a download does not ask for JSON.
    server.serve(
      "/rest/download.view",
      Resource(
        text:
          #"<subsonic-response xmlns="http://subsonic.org/restapi" status="failed" version="1.16.1" type="navidrome" serverVersion="0.58.0" openSubsonic="true"><error code="70" message="data not found"></error></subsonic-response>"#,
        contentType: "application/xml"))
    serveSongs(#"{"id": "9Qq", "title": "Harbour Lights", "duration": 3}"#)
    let (missing, report) = try home.run()
    #expect(missing.ending == .exited(3), "\(missing.standardError)")
    #expect(report[path: "items.0.error.kind"] == .string("not_media"), "\(report)")
    // A wrong login is refused twice, as a token and as a password, and no more often: the server counts it.
    serve("getPlaylists", #""error": {"code": 40, "message": "Wrong username or password"}"#, status: "failed")
    let asked = server.requests(to: "/rest/getPlaylists.view").count
    #expect(try home.run().result.ending == .exited(3))
    #expect(server.requests(to: "/rest/getPlaylists.view").count == asked + 1)
  }

  @Test("may leave an artist out of its search who is in its index")
  func artists() throws {
    serve("search3", #""searchResult3": {}"#)
    serve(
      "getArtists",
      #""artists": {"ignoredArticles": "The", "index": [{"name": "A", "artist": [{"id": "ar_1", "name": "AC/DC"}]}]}"#)
    serve("getArtist", #""artist": {"id": "ar_1", "name": "AC/DC", "album": [{"id": "al_1", "name": "Roads"}]}"#)
    serve("getAlbum", #""album": {"id": "al_1", "name": "Roads", "song": [{"id": "tr_1", "title": "Night Drive"}]}"#)
    try declare("artist: ac/dc")
    let (result, _) = try home.run()
    #expect(result.ending == .exited(0), "\(result.standardError)")
    #expect(try home.ownedPaths() == ["Gym/Night Drive.mp3"])
  }
}
