// SPDX-License-Identifier: Apache-2.0

import SyncTestSupport
import Testing

@Suite("playlists both ways", .timeLimit(.minutes(5)))
struct PlaylistSyncTests {
  @Test("changes of both sides are merged, the server gets them once, and a second sync changes nothing")
  func merges() throws {
    let house = try PlaylistHousehold()
    try house.run()
    _ = try house.edit("add", "gym", "d", "--at", "1")
    _ = try house.edit("remove", "gym", "b")
    house.server.set("Gym", ["a", "b", "c", "e"])
    let report = try house.run()
    #expect(house.songs == ["d", "a", "c", "e"])
    #expect(try house.listed() == ["d", "a", "c", "e"])
    #expect(report[path: "totals.pushed"] == .number(2), "\(report)")
    #expect(report.texts("playlists.0.pulled", "song") == ["e"])
    #expect(report.texts("playlists.0.pulled", "reason") == ["added_there"])
    #expect(report.texts("playlists.0.pushed", "reason") == ["removed_here", "added_here"])
    #expect(report[path: "playlists.0.status"] == .string("done"))
    let requests = house.server.changes
    #expect(try house.run()[path: "playlists"] == nil && house.server.changes == requests)
    #expect(requests == 1)
  }

  @Test("a preview shows each push with its reason, and sends nothing")
  func preview() throws {
    let house = try PlaylistHousehold()
    try house.run()
    _ = try house.edit("move", "gym", "c", "--to", "1")
    for arguments in [["plan"], ["run", "-n"]] {
      let result = try house.home.command(arguments + [house.home.manifest, "--json"]).run()
      let plan = try JSONValue(result.stdout)
      #expect(plan[path: "totals.push"] == .number(1), "\(plan)")
      #expect(plan[path: "changes[action=push].reason"] == .string("moved_here"))
      #expect(plan[path: "changes[action=push].playlist"] == .string("gym"))
    }
    let text = try house.home.command("plan").run()
    #expect(text.standardOutput.contains("Pushing: 1 change"), "\(text.standardOutput)")
    let dry = try JSONValue(house.home.command("sync", "-n", "--json").run().stdout)
    #expect(dry[path: "playlists.0.status"] == .string("planned") && dry[path: "totals.pushed"] == .number(0))
    #expect(house.server.changes == 0 && house.songs == ["a", "b", "c"])
    #expect(try house.home.command("plan", "--detailed-exitcode").run().ending == .exited(2))
  }

  @Test("a rehearsed edit changes nothing, and a wrong one is refused with its reason")
  func edits() throws {
    let house = try PlaylistHousehold(["a", "b", "a"])
    for arguments in [["add", "gym", "a"], ["delete", "gym", "--yes"]] {
      let early = try house.home.command(["playlist"] + [arguments[0], "-m", house.home.manifest] + arguments[1...])
        .run()
      #expect(early.ending == .exited(64), "\(early.standardError)")
    }
    try house.run()
    #expect(try house.listed() == ["a", "b", "a"])
    #expect(try house.edit("add", "gym", "c", "-n").standardOutput.contains("1 change would wait"))
    for (arguments, words) in [
      (["move", "gym", "a", "--to", "1"], "at places 1, 3"), (["remove", "gym", "d"], "does not have"),
      (["add", "gym", "d", "--at", "9"], "there is no place 9"), (["add", "rest", "d"], "not kept in step"),
      (["add", "gim", "d"], "there is no playlist"), (["create", "gym"], "is there already"),
      (["delete", "gym"], "say --yes"), (["remove", "gym", "b", "--at", "1"], "is not at place 1"),
    ] {
      let result = try house.home.command(["playlist", arguments[0], "-m", house.home.manifest] + arguments[1...]).run()
      #expect(result.ending == .exited(64) && result.standardError.contains(words), "\(result.standardError)")
    }
    #expect(try house.sync()[path: "playlists.count"] == .number(0))
    _ = try house.edit("move", "gym", "a", "--from", "3", "--to", "1")
    _ = try house.edit("remove", "gym", "a", "--at", "2")
    try house.sync()
    #expect(house.songs == ["a", "b"])
  }

