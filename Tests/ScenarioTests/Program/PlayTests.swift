// SPDX-License-Identifier: Apache-2.0

import Glibc
import SyncTestSupport
import Testing

/// A library whose items a real player plays without sound.
final class PlayHousehold: Sendable {
  let home: LibraryFixture
  let server: FaultServer
  private let mpv: [String: String]

  /// - Parameter items: The playing time of each item, in seconds.
  init(_ items: [(name: String, seconds: Double)], _ more: String = "") throws {
    (home, server) = (try LibraryFixture(), try FaultServer())
    mpv = try TestMpv.variables(in: home.folder)
    for item in items { server.serveAudio(item.name, seconds: item.seconds) }
    let list = items.map { "{ id: \($0.name), title: Title \($0.name), url: \"\(server.url("/\($0.name).mp3"))\" }" }
    try home.declare(
      """
      storage: { min_free: 0 }
      downloads: { retries: 0, network: { allow_private: true } }
      \(more)
      playlists: { mix: { items: [\(list.joined(separator: ", "))] } }
      """)
  }

  /// Fetches the items.
  func fetch() throws {
    let result = try home.command("run").run()
    try #require(result.ending == .exited(0), "\(result.standardError)")
  }

  func play(_ words: String..., variables: [String: String] = [:]) -> Command {
    var command = home.command(["play", "--manifest", home.manifest] + words)
    command.environment = command.environment.merging(mpv) { $1 }.merging(variables) { $1 }
    return command
  }

  /// The number of plays of each item by `list`, and its position.
  func plays() throws -> [String: String] {
    try home.list().mapValues { item in
      [item[path: "play_count"]?.description ?? "0", item[path: "play_position"]?.description].compactMap(\.self)
        .joined(separator: " at ")
    }
  }

  /// The text of the place. Empty if there is none yet.
  func place() throws -> String {
    let path = "\(home.state)/playing.json"
    return access(path, F_OK) == 0 ? try FileBytes.text(path) : ""
  }

  func json(_ result: CommandResult) throws -> [JSONValue] {
    try result.standardOutput.split(separator: "\n").map { try JSONValue(Array($0.utf8)) }
  }
}

@Suite("the play command", .serialized)
struct PlayTests {
  /// Each player with what it needs; MPD lives as long as the value.
  enum Player: String, CaseIterable, Sendable { case mpv, mpd }

  private func variables(_ player: Player, _ mpd: TestMPD?) -> [String: String] {
    player == .mpd ? ["MPD_HOST": mpd?.socket ?? ""] : [:]
  }

  @Test(
    "plays a playlist once, counts each item once, and no run counts it again", .requires(.mpv), .requires(.mpd),
    arguments: Player.allCases)
  func playlist(_ player: Player) throws {
    let house = try PlayHousehold([("a", 2), ("b", 3), ("c", 2)])
    try house.fetch()
    let mpd = player == .mpd ? try TestMPD() : nil
    let result = try house.play("mix", "--json", variables: variables(player, mpd)).run(timeout: 60)
    #expect(result.ending == .exited(0), "\(result.standardError)")
    let lines = try house.json(result)
    #expect(lines.map { $0[path: "id"]?.description } == ["a", "b", "c"], "\(result.standardOutput)")
    for line in lines {
      #expect(line[path: "ending"]?.description == "end" && line[path: "counted"]?.description == "true", "\(line)")
      #expect(line[path: "player"]?.description == player.rawValue)
    }
    #expect(try house.plays() == ["a": "1", "b": "1", "c": "1"])
    try house.fetch()
    #expect(try house.plays() == ["a": "1", "b": "1", "c": "1"])
    #expect(try FileTree.files("\(house.home.state)/played", hidden: true).isEmpty)
  }

