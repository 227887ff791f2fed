// SPDX-License-Identifier: Apache-2.0

import Glibc
import SyncTestSupport
import Testing

/// A library with the songs of a server that counts plays.
private struct MusicHousehold {
  let home: LibraryFixture
  let server: SubsonicServer

  init(_ traits: SubsonicServer.Traits = .init()) throws {
    home = try LibraryFixture()
    let songs = ["tr_1", "tr_2"].enumerated().map {
      ($1, GeneratedAudio(title: $1, seconds: 3, seed: UInt64($0) + 1).bytes)
    }
    server = try SubsonicServer(songs: Dictionary(songs, uniquingKeysWith: { first, _ in first }), traits)
  }

  func declare(_ direction: String = "both", quality: String = "source", servers: String = "", history: String = "")
    throws
  {
    try home.declare(
      """
      servers:
        home:
          type: subsonic
          url: "\(server.url)"
          auth: { user: \(SubsonicServer.user), password: \(SubsonicServer.password) }
      \(servers)
      history: [ { server: home, direction: \(direction) }\(history) ]
      storage: { min_free: 0 }
      downloads: { retries: 0, network: { allow_private: true } }
      playlists:
        gym: { title: Gym, quality: \(quality), subsonic: { server: home, playlist: Gym } }
      """)
  }

  static func time(_ minute: Int) -> String {
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return "2026-12-01T\(two(minute / 60)):\(two(minute % 60)):00Z"
  }
  static let day = 1_796_083_200_000

  func command(at minute: Int) -> Command { home.command("run", "--json", "--now", Self.time(minute)) }

  @discardableResult
  func run(_ status: Int32 = 0, at minute: Int) throws -> JSONValue {
    let result = try command(at: minute).run()
    #expect(result.ending == .exited(status), "\(result.standardError)\(result.standardOutput)")
    return try JSONValue(result.stdout)
  }

  /// A first run at minute 0, and a play of each song in the minutes after it.
  func begin(_ direction: String, playing songs: String...) throws {
    try declare(direction)
    try run(at: 0)
    for (place, song) in songs.enumerated() { try play(song, at: place + 1) }
  }

  func id(_ song: String) throws -> String {
    try #require(home.list().first { $0.value[path: "title"] == .string(song) }?.key, "\(song)")
  }

  func play(_ song: String, at minute: Int) throws {
    let result = try home.editing("played", id(song), "--now", Self.time(minute)).run()
    #expect(result.ending == .exited(0), "\(result.standardError)")
  }

  func plays(_ song: String) throws -> Double {
    let value = try home.list()[id(song)]?[path: "play_count"]
    return if case .number(let number)? = value { number } else { 0 }
  }

  func entry(_ report: JSONValue, _ name: String, of history: Int = 0) -> Double? {
    if case .number(let number)? = report[path: "history.\(history).\(name)"] { number } else { nil }
  }
}

@Suite("a history on a server with the Subsonic API")
struct SubsonicHistoryTests {
  @Test("plays on other devices count once, and nothing is told back")
  func pulls() throws {
    let house = try MusicHousehold()
    try house.declare()
    for _ in 1...3 { house.server.play("tr_1", at: "2026-11-20T10:00:00Z") }
    let report = try house.run(at: 0)
    #expect(report[path: "history.0.source"] == .string("subsonic"), "\(report)")
    #expect(report[path: "history.0.server"] == .string("home"))
    #expect(house.entry(report, "counted") == 3 && house.entry(report, "read") == 1)
    #expect(try house.plays("tr_1") == 3 && house.plays("tr_2") == 0)
    #expect(try house.entry(house.run(at: 1), "counted") == 0)
    house.server.play("tr_1", at: MusicHousehold.time(1))
    #expect(try house.entry(house.run(at: 2), "counted") == 1)
    #expect(try house.plays("tr_1") == 4)
    #expect(house.server.scrobbles.isEmpty)
  }