  @Test("an edited playlist file is taken over, and other entries stay in it")
  func file() throws {
    let house = try PlaylistHousehold(["a", "b", "c", "d"])
    try house.run()
    try house.write { lines in
      lines.removeAll { $0.hasSuffix("b.mp3") }
      lines.insert("/music/own.mp3", at: 4)
      lines.insert("All/e.mp3", at: 3)
    }
    house.server.set("Gym", ["d", "a", "b", "c"])
    let result = try house.home.command("run").run()
    #expect(result.standardOutput.contains("1 entry that is not a song of the server"), "\(result.standardOutput)")
    #expect(house.songs == ["e", "d", "a", "c"] || house.songs == ["d", "e", "a", "c"], "\(house.songs ?? [])")
    #expect(try house.listed().contains("own"))
    let (requests, text) = (house.server.changes, try house.text())
    try house.run()
    #expect(try house.server.changes == requests && house.text() == text)
  }

  @Test(
    "a file that was cut, emptied or filled with zeros removes nothing, and is not overwritten",
    arguments: [0, 1, 40, 90, 130, 160, 200])
  func damaged(_ length: Int) throws {
    let house = try PlaylistHousehold(["a", "b", "c", "d", "e"])
    try house.run()
    let whole = try FileBytes.read(house.file)
    for bytes in [Array(whole.prefix(length)), Array(whole.prefix(length)) + Array(repeating: 0, count: 50)] {
      try FileBytes.write(bytes, to: house.file)
      _ = try house.home.command("run").run()
      #expect(house.songs == ["a", "b", "c", "d", "e"], "\(length)")
    }
    #expect(try FileBytes.read(house.file).last == 0)
    try FileTree.remove(house.file)
    try house.run()
    #expect(try FileBytes.read(house.file) == whole && house.server.changes == 0)
  }

  @Test(
    "the paths in an edited file may be spelled as other programs spell them",
    arguments: ["ROOT/", "file://ROOT/", "./x/..//", "../library/", "\\", "%41ll"])
  func spellings(_ spelling: String) throws {
    let house = try PlaylistHousehold(["a", "b", "c", "d"])
    try house.run()
    try house.write { lines in
      lines = lines.map { line in
        guard line.hasSuffix(".mp3") else { return line }
        switch spelling {
        case "\\": return line.replacing("/", with: "\\")
        case "%41ll": return line.replacing("All", with: spelling)
        default: return spelling.replacing("ROOT", with: house.home.library) + line
        }
      }
      lines.removeAll { $0.hasSuffix("b.mp3") }
    }
    try house.run()
    let text = try house.text()
    #expect(house.songs == ["a", "c", "d"], "\(text)")
  }

  @Test("a file that names only what the server does not have removes nothing")
  func foreign() throws {
    let house = try PlaylistHousehold(["a", "b", "c"])
    try house.run()
    try house.write { lines in
      lines = lines.map { $0.hasSuffix(".mp3") ? "/mnt/other/\($0)" : $0 }
    }
    let result = try house.home.command("run").run()
    #expect(result.standardOutput.contains("no song of the playlist any more"), "\(result.standardOutput)")
    #expect(house.songs == ["a", "b", "c"] && house.server.changes == 0)
  }

  @Test("a server that knows no playlists for a moment, or not the one that it lists, gets no second one")
  func forgetful() throws {
    let house = try PlaylistHousehold()
    try house.run()
    _ = try house.edit("add", "gym", "d")
    let none = #"{"subsonic-response":{"status":"ok","version":"1.16.1","playlists":{}}}"#
    let gone = #"{"subsonic-response":{"status":"failed","version":"1.16.1","error":{"code":70,"message":"gone"}}}"#
    for (path, body) in [("getPlaylists", none), ("getPlaylist", gone)] {
      house.server.server.script(
        "/rest/\(path).view", [.status(200, ["Content-Type": "application/json"], body: body), .honest])
      _ = try house.sync(5)
      #expect(house.songs == ["a", "b", "c"] && house.server.changes == 0, "\(path)")
    }
    try house.sync()
    #expect(house.songs == ["a", "b", "c", "d"])
  }

  @Test("a deleted song leaves by the rules for orphans, and does not come back")
  func orphans() throws {
    let house = try PlaylistHousehold(["a", "b"], settings: ", mirror: true")
    house.server.set("All", ["c"])
    try house.run()
    _ = try house.edit("remove", "gym", "b")
    try house.run()
    // The other side moved it.
    #expect(house.songs == ["a"])
    for _ in 0..<2 { try house.run() }
    #expect(try house.listed() == ["a"] && house.songs == ["a"])
    // Orphans go first when room is needed: by default they stay until then.
    #expect(try house.home.list().values.contains { $0[path: "title"] == .string("b") })
  }