  @Test(
    "a stopped item goes on where it was, with either player", .requires(.mpv), .requires(.mpd),
    arguments: Player.allCases)
  func resume(_ player: Player) throws {
    let house = try PlayHousehold([("a", 2), ("long", 200)])
    try house.fetch()
    let mpd = player == .mpd ? try TestMPD() : nil
    let variables = variables(player, mpd)
    try FileBytes.write(
      #"{"id":"long","at":"2026-11-20T10:00:00Z","position":80,"duration":200}"# + "\n",
      to: house.home.folder.file("heard.jsonl"))
    let heard = try house.home.command(
      ["import", "history", "-m", house.home.manifest, house.home.folder.file("heard.jsonl")]).run()
    try #require(heard.ending == .exited(0), "\(heard.standardError)")
    let process = try house.play("long", variables: variables).start()
    #expect(process.firstLine(seconds: 20) == "Playing \"Title long\" (1 of 1), from 1:20")
    process.signal(SIGINT)
    #expect(process.wait().ending == .exited(130))
    let left = try #require(try house.home.list()["long"]?[path: "play_position"]?.description)
    #expect(left.hasPrefix("8"), "\(left)")
    // Killed at once, it begins there again.
    let killed = try house.play("long", variables: variables).start()
    #expect(killed.firstLine(seconds: 20)?.hasPrefix("Playing \"Title long\" (1 of 1), from 1:2") == true)
    killed.signal(SIGKILL)
    _ = killed.wait()
    let again = try house.play(variables: variables).start()
    #expect(again.firstLine(seconds: 20)?.hasPrefix("Playing \"Title long\" (1 of 1), from 1:2") == true)
    again.signal(SIGINT)
    #expect(again.wait().ending == .exited(130))
    #expect(try house.plays()["long"]?.hasPrefix("0") == true)
  }

  @Test("a killed player goes on with the item that it played, and the play before counts once", .requires(.mpv))
  func killed() throws {
    let house = try PlayHousehold([("a", 2), ("b", 4), ("c", 2)])
    try house.fetch()
    let process = try house.play("mix").start()
    // The second item has begun once the place says so.
    #expect(try eventually { try house.place().contains(#""id":"b""#) })
    process.signal(SIGKILL)
    #expect(process.wait().ending == .killed(signal: SIGKILL))
    // Another command counts what is recorded.
    #expect(try house.plays()["a"] == "1")
    try house.home.edit("pin", "a")
    #expect(try house.plays()["a"] == "1")
    let rest = try house.play("--json").run(timeout: 60)
    #expect(rest.ending == .exited(0), "\(rest.standardError)")
    #expect(try house.json(rest).map { $0[path: "id"]?.description } == ["b", "c"], "\(rest.standardOutput)")
    #expect(try house.plays() == ["a": "1", "b": "1", "c": "1"])
  }

  @Test("a play that counted before the kill is counted by the next run", .requires(.mpv))
  func countedAndKilled() throws {
    let house = try PlayHousehold([("a", 60)])
    try house.fetch()
    let process = try house.play("mix", variables: ["MPV_HOME": try fast(house)]).start()
    #expect(try eventually(within: 30) { try house.place().contains(#""played":3"#) })
    process.signal(SIGKILL)
    _ = process.wait()
    try house.fetch()
    #expect(try house.plays()["a"]?.hasPrefix("1") == true)
    try house.fetch()
    #expect(try house.plays()["a"]?.hasPrefix("1") == true)
  }

  /// An mpv at three times the speed.
  private func fast(_ house: PlayHousehold) throws -> String {
    try FileBytes.write("ao=null\nspeed=3\n", to: house.home.folder.file("fast/mpv.conf"))
    return house.home.folder.file("fast")
  }