  @Test("plays are pushed once with their time in milliseconds, and do not come back as plays of others")
  func pushes() throws {
    let house = try MusicHousehold()
    try house.declare()
    try house.run(at: 0)
    try house.play("tr_2", at: 1)
    let report = try house.run(at: 2)
    #expect(house.entry(report, "pushed") == 1 && house.entry(report, "waiting") == 0, "\(report)")
    #expect(house.server.scrobbles == [.init(id: "tr_2", milliseconds: MusicHousehold.day + 60_000)])
    #expect(try house.entry(house.run(at: 3), "counted") == 0)
    #expect(try house.plays("tr_2") == 1)
    // A later play elsewhere, and an older one here: the server tells the time of one, and counts both.
    try house.play("tr_2", at: 4)
    house.server.play("tr_2", at: MusicHousehold.time(6))
    try house.run(at: 7)
    #expect(try house.plays("tr_2") == 3)
    try house.run(at: 8)
    #expect(try house.plays("tr_2") == 3 && house.server.count(of: "tr_2") == 3)
    #expect(house.server.scrobbles.count == 2)
  }

  @Test("a stream into the library is no play, whether the server counts it or not", arguments: [true, false])
  func streams(_ counts: Bool) throws {
    let house = try MusicHousehold(.init(countsStreams: counts))
    try house.declare(quality: "low")
    house.server.setClock(MusicHousehold.time(0))
    try house.run(at: 0)
    #expect(house.server.count(of: "tr_1") == (counts ? 1 : 0))
    try house.run(at: 1)
    #expect(try house.plays("tr_1") == 0)
    #expect(try house.home.list()[house.id("tr_1")]?[path: "last_played_at"] == nil)
    house.server.play("tr_1", at: MusicHousehold.time(90))
    try house.run(at: 100)
    #expect(try house.plays("tr_1") == 1)
    house.server.play("tr_1", at: MusicHousehold.time(110))
    try house.run(at: 120)
    #expect(try house.plays("tr_1") == 2)
    #expect(house.server.scrobbles.isEmpty)
  }