  @Test("a server that is down, lies or forgets causes no removal, and the changes wait")
  func failures() throws {
    let house = try PlaylistHousehold(settings: ", mirror: true")
    try house.run()
    _ = try house.edit("remove", "gym", "a")
    house.server.server.script("/rest/getPlaylist.view", [.status(500), .status(500), .honest])
    let down = try house.run(5)
    #expect(down[path: "playlists[playlist=gym].status"] == .string("waiting"), "\(down)")
    house.server.change { $0.missingEntries = 5 }
    _ = try house.run(5)
    house.server.change { $0.missingEntries = 0 }
    house.server.set("Gym", [])
    _ = try house.run(5)
    #expect(house.server.changes == 0)
    #expect(try house.home.list().values.filter { $0[path: "state"] == .string("completed") }.count == 6)
    house.server.set("Gym", ["a", "b", "c"])
    try house.run()
    #expect(house.songs == ["b", "c"])
  }

  @Test("a server that refuses is a failure of the playlist alone", arguments: [50, 0])
  func refusals(_ code: Int) throws {
    let house = try PlaylistHousehold()
    try house.run()
    _ = try house.edit("add", "gym", "d")
    house.server.change { $0.refusal = code }
    house.server.set("All", ["a", "b", "c", "d", "e"])
    let report = try house.run(code == 0 ? 5 : 3)
    #expect(report[path: "playlists[playlist=gym].status"] == .string("waiting"), "\(report)")
    #expect(report[path: "totals.pushed"] == .number(0))
    #expect(try house.listed() == ["a", "b", "c", "d"])
    house.server.change {
      $0.refusal = nil
      $0.isReadOnly = true
    }
    let requests = house.server.changes
    _ = try house.sync(3)
    #expect(house.server.changes == requests)
    house.server.change {
      $0.isReadOnly = false
      $0.ignoresChanges = true
    }
    _ = try house.sync(5)
    house.server.change { $0.ignoresChanges = false }
    try house.sync()
    #expect(house.songs == ["a", "b", "c", "d"])
  }