  @Test("while a run holds the lock, plays are kept, and counted later", .requires(.mpv))
  func locked() throws {
    let house = try PlayHousehold([("a", 2)])
    try house.fetch()
    let lock = try #require(
      Tool("flock").command(["\(house.home.state)/lock", "sleep", "600"]), "flock is part of util-linux")
    let holder = try lock.start()
    defer { holder.signal(SIGKILL) }
    #expect(try eventually { try house.home.editing("pin", "a").run().ending == .exited(11) })
    let result = try house.play("mix").run(timeout: 60)
    #expect(result.ending == .exited(0), "\(result.standardError)")
    #expect(try FileTree.files("\(house.home.state)/played", hidden: true).count == 1)
    // Commands that only look show it already.
    #expect(try house.plays() == ["a": "1"])
    kill(-holder.pid, SIGKILL)
    _ = holder.wait()
    try house.fetch()
    #expect(try FileTree.files("\(house.home.state)/played", hidden: true).isEmpty)
    #expect(try house.plays() == ["a": "1"])
  }

  @Test(
    "a file that a run removes meanwhile does not break the rest", .requires(.mpv), .requires(.mpd),
    arguments: Player.allCases)
  func removed(_ player: Player) throws {
    let house = try PlayHousehold([("a", 3), ("b", 2), ("c", 2), ("d", 2), ("e", 2)])
    try house.fetch()
    let mpd = player == .mpd ? try TestMPD() : nil
    let process = try house.play("mix", "--json", variables: variables(player, mpd)).start()
    #expect(try eventually { try house.place().contains(#""id":"a""#) })
    try house.home.edit("remove", "b", "e")
    let result = process.wait(timeout: 60)
    #expect(result.ending == .exited(3), "\(result.standardError)")
    let lines = try house.json(result)
    let played = lines.filter { $0[path: "error"] == nil }.compactMap { $0[path: "id"]?.description }
    #expect(["a", "c", "d"] == played.filter { $0 != "b" }, "\(result.standardOutput)")
    #expect(result.standardError.contains("e"), "\(result.standardError)")
  }

  @Test("repeat all with a seed plays two rounds in two orders", .requires(.mpv))
  func shuffle() throws {
    let house = try PlayHousehold([("a", 0.8), ("b", 0.8), ("c", 0.8)])
    try house.fetch()
    let process = try house.play("mix", "--shuffle", "--seed", "7", "--repeat", "all").start()
    #expect(try eventually(within: 30) { try house.place().contains(#""round":2"#) })
    process.signal(SIGTERM)
    let result = process.wait()
    #expect(result.ending == .exited(143))
    let titles = result.standardOutput.split(separator: "\n").compactMap { $0.split(separator: "\"").dropFirst().first }
    #expect(titles.count >= 6, "\(result.standardOutput)")
    #expect(Set(titles.prefix(3)).count == 3 && Set(titles.dropFirst(3).prefix(3)).count == 3)
    #expect(!zip(titles, titles.dropFirst()).contains { $0 == $1 }, "\(titles)")
    // The same seed is the same order.
    let again = try house.play("mix", "--shuffle", "--seed", "7").run(timeout: 60)
    let order = again.standardOutput.split(separator: "\n").compactMap { $0.split(separator: "\"").dropFirst().first }
    #expect(order == Array(titles.prefix(3)))
  }

  @Test(
    "sealed files are opened for the player, which begins in the middle, and no plain byte is on the disk",
    .requires(.mpv), .requires(.mpd), arguments: Player.allCases)
  func sealed(_ player: Player) throws {
    let house = try PlayHousehold([("long", 200)], "protect: { mode: encrypt, keys_file: ./keys }")
    #expect(try house.home.command(["key", "new", house.home.manifest]).run().ending == .exited(0))
    try house.fetch()
    let mpd = player == .mpd ? try TestMPD() : nil
    try FileBytes.write(
      #"{"id":"long","at":"2026-11-20T10:00:00Z","position":150,"duration":200}"# + "\n",
      to: house.home.folder.file("heard.jsonl"))
    _ = try house.home.command(
      ["import", "history", "-m", house.home.manifest, house.home.folder.file("heard.jsonl")]).run()
    let process = try house.play("long", "--json", variables: variables(player, mpd)).start()
    // A later record of the place has a later position, which only the player can tell.
    #expect(
      try eventually(within: 20) {
        let place = try house.place()
        return place.contains(#""position":15"#) && !place.contains(#""position":150,"#)
      })
    for path in try FileTree.files(house.home.folder.path, hidden: true) {
      let bytes = try FileBytes.read(house.home.folder.file(path))
      #expect(!Self.contains(bytes, Self.plain("long", 200)), "\(path)")
    }
    process.signal(SIGINT)
    let result = process.wait()
    #expect(result.ending == .exited(130), "\(result.standardError)")
    let duration = try #require(try house.json(result).first?[path: "duration"]?.description)
    #expect(try abs(#require(Double(duration)) - 200) < 0.1)
  }

  /// A part of an item's media.
  private static func plain(_ name: String, _ seconds: Double) -> [UInt8] {
    let seed = name.utf8.reduce(1) { $0 &* 31 &+ UInt64($1) }
    return Array(GeneratedAudio(title: name, seconds: seconds, seed: seed).bytes[5000..<5064])
  }

  private static func contains(_ bytes: [UInt8], _ part: [UInt8]) -> Bool {
    guard bytes.count >= part.count else { return false }
    return (0...bytes.count - part.count).contains {
      bytes[$0] == part[0] && bytes[$0..<$0 + part.count].elementsEqual(part)
    }
  }

  @Test("by TCP, MPD gets paths below its music directory, and says what to do about others", .requires(.mpd))
  func tcp() throws {
    let house = try PlayHousehold([("a", 2)])
    try house.fetch()
    let mpd = try TestMPD(music: house.home.library)
    let variables = ["MPD_HOST": "127.0.0.1", "MPD_PORT": String(mpd.port)]
    let refused = try house.play("mix", variables: variables).run(timeout: 30)
    #expect(refused.ending == .exited(3))
    #expect(refused.standardError.contains("player.music_directory"), "\(refused.standardError)")
    let more = "player: { program: mpd, music_directory: ./library }"
    try FileBytes.write(
      try FileBytes.text(house.home.manifest) + more + "\n", to: house.home.manifest)
    let result = try house.play("mix", "--json", variables: variables).run(timeout: 30)
    #expect(result.ending == .exited(0), "\(result.standardError)")
    #expect(try house.plays() == ["a": "1"])
  }

  @Test("without a player, the error names the packages")
  func nothing() throws {
    let house = try PlayHousehold([("a", 1)])
    try house.fetch()
    let empty = ["PATH": house.home.folder.path, "XDG_RUNTIME_DIR": house.home.folder.path, "MPD_PORT": "1"]
    let result = try house.play("mix", variables: empty).run()
    #expect(result.ending == .exited(1))
    #expect(result.standardError.contains("Install the package mpv, or mpd"), "\(result.standardError)")
    let named = try house.play("mix", variables: ["MPD_HOST": house.home.folder.file("none")]).run()
    #expect(named.ending == .exited(1))
    #expect(named.standardError.contains(house.home.folder.file("none")), "\(named.standardError)")
  }

  @Test("the list is added to, shown and emptied, also across commands", .requires(.mpv))
  func queue() throws {
    let house = try PlayHousehold([("a", 2), ("b", 1), ("c", 1)])
    try house.fetch()
    func say(_ words: String...) throws -> String {
      let result = try house.home.command(["play", "--manifest", house.home.manifest] + words).run()
      #expect(result.ending == .exited(0), "\(result.standardError)")
      return result.standardOutput
    }
    #expect(try say("--queue", "list") == "The list is empty.\n")
    #expect(try say("--queue", "add", "b") == "Added 1 item; the list has 1 item.\n")
    #expect(try say("--queue", "add", "a", "c") == "Added 2 items; the list has 3 items.\n")
    #expect(try say("--queue", "list") == "> Title b (b)\n  Title a (a)\n  Title c (c)\n")
    #expect(try say("--queue", "clear") == "Removed 3 items from the list.\n")
    #expect(try house.play().run().ending == .exited(64))
    #expect(try say("--queue", "add", "a") == "Added 1 item; the list has 1 item.\n")
    let process = try house.play().start()
    _ = process.firstLine(seconds: 20)
    _ = try say("--queue", "add", "c")
    let second = try house.play("mix").run()
    #expect(second.ending == .exited(11), "\(second.standardError)")
    let result = process.wait(timeout: 60)
    #expect(result.ending == .exited(0))
    #expect(result.standardOutput == "Playing \"Title a\" (1 of 1)\nPlaying \"Title c\" (2 of 2)\n")
  }
}