  @Test(
    "after a lost answer the server's count decides",
    arguments: [(true, Behaviour.contentLength("1000")), (true, .breakOff(after: 0)), (false, .contentLength("1000"))])
  func lostAnswer(_ tellsCounts: Bool, _ behaviour: Behaviour) throws {
    let house = try MusicHousehold(.init(tellsCounts: tellsCounts))
    try house.begin("push", playing: "tr_1")
    house.server.script("scrobble", [behaviour, .honest])
    let result = try house.command(at: 2).run()
    let report = try JSONValue(result.stdout)
    let arrived = house.server.count(of: "tr_1")
    if tellsCounts {
      // The first play of a song. The server tells nothing of it before, and later it might be that of somebody else.
      let isAsked = house.entry(report, "pushed") == 1 || house.entry(report, "waiting") == 1
      #expect(isAsked, "\(report)")
      try house.command(at: 3).run()
      #expect(house.server.count(of: "tr_1") == 1)
      // It tells a count from now on.
      try house.play("tr_1", at: 4)
      house.server.script("scrobble", [behaviour, .honest])
      #expect(try house.entry(house.run(5, at: 5), "waiting") == 1)
      #expect(try house.entry(house.run(at: 6), "pushed") == 1)
      #expect(house.server.count(of: "tr_1") == 2)
    } else {
      #expect(result.ending == .exited(3) && house.entry(report, "dropped") == 1, "\(report)")
      #expect(
        result.standardOutput.contains(
          "1 play (gym:tr_1) will not be pushed to home: the answer was lost, and the server does not tell whether it has"
            + " the play"), "\(result.standardOutput)")
      try house.run(at: 3)
      #expect(house.server.count(of: "tr_1") == arrived)
    }
    #expect(try house.run(at: 7)[path: "history.0.pushed"] == nil)
  }

  @Test("a server that wants the password, and one that is down, get each play once")
  func password() throws {
    let house = try MusicHousehold(.init(tellsCounts: false, takesTokens: false))
    try house.begin("push", playing: "tr_1")
    house.server.script("getSong", [.breakOff(after: 0), .honest])
    #expect(try house.entry(house.run(5, at: 2), "waiting") == 1)
    #expect(house.server.scrobbles.isEmpty)
    #expect(try house.entry(house.run(at: 3), "pushed") == 1)
    #expect(house.server.count(of: "tr_1") == 1)
  }

  @Test("an error of the server keeps that play waiting, and lets the others through")
  func passingError() throws {
    let house = try MusicHousehold()
    try house.begin("push", playing: "tr_1", "tr_2")
    let body = #"{"subsonic-response":{"status":"failed","version":"1.16.1","error":{"code":0,"message":"busy"}}}"#
    house.server.script("scrobble", [.status(200, body: body), .honest])
    let report = try house.run(3, at: 3)
    #expect(["pushed", "waiting", "dropped"].map { house.entry(report, $0) } == [1, 1, 0], "\(report)")
    #expect(try house.entry(house.run(at: 4), "pushed") == 1)
    #expect(house.server.count(of: "tr_1") == 1 && house.server.count(of: "tr_2") == 1)
  }

  @Test("streams that break off, run after run, are no plays")
  func brokenStreams() throws {
    let house = try MusicHousehold(.init(countsStreams: true))
    try house.declare("pull", quality: "low")
    for minute in 0..<3 {
      house.server.setClock(MusicHousehold.time(minute))
      house.server.script("stream", Array(repeating: .breakOff(after: 100), count: 4))
      _ = try house.command(at: minute).run()
    }
    #expect(house.server.count(of: "tr_1") + house.server.count(of: "tr_2") >= 6)
    #expect(try house.plays("tr_1") == 0 && house.plays("tr_2") == 0)
  }

  @Test("songs with which the server has trouble keep no other plays back, and another song gets no play of theirs")
  func trouble() throws {
    let house = try MusicHousehold()
    try house.begin("push", playing: "tr_1", "tr_2")
    house.server.script("getSong", [.status(404), .honest])
    let report = try house.run(3, at: 3)
    #expect(["pushed", "waiting"].map { house.entry(report, $0) } == [1, 1], "\(report)")
    let other = #"{"subsonic-response":{"status":"ok","version":"1.16.1","song":{"id":"tr_1","title":"Other"}}}"#
    house.server.script("getSong", [.status(200, body: other), .honest])
    let result = try house.command(at: 4).run()
    #expect(result.ending == .exited(3))
    #expect(
      result.standardOutput.contains("the server has another song under the id of this one"),
      "\(result.standardOutput)")
    #expect(try house.entry(house.run(at: 5), "pushed") == 1)
    #expect(house.server.scrobbles.map(\.id) == ["tr_2", "tr_1"])
  }

  @Test("a server that asks for patience is asked for no other song", arguments: [429, 401])
  func patience(_ status: Int) throws {
    let house = try MusicHousehold()
    try house.begin("push", playing: "tr_1", "tr_2")
    house.server.script("getSong", [.status(status), .honest])
    let report = try house.run(status == 429 ? 5 : 3, at: 3)
    #expect(["pushed", "waiting"].map { house.entry(report, $0) } == [0, 2], "\(report)")
    #expect(house.server.server.requests(to: "/rest/getSong.view").count == 1)
    #expect(try house.entry(house.run(at: 4), "pushed") == 2)
  }

  @Test("an outbox that cannot be read pushes nothing, and the run ends with 3")
  func unusable() throws {
    let house = try MusicHousehold()
    try house.begin("push", playing: "tr_1")
    let outbox = "\(house.home.state)/outbox.jsonl"
    #expect(unlink(outbox) == 0 && mkdir(outbox, 0o700) == 0)
    let result = try house.command(at: 2).run()
    #expect(
      result.ending == .exited(3) && result.standardOutput.contains("no play is pushed: "), "\(result.standardOutput)")
    #expect(house.server.scrobbles.isEmpty)
  }

  @Test("the play of a song that left the server is dropped, and said once")
  func gone() throws {
    let house = try MusicHousehold()
    try house.begin("push", playing: "tr_1")
    house.server.remove("tr_1")
    let result = try house.command(at: 2).run()
    #expect(
      result.standardOutput.contains("1 play (gym:tr_1) will not be pushed to home: the server no longer has the song"),
      "\(result.standardOutput)")
    #expect(try house.run(at: 3)[path: "history.0.pushed"] == nil)
  }

  @Test("a wrong password is told with its key", .timeLimit(.minutes(2)))
  func refused() throws {
    let house = try MusicHousehold()
    try house.begin("push", playing: "tr_1")
    let body =
      #"{"subsonic-response":{"status":"failed","version":"1.16.1","error":{"code":40,"message":"Wrong password"}}}"#
    house.server.script("getSong", [.status(200, body: body), .honest])
    let result = try house.command(at: 2).run()
    #expect(result.ending == .exited(3))
    #expect(
      result.standardOutput.contains("look at the user and the password of servers.home.auth"),
      "\(result.standardOutput)"
    )
    #expect(try house.entry(house.run(at: 3), "pushed") == 1)
  }
}

@Suite("a history on a server with the ListenBrainz API")
struct ListenBrainzTests {
  private let house: MusicHousehold
  private let listens: ListenServer

