// SPDX-License-Identifier: Apache-2.0

import SyncTestSupport
import Testing

@Suite("playlists both ways, and kills", .requires(.strace), .timeLimit(.minutes(20)))
struct PlaylistKillTests {
  @Test("a sync that is killed between any two steps", arguments: ["renameat", "fsync", "sendto", "recvfrom"])
  func syncs(call: String) throws {
    let house = try PlaylistHousehold()
    try house.run()
    _ = try house.edit("add", "gym", "d", "d")
    _ = try house.edit("remove", "gym", "b")
    try house.write { lines in lines.removeAll { $0.hasSuffix("a.mp3") } }
    var sweep = KillSweep(home: house.home, call: call)
    sweep.command = house.home.command("sync")
    sweep.reset = { house.server.set("Gym", ["a", "b", "c", "e"]) }
    house.server.set("Gym", ["a", "b", "c", "e"])
    try sweep.run { (moment: String) throws in
      #expect(house.songs == ["c", "d", "d", "e"], "\(moment)")
      #expect(try house.listed() == ["c", "d", "d", "e"], "\(moment)")
      let requests = house.server.changes
      #expect(try house.home.command("sync").run().ending == .exited(0), "\(moment)")
      #expect(house.server.changes == requests, "\(moment)")
    }
  }

  @Test("a run that is killed between any two steps", arguments: ["renameat", "fsync"])
  func runs(call: String) throws {
    let house = try PlaylistHousehold(["a", "b"])
    try house.run()
    _ = try house.edit("move", "gym", "b", "--to", "1")
    _ = try house.edit("add", "gym", "f")
    var sweep = KillSweep(home: house.home, call: call)
    sweep.reset = { house.server.set("Gym", ["a", "b", "c"]) }
    try sweep.run { (moment: String) throws in
      #expect(
        house.songs == ["b", "a", "c", "f"] || house.songs == ["b", "a", "f", "c"], "\(moment): \(house.songs ?? [])")
      #expect(try house.listed() == house.songs, "\(moment)")
    }
  }

  @Test("an edit that is killed is there or not", arguments: ["renameat", "fsync"])
  func edits(call: String) throws {
    let house = try PlaylistHousehold()
    try house.run()
    var sweep = KillSweep(home: house.home, call: call)
    sweep.command = house.home.command(["playlist", "move", "-m", house.home.manifest, "gym", "c", "--to", "1"])
    sweep.reset = { house.server.set("Gym", ["a", "b", "c"]) }
    try sweep.run { (moment: String) throws in
      #expect(try house.home.command("sync").run().ending == .exited(0))
      #expect(house.songs == ["c", "a", "b"], "\(moment)")
    }
  }
}