  @Test(
    "after a lost answer the next sync finds the change, or sends it again",
    arguments: [
      Behaviour.breakOff(after: 0), .breakOff(after: 0, .reset), .contentLength("1000"), .resetAtOnce, .status(502),
    ])
  func lostAnswer(_ behaviour: Behaviour) throws {
    let house = try PlaylistHousehold()
    try house.run()
    _ = try house.edit("add", "gym", "d", "d")
    _ = try house.edit("remove", "gym", "a")
    house.server.server.script("/rest/createPlaylist.view", [behaviour, .honest])
    _ = try house.home.command("sync").run()
    house.server.set("Gym", (house.songs ?? []) + ["f"])
    try house.sync()
    #expect(
      house.songs == ["b", "c", "d", "d", "f"] || house.songs == ["b", "c", "f", "d", "d"], "\(house.songs ?? [])")
    let requests = house.server.changes
    try house.sync()
    #expect(house.server.changes == requests)
  }

  @Test(
    "a server that adds songs instead of replacing them, or cannot replace them, has the list",
    arguments: [true, false])
  func otherServers(_ appends: Bool) throws {
    let house = try PlaylistHousehold()
    try house.run()
    house.server.change { ($0.appends, $0.onlyMakes) = (appends, !appends) }
    _ = try house.edit("move", "gym", "c", "--to", "1")
    _ = try house.edit("add", "gym", "d")
    try house.sync()
    #expect(house.songs == ["c", "a", "b", "d"] && house.server.names.count == 2)
    let requests = house.server.changes
    try house.sync()
    #expect(house.server.changes == requests)
    _ = try house.edit("remove", "gym", "a", "b", "c", "d")
    try house.sync()
    #expect(house.songs == [])
  }

  @Test("playlists are made and deleted, and each conflict is decided and told")
  func fates() throws {
    let house = try PlaylistHousehold()
    try house.run()
    _ = try house.edit("delete", "gym", "--yes")
    try house.sync()
    #expect(house.songs == nil)
    try house.run()
    _ = try house.edit("create", "gym", "b", "a")
    #expect(try house.run()[path: "totals.pushed"] == .number(3))
    #expect(house.songs == ["b", "a"])
    try house.run()
    #expect(try house.listed() == ["b", "a"])
    // Deleted here, edited there.
    _ = try house.edit("delete", "gym", "--yes")
    house.server.set("Gym", ["b", "a", "c"])
    let kept = try house.sync()
    #expect(kept.texts("playlists.0.conflicts", "reason") == ["deleted_here_edited_there"], "\(kept)")
    #expect(house.songs == ["b", "a", "c"])
    // Edited here, deleted there.
    _ = try house.edit("add", "gym", "d")
    house.server.delete("Gym")
    let made = try house.sync()
    #expect(made.texts("playlists.0.conflicts", "reason") == ["edited_here_deleted_there"], "\(made)")
    #expect(house.songs == ["b", "a", "c", "d"])
    // Deleted there, and not edited here: nothing leaves.
    try house.sync()
    house.server.delete("Gym")
    _ = try house.sync(3)
    #expect(try house.listed() == ["b", "a", "c", "d"] && house.songs == nil)
  }

  @Test("a pattern gets a new playlist of the server")
  func pattern() throws {
    let house = try PlaylistHousehold()
    try house.declare(playlists: "  trips: { sync: both, subsonic: { server: home, playlist: \"Trip*\" } }")
    try house.run()
    #expect(try house.edit("create", "trips", "a", status: 64).standardError.contains("--title"))
    #expect(
      try house.edit("create", "trips", "a", "--title", "Work", status: 64).standardError.contains("would not be one"))
    _ = try house.edit("create", "trips", "a", "c", "--title", "Trip north")
    let plan = try JSONValue(house.home.command("plan", "--json").run().stdout)
    #expect(plan[path: "totals.push"] == .number(3), "\(plan)")
    try house.run()
    #expect(house.server.songs(of: "Trip north") == ["a", "c"])
    try house.run()
    _ = try house.edit("remove", "trips/trip-north", "a")
    try house.run()
    #expect(house.server.songs(of: "Trip north") == ["c"] && house.server.names.count == 3)
  }

  @Test(
    "on_conflict names the side whose change counts",
    arguments: [
      ("merge", nil, ["b", "a", "c", "d"]), ("server", nil, ["b", "a", "c", "d"]),
      ("local", nil, ["b", "c", "d", "a"]),
      ("newest", nil, ["b", "a", "c", "d"]), ("newest", "2020-01-01T00:00:00Z", ["b", "c", "d", "a"]),
    ] as [(String, String?, [String])])
  func policies(_ rule: String, _ changed: String?, _ result: [String]) throws {
    let house = try PlaylistHousehold(["a", "b", "c", "d"], settings: ", on_conflict: \(rule)")
    try house.run()
    _ = try house.edit("move", "gym", "a", "--to", "4")
    house.server.change { $0.changed = changed }
    house.server.set("Gym", ["b", "a", "c", "d"])
    let report = try house.sync()
    #expect(report.texts("playlists.0.conflicts", "reason") == ["moved_twice"], "\(report)")
    #expect(house.songs == result)
  }

  @Test("the classic merge keeps the server's order and deletes nothing")
  func classic() throws {
    let house = try PlaylistHousehold(settings: ", merge: classic")
    try house.run()
    _ = try house.edit("remove", "gym", "a")
    _ = try house.edit("add", "gym", "d", "--at", "1")
    house.server.set("Gym", ["c", "b", "a"])
    try house.sync()
    #expect(house.songs == ["c", "b", "a", "d"])
    try house.sync()
    #expect(house.server.changes == 1)
  }

  @Test("a damaged state loses the edits that waited, and nothing else")
  func damagedState() throws {
    let house = try PlaylistHousehold()
    try house.run()
    _ = try house.edit("remove", "gym", "a")
    let state = "\(house.home.library)/.syncjob/playlists/gym.json"
    try FileBytes.write(Array(try FileBytes.read(state).prefix(60)), to: state)
    #expect(try house.run(3)[path: "warnings"]?.description.contains("was damaged") == true)
    #expect(house.songs == ["a", "b", "c"])
    try house.run()
  }
}