  init() throws { (house, listens) = (try MusicHousehold(), try ListenServer()) }

  private func declare(_ token: String = ListenServer.token) throws {
    try house.declare(
      "pull", servers: #"  lb: { type: listenbrainz, url: "\#(listens.url)/1/", auth: { api_key: \#(token) } }"#,
      history: ", { server: lb }")
  }

  /// A first run at minute 0, and a play of each song in the minutes after it.
  private func begin(playing songs: String...) throws {
    try declare()
    try house.run(at: 0)
    for (place, song) in songs.enumerated() { try house.play(song, at: place + 1) }
  }

  @Test("gets each play of music once, also those of other devices that came from elsewhere")
  func pushes() throws {
    try begin(playing: "tr_1")
    house.server.play("tr_2", at: MusicHousehold.time(2))
    let report = try house.run(at: 3)
    #expect(house.entry(report, "pushed", of: 1) == 2, "\(report)")
    #expect(report[path: "history.1.source"] == .string("listenbrainz"))
    let first = try #require(listens.listens.first)
    #expect(first.at == MusicHousehold.day / 1000 + 60 && listens.listens.count == 2)
    #expect(
      first.metadata.artist == "The Example" && first.metadata.track == "tr_1" && first.metadata.release == "Roads")
    #expect(first.metadata.info?.client == "syncjob" && first.metadata.info?.seconds == 3)
    #expect(try house.run(at: 4)[path: "history.1"] == nil)
    #expect(house.server.scrobbles.isEmpty)
  }

  @Test("keeps a play once that is sent again after a lost answer")
  func lostAnswer() throws {
    try begin(playing: "tr_1")
    listens.script([.contentLength("1000"), .honest])
    #expect(try house.entry(house.run(5, at: 2), "waiting", of: 1) == 1)
    #expect(try house.entry(house.run(at: 3), "pushed", of: 1) == 1)
    #expect(listens.listens.count == 1 && listens.server.requests(to: ListenServer.path).count == 2)
  }

  @Test("gets plays of one second apart, and those behind one that it has")
  func sameSecond() throws {
    try declare()
    try house.run(at: 0)
    for song in ["tr_2", "tr_1"] { try house.play(song, at: 1) }
    #expect(try house.entry(house.run(at: 2), "pushed", of: 1) == 2)
    let times = listens.listens.sorted { $0.metadata.track < $1.metadata.track }.map { $0.at }
    let second = MusicHousehold.day / 1000 + 60
    #expect(times == [second, second + 1])
  }

  @Test("that fails with one play gets the others; an answer of something else accepts none")
  func trouble() throws {
    try begin(playing: "tr_1", "tr_2")
    listens.upset(by: "tr_1")
    let report = try house.run(5, at: 3)
    #expect(["pushed", "waiting"].map { house.entry(report, $0, of: 1) } == [1, 1], "\(report)")
    listens.upset(by: nil)
    listens.script([.status(200, body: #"{"error":"Not found"}"#), .honest])
    let result = try house.command(at: 4).run()
    #expect(result.ending == .exited(5))
    #expect(result.standardOutput.contains("the answer is not one of the ListenBrainz API"), "\(result.standardOutput)")
    #expect(try house.entry(house.run(at: 5), "pushed", of: 1) == 1)
    #expect(listens.listens.count == 2)
  }

  @Test("that refuses the oldest plays gets the newer ones, and a warning names the others")
  func refusesOldest() throws {
    try declare()
    try house.run(at: 0)
    for minute in 1...10 { try house.play("tr_1", at: minute) }
    listens.script(Array(repeating: .status(400), count: 8) + [.honest])
    let result = try house.command(at: 20).run()
    let report = try JSONValue(result.stdout)
    let numbers = ["pushed", "waiting", "dropped"].map { house.entry(report, $0, of: 1) }
    #expect(result.ending == .exited(3) && numbers == [2, 0, 8], "\(report)")
    #expect(result.standardOutput.contains("8 plays (gym:tr_1) will not be pushed to lb: refused"))
    let second = MusicHousehold.day / 1000
    #expect(listens.listens.map(\.at) == [second + 600, second + 540])
  }

  @Test("whose token is wrong is told with its key, and gets the play later; the token is in no file")
  func token() throws {
    try declare("wr0ngt0ken")
    try house.run(at: 0)
    try house.play("tr_1", at: 1)
    let result = try house.command(at: 2).run()
    #expect(result.ending == .exited(3))
    #expect(
      result.standardOutput.contains("the server refused the login (401); check servers.lb.auth"),
      "\(result.standardOutput)")
    #expect(try !house.home.traces(result).contains("wr0ngt0ken"))
    try declare()
    #expect(try house.entry(house.run(at: 3), "pushed", of: 1) == 1)
  }
}

@Suite("plays on real music servers")
struct MusicPeerTests {
  @Test("Maloja gets each listen once", .requires(.maloja))
  func maloja() throws {
    let peer = try Maloja()
    let house = try MusicHousehold()
    try house.declare(
      "pull", servers: #"  lb: { type: listenbrainz, url: "\#(peer.url)", auth: { api_key: \#(peer.token) } }"#,
      history: ", { server: lb }")
    try house.run(at: 0)
    try house.play("tr_1", at: 1)
    try house.play("tr_2", at: 2)
    #expect(try house.entry(house.run(at: 3), "pushed", of: 1) == 2)
    try house.run(at: 4)
    let listens = try JSONValue(peer.listens())
    #expect(listens[path: "list.count"] == .number(2), "\(listens)")
    #expect(
      listens[path: "list.0.track.title"] == .string("tr_2") && listens[path: "list.0.time"] == .number(1_796_083_320))
  }

  @Test("maneki takes the play of a song", .requires(.maneki), .requires(.ffmpeg))
  func maneki() throws {
    let song = GeneratedAudio(title: "one", artist: "Anna", album: "Roads", seconds: 4, seed: 7)
    let peer = try Maneki(songs: ["Anna/Roads/one.mp3": song])
    try push(to: peer.url, user: Maneki.user, password: Maneki.password)
  }

  @Test("Supysonic takes the play of a song", .requires(.supysonicServer), .requires(.supysonicCLI))
  func supysonic() throws {
    let song = GeneratedAudio(title: "one", artist: "Anna", album: "Roads", seconds: 4, seed: 7)
    let peer = try Supysonic(songs: ["one.mp3": song])
    try push(to: peer.url, user: Supysonic.user, password: Supysonic.password)
  }

  private func push(to url: String, user: String, password: String) throws {
    let home = try LibraryFixture()
    try home.declare(
      """
      servers: { home: { type: subsonic, url: "\(url)", auth: { user: "\(user)", password: "\(password)" } } }
      history: [ { server: home, direction: both } ]
      storage: { min_free: 0 }
      downloads: { network: { allow_private: true } }
      playlists: { all: { title: All, subsonic: { server: home, search: one } } }
      """)
    func run(_ minute: Int) throws -> JSONValue {
      let result = try home.command("run", "--json", "--now", MusicHousehold.time(minute)).run()
      #expect(result.ending == .exited(0), "\(result.standardError)\(result.standardOutput)")
      return try JSONValue(result.stdout)
    }
    let first = try run(0)
    #expect(first[path: "totals.downloaded"] == .number(1), "\(first)")
    let id = try #require(home.list().keys.first)
    #expect(try home.editing("played", id, "--now", MusicHousehold.time(1)).run().ending == .exited(0))
    let report = try run(2)
    #expect(report[path: "history.0.pushed"] == .number(1), "\(report)")
    #expect(try run(3)[path: "history.0.pushed"] == nil)
  }
}

@Suite("a history on a music server and kills", .requires(.strace))
struct MusicHistoryKillTests {
  @Test("a play arrives once, wherever the run is killed", arguments: ["fsync", "pwrite64", "sendto", "recvfrom"])
  func pushed(call: String) throws {
    let (house, listens) = (try MusicHousehold(), try ListenServer())
    try house.declare(
      servers: #"  lb: { type: listenbrainz, url: "\#(listens.url)", auth: { api_key: \#(ListenServer.token) } }"#,
      history: ", { server: lb }")
    house.server.play("tr_1", at: "2026-11-20T10:00:00Z")
    try house.run(at: 0)
    try house.play("tr_1", at: 1)
    var sweep = KillSweep(home: house.home, call: call)
    sweep.command = house.command(at: 2)
    sweep.reset = {
      house.server.forget()
      house.server.play("tr_1", at: "2026-11-20T10:00:00Z")
      listens.forget()
    }
    try sweep.run { (moment: String) throws in
      #expect(house.server.count(of: "tr_1") == 2, "\(moment)")
      #expect(listens.listens.count == 1, "\(moment)")
      #expect(try house.plays("tr_1") == 2, "\(moment)")
    }
  }
}
