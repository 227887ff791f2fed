// SPDX-License-Identifier: Apache-2.0

import Glibc
import SyncTestSupport
import Testing

@Suite("songs of a server with the Subsonic API")
struct SubsonicTests {
  private let home: LibraryFixture
  private let server: FaultServer
  private static let password = "hush-hush-hush"

  init() throws {
    (home, server) = (try LibraryFixture(), try FaultServer())
    try FileBytes.write(Self.password, to: home.folder.file("password"))
    #expect(chmod(home.folder.file("password"), 0o600) == 0)
    server.serve("/rest/download.view", Resource(bytes: GeneratedAudio(title: "Whole", seconds: 3, seed: 1).bytes))
    server.serve("/rest/stream.view", Resource(bytes: GeneratedAudio(title: "Short", seconds: 1, seed: 2).bytes))
    serve("getPlaylists", #""playlists": {"playlist": [{"id": "pl_1", "name": "Gym"}]}"#)
    try declare()
  }

  /// - Parameter keys: further keys of the playlist.
  private func declare(_ keys: String = "", checks: String = "") throws {
    try home.declare(
      """
      downloads: { retries: 0 }
      \(checks)
      servers:
        home: { type: subsonic, url: "\(server.url(""))", auth: { user: anna, password_file: ./password } }
      playlists:
        gym: { title: Gym, subsonic: { server: home, playlist: Gym }\(keys) }
      """)
  }

  private func serve(_ method: String, _ elements: String, status: String = "ok") {
    let text = #"{"subsonic-response": {"status": "\#(status)", "version": "1.16.1", \#(elements)}}"#
    server.serve("/rest/\(method).view", Resource(text: text))
  }

  private func serveSongs(_ songs: [(id: String, title: String)], seconds: Int = 3) {
    let entries = songs.map { song in
      #"{"id": "\#(song.id)", "title": "\#(song.title)", "artist": "The Example", "album": "Roads", "duration": \#(seconds)}"#
    }
    serve("getPlaylist", #""playlist": {"id": "pl_1", "entry": [\#(entries.joined(separator: ", "))]}"#)
  }

  @Test("are fetched as they are, listed in the server's order, and not fetched again")
  func fetched() throws {
    serveSongs([("tr_2", "Night Drive"), ("tr_1", "Harbour Lights")])
    let (result, report) = try home.run()
    #expect(result.ending == .exited(0), "\(result.standardError)")
    #expect(report[path: "totals.downloaded"] == .number(2))
    #expect(try home.ownedPaths() == ["Gym/Night Drive.mp3", "Gym/Harbour Lights.mp3"])
    let list = try FileBytes.text("\(home.library)/Gym.m3u8").split(separator: "\n").filter { !$0.hasPrefix("#") }
    #expect(list == ["Gym/Night Drive.mp3", "Gym/Harbour Lights.mp3"])

    serveSongs([("tr_1", "Harbour Lights"), ("tr_2", "Night Drive")])
    let (again, second) = try home.run()
    #expect(again.ending == .exited(0), "\(again.standardError)")
    #expect(second[path: "totals.unchanged"] == .number(2))
    #expect(server.requests(to: "/rest/download.view").count == 2)
    let reordered = try FileBytes.text("\(home.library)/Gym.m3u8").split(separator: "\n").filter { !$0.hasPrefix("#") }
    #expect(reordered == ["Gym/Harbour Lights.mp3", "Gym/Night Drive.mp3"])
  }

  @Test("are asked for with a token, and the password is nowhere to be seen")
  func token() throws {
    serveSongs([("tr_1", "Night Drive")])
    let (result, _) = try home.run()
    #expect(result.ending == .exited(0), "\(result.standardError)")
    let targets = server.requests.map(\.target)
    #expect(targets.count == 3)
    for target in targets {
      #expect(target.contains("&u=anna&") && target.contains("&v=1.16.1&c=syncjob"), "\(target)")
      #expect(target.contains(/&t=[0-9a-f]{32}&/) && target.contains(/&s=[0-9a-z]{6,}&/), "\(target)")
      #expect(!target.contains("&p=") && !target.contains("estimateContentLength"), "\(target)")
    }
    let traces = try home.traces(result)
    #expect(!traces.contains(Self.password) && !traces.contains("&t=") && !traces.contains("&s="))
  }

  @Test("in another quality are streamed, and replaced when the playlist wants another one")
  func quality() throws {
    serveSongs([("tr_1", "Night Drive")])
    try declare(", quality: low")
    #expect(try home.run().result.ending == .exited(0))
    let streams = server.requests(to: "/rest/stream.view").map(\.target)
    #expect(streams.count == 1 && streams[0].contains("?id=tr_1&maxBitRate=96&format=mp3&"), "\(streams)")
    try declare()
    let (result, report) = try home.run()
    #expect(result.ending == .exited(0), "\(result.standardError)")
    #expect(report[path: "totals.upgraded"] == .number(1))
    #expect(server.requests(to: "/rest/download.view").count == 1)
  }

  @Test("replace a file although the server announces no length, in chunks or with the end of the connection")
  func unannouncedQuality() throws {
    server.script("/rest/stream.view", Array(repeating: .chunked(), count: 8))
    serveSongs([("tr_1", "Night Drive")])
    try declare(", quality: low")
    #expect(try home.run().result.ending == .exited(0))
    try declare(", quality: normal")
    let (result, report) = try home.run()
    #expect(result.ending == .exited(0), "\(result.standardError)")
    #expect(report[path: "totals.upgraded"] == .number(1), "\(report)")

    // The song plays as long as the server says, and so nothing of it is missing.
    server.script("/rest/download.view", [.untilClose])
    try declare()
    let (again, second) = try home.run()
    #expect(again.ending == .exited(0), "\(again.standardError)")
    #expect(second[path: "totals.upgraded"] == .number(1), "\(second)")

    // This one is too short.
    server.script("/rest/stream.view", [.untilClose])
    serveSongs([("tr_1", "Night Drive")], seconds: 9)
    try declare(", quality: high")
    let (short, third) = try home.run()
    #expect(short.ending == .exited(3), "\(short.standardError)")
    #expect(third[path: "totals.upgraded"] == .number(0) && third[path: "totals.failed"] == .number(1), "\(third)")
    #expect(try home.command("verify", "--deep").run().ending == .exited(0))
  }

  @Test("are the same songs when a scan gave them new ids")
  func newIDs() throws {
    serveSongs([("tr_1", "Night Drive"), ("tr_2", "Harbour Lights")])
    #expect(try home.run().result.ending == .exited(0))
    serveSongs([("tr_8", "Night Drive"), ("tr_9", "Harbour Lights")])
    let (result, report) = try home.run()
    #expect(result.ending == .exited(0), "\(result.standardError)")
    #expect(report[path: "totals.downloaded"] == .number(0) && report[path: "totals.unchanged"] == .number(2))
    let queue = String(decoding: try home.queueFile(), as: UTF8.self)
    #expect(queue.ranges(of: #""matched_by":"title_album_duration""#).count == 2)
    // From now on the songs are known by their new ids, so that other tags do not matter.
    serveSongs([("tr_8", "Night Drive (2026)"), ("tr_9", "Harbour Lights")])
    let (third, last) = try home.run()
    #expect(third.ending == .exited(0), "\(third.standardError)")
    #expect(last[path: "totals.downloaded"] == .number(0) && last[path: "totals.moved"] == .number(1))
    #expect(try String(decoding: home.queueFile(), as: UTF8.self).ranges(of: #""matched_by":"guid""#).count == 2)
    #expect(server.requests(to: "/rest/download.view").count == 2)
  }

  @Test("are recognised by the codes of their recordings, which queue, plan and explain show")
  func recordings() throws {
    func serve(_ id: String, _ title: String) {
      self.serve(
        "getPlaylist",
        #"""
        "playlist": {"id": "pl_1", "entry": [{"id": "\#(id)", "title": "\#(title)", "duration": 3,
          "musicBrainzId": "8f3471b5-7e6a-48da-86a9-c1c07a0f47ae", "isrc": ["USRC17607839"]}]}
        """#)
    }
    serve("tr_1", "Night Drive")
    #expect(try home.run().result.ending == .exited(0))
    serve("tr_8", "Nachtfahrt")
    let plan = try JSONValue(try home.command("plan", "--json").run().stdout)
    #expect(plan[path: "changes.0.matched_by"] == .string("musicbrainz_id"), "\(plan)")
    #expect(plan[path: "changes.0.action"] == .string("move"))
    let text = try home.editing("explain", "gym:tr_1").run().standardOutput
    #expect(text.contains("recognised by its MusicBrainz id"), "\(text)")
    let json = try JSONValue(try home.editing("explain", "gym:tr_1", "--json").run().stdout)
    #expect(json[path: "matched_by"] == .string("musicbrainz_id"))
    #expect(json[path: "recordings.1"] == .string("isrc:USRC17607839"))
    let (result, report) = try home.run()
    #expect(result.ending == .exited(0) && report[path: "totals.downloaded"] == .number(0), "\(result.standardError)")
    #expect(try home.ownedPaths() == ["Gym/Nachtfahrt.mp3"])
    let queue = String(decoding: try home.queueFile(), as: UTF8.self)
    #expect(queue.contains(#""matched_by":"musicbrainz_id""#) && queue.contains(#""isrc:USRC17607839""#))
  }

  @Test("of playlists that a pattern or a list names are a playlist each, and stay when all ids are new")
  func patterns() throws {
    func serveLists(_ names: [String], ids: Int) {
      let lists = names.enumerated().map { #"{"id": "pl_\#(ids + $0.offset)", "name": "\#($0.element)"}"# }
      serve("getPlaylists", #""playlists": {"playlist": [\#(lists.joined(separator: ", "))]}"#)
      serveSongs([("tr_\(ids)", "Night Drive"), ("tr_\(ids + 1)", "Harbour Lights")])
    }
    func declare(_ playlists: String) throws {
      try home.declare(
        """
        storage: { orphans: remove }
        downloads: { retries: 0 }
        servers:
          home: { type: subsonic, url: "\(server.url(""))", auth: { user: anna, password_file: ./password } }
        playlists:
          runs: { subsonic: { server: home, playlist: \(playlists) }, mirror: true }
        """)
    }
    func lists() throws -> Set<String> { Set(try FileTree.names(home.library).filter { $0.hasSuffix(".m3u8") }) }
    serveLists(["Run easy", "Gym", "Run hard"], ids: 10)
    try declare("\"run *\"")
    #expect(try home.run().result.ending == .exited(0))
    #expect(try lists() == ["Run easy.m3u8", "Run hard.m3u8"])
    #expect(try Set(home.list().keys.map { $0.prefix { $0 != ":" } }) == ["runs/run-easy"])
    // A scan that gives everything a new id moves and fetches nothing.
    serveLists(["Run hard", "Run easy"], ids: 20)
    let (again, report) = try home.run()
    #expect(again.ending == .exited(0), "\(again.standardError)")
    #expect(report[path: "totals.downloaded"] == .number(0) && report[path: "totals.removed"] == .number(0))
    #expect(try lists() == ["Run easy.m3u8", "Run hard.m3u8"])
    #expect(server.requests(to: "/rest/download.view").count == 2)
    // A name that the server does not have is an error, and the others are read. Nothing is removed.
    try declare("[Run hard, Swim]")
    let (third, failed) = try home.run()
    #expect(third.ending == .exited(3), "\(third.standardError)")
    #expect(failed[path: "warnings"]?.description.contains("the server has nothing called") == true, "\(failed)")
    #expect(try home.ownedPaths().count == 2)
    // A pattern or a list that fits none of them takes nothing away, either.
    for choice in ["\"walk *\"", "[Swim]"] {
      try declare(choice)
      let (nothing, empty) = try home.run()
      #expect([.exited(3), .exited(5)].contains(nothing.ending), "\(nothing.standardError)")
      #expect(empty[path: "totals.removed"] == .number(0) && empty[path: "totals.unchanged"] == .number(2), "\(empty)")
      // The other one left with the choice before.
      #expect(try lists() == ["Run hard.m3u8"])
    }
    // A playlist that left the server leaves here, too, and the songs stay as long as another one has them.
    try declare("\"run *\"")
    serveLists(["Run hard"], ids: 20)
    #expect(try home.run().result.ending == .exited(0))
    #expect(try lists() == ["Run hard.m3u8"])
    #expect(try home.ownedPaths().count == 2)
    #expect(server.requests(to: "/rest/download.view").count == 2)
  }

  @Test("that the server answers with an error document fail, whatever is checked", arguments: [true, false])
  func errorDocument(_ sniffs: Bool) throws {
    serveSongs([("tr_1", "Night Drive")])
    serve("download", #""error": {"code": 70, "message": "Song not found"}"#, status: "failed")
    try declare(checks: "checks: { sniff: \(sniffs) }")
    let (result, report) = try home.run()
    #expect(result.ending == .exited(3), "\(result.standardError)")
    #expect(report[path: "items.0.error.kind"] == .string("not_media"), "\(report)")
    #expect(try home.ownedPaths() == [])
  }

  @Test(
    "stay when the server refuses the list",
    arguments: [
      (40, "Wrong username or password", 3, "look at the user and the password"),
      (0, "Database is busy", 5, "(Subsonic error 0)"),
    ])
  func refused(_ code: Int, _ message: String, _ status: Int32, _ sentence: String) throws {
    serveSongs([("tr_1", "Night Drive")])
    #expect(try home.run().result.ending == .exited(0))
    let paths = try home.ownedPaths()
    serve("getPlaylists", #""error": {"code": \#(code), "message": "\#(message)"}"#, status: "failed")
    let (result, report) = try home.run()
    #expect(result.ending == .exited(status), "\(result.standardError)")
    let warnings = report[path: "warnings"]?.description ?? ""
    #expect(warnings.contains(message) && warnings.contains(sentence), "\(warnings)")
    #expect(try home.ownedPaths() == paths && paths.count == 1)
  }

  @Test(
    "of a server that refuses the password are asked for once, and a wrong address is told once",
    arguments: [
      (#""error": {"code": 40, "message": "Wrong username or password"}"#, 40, 3, 1, "servers.home.auth"),
      ("", 401, 3, 1, "servers.home.auth"), ("", 403, 3, 1, "servers.home.auth"), ("", 404, 3, 9, "servers.home.url"),
      ("", 200, 5, 9, "servers.home.url"),
    ])
  func refusedServer(_ error: String, _ code: Int, _ status: Int32, _ requests: Int, _ advice: String) throws {
    let methods = ["getPlaylists", "getStarred2", "getAlbumList2", "search3"]
    for method in methods {
      if code == 40 { serve(method, error, status: "failed") }
      if code == 200 { server.serve("/rest/\(method).view", Resource(text: "hello")) }
      if code > 400 {
        server.serve("/rest/\(method).view", Resource(text: "no"))
        server.script("/rest/\(method).view", Array(repeating: .status(code), count: 9))
      }
    }
    let playlists = (1...6).map { "  p\($0): { subsonic: { server: home, playlist: P\($0) } }" }
    try home.declare(
      """
      downloads: { retries: 0 }
      servers:
        home: { type: subsonic, url: "\(server.url(""))", auth: { user: anna, password_file: ./password } }
      playlists:
      \(playlists.joined(separator: "\n"))
        starred: { subsonic: { server: home, starred: songs } }
        new: { subsonic: { server: home, albums: newest } }
        found: { subsonic: { server: home, search: x } }
      """)
    let (result, report) = try home.run()
    #expect(result.ending == .exited(status), "\(result.standardError)")
    #expect(server.requests.count == requests, "\(server.requests.map(\.line))")
    #expect(report[path: "warnings.count"] == .number(1), "\(report)")
    #expect(report[path: "warnings.0"]?.description.contains(advice) == true, "\(report)")
    #expect(report[path: "sources.8.outcome"] == .string("problem"), "\(report)")
  }

  @Test("have the extension that the server states in a plan, and that of a transcoded song")
  func expectedExtension() throws {
    let song = #"{"id": "tr_1", "title": "Night Drive", "suffix": "flac", "contentType": "audio/flac"}"#
    serve("getPlaylist", #""playlist": {"id": "pl_1", "entry": [\#(song)]}"#)
    func path() throws -> JSONValue? {
      try JSONValue(home.command("plan", "--json").run().stdout)[path: "changes.0.path"]
    }
    #expect(try path() == .string("Gym/Night Drive.flac"))
    // The manifest names the server, so that its address may be private.
    let plan = try home.command("plan").run().standardOutput
    #expect(!plan.contains("private address"), "\(plan)")
    try declare(", quality: low")
    #expect(try path() == .string("Gym/Night Drive.mp3"))
  }

  @Test("that are none are said to be none of the server")
  func noSongs() throws {
    serve("getStarred2", #""starred2": {}"#)
    try home.declare(
      """
      servers:
        home: { type: subsonic, url: "\(server.url(""))", auth: { user: anna, password_file: ./password } }
      playlists: { starred: { subsonic: { server: home, starred: songs } } }
      """)
    let result = try home.command("run").run()
    let text = result.standardOutput + result.standardError
    #expect(text.contains("starred: the server found no songs; "), "\(text)")
  }

  @Test("are recognised by their ids on the server, as explain says")
  func explained() throws {
    serveSongs([("tr_1", "Night Drive")])
    #expect(try home.run().result.ending == .exited(0))
    let text = try home.editing("explain", "Night Drive").run().standardOutput
    #expect(text.contains("recognised by its id on the server"), "\(text)")
  }

  @Test("need their password only where the network is used")
  func withoutVariable() throws {
    serveSongs([("tr_1", "Night Drive")])
    func declareVariable() throws {
      try home.declare(
        """
        downloads: { headers: { X-Key: "${XKEY}" } }
        servers:
          home: { type: subsonic, url: "\(server.url(""))", auth: { user: "${MUSER:?who}", password: "${MPW}" } }
        playlists: { gym: { title: Gym, subsonic: { server: home, playlist: Gym } } }
        """)
    }
    try declareVariable()
    func call(_ name: String, _ variables: [String: String] = [:]) throws -> CommandResult {
      var command = home.command(name)
      command.environment.merge(variables) { $1 }
      return try command.run()
    }
    #expect(try call("run", ["XKEY": "k", "MUSER": "anna", "MPW": Self.password]).ending == .exited(0))
    for name in ["status", "list"] {
      let result = try call(name)
      #expect(result.ending == .exited(0) && result.standardError.isEmpty, "\(name): \(result.standardError)")
      #expect(result.standardOutput.contains(name == "status" ? "1 completed" : "Night Drive"))
    }
    let refused = try call("run")
    #expect(refused.ending == .exited(78))
    let advice = "\"MPW\" is not set: set it, or keep the secret in a file and name that file with \"password_file\""
    #expect(refused.standardError.contains(advice))
    #expect(refused.standardError.contains("${MPW}"), "\(refused.standardError)")
    // `status` leaves no manifest without the password in the cache.
    #expect(try call("plan").ending == .exited(78))
  }

  @Test(
    "come from supysonic, which takes no tokens, in any choice and quality", .requires(.supysonicServer),
    .requires(.ffmpeg))
  func supysonic() throws {
    let songs = ["one", "two"].map { name in
      ("\(name).mp3", GeneratedAudio(title: "Song \(name)", artist: "Anna", album: "Roads", seconds: 5, seed: 7))
    }
    let supysonic = try Supysonic(songs: Dictionary(uniqueKeysWithValues: songs))
    let answer = try #require(supysonic.request("search3", "query=two&artistCount=0&albumCount=0"))
    let found = try JSONValue(Array(answer.drop { $0 != "{" }.utf8))
    let two = try #require(found[path: "subsonic-response.searchResult3.song.0.id"]).description
    _ = supysonic.request("createPlaylist", "name=Gym&songId=\(two)")
    try FileBytes.write(Supysonic.password, to: home.folder.file("password"))
    try home.declare(
      """
      servers:
        home: { type: subsonic, url: "\(supysonic.url)", auth: { user: \(Supysonic.user), password_file: ./password } }
      playlists:
        gym: { title: Gym, subsonic: { server: home, playlist: Gym } }
        new: { title: New, subsonic: { server: home, albums: newest }, quality: low }
        anna: { title: Anna, subsonic: { server: home, artist: anna } }
        found: { title: Found, subsonic: { server: home, search: "Song one" } }
      """)
    let (result, report) = try home.run()
    #expect(result.ending == .exited(0), "\(result.standardError)")
    #expect(report[path: "totals.downloaded"] == .number(2))
    #expect(try home.ownedPaths() == ["Gym/Song two.mp3", "New/Song one.mp3"])
    #expect(try FileBytes.read("\(home.library)/Gym/Song two.mp3") == songs[1].1.bytes)
    #expect(try home.traces(result).contains(Supysonic.password) == false)
    let (again, second) = try home.run()
    #expect(again.ending == .exited(0), "\(again.standardError)")
    #expect(second[path: "totals.unchanged"] == .number(2))
  }
}
