// SPDX-License-Identifier: Apache-2.0

import Glibc
import SyncTestSupport
import Testing

@Suite("the memory is damaged or lost", .serialized)
struct RecoveryRunTests {
  /// A library of three files, and the server of its files.
  private struct House {
    let home: LibraryFixture
    let server: FaultServer
    var state: String { home.state }

    init(names: [String] = ["a", "b", "c"]) throws {
      home = try LibraryFixture()
      server = try FaultServer()
      for name in ["a", "b", "c", "d"] { server.serve("/\(name).mp3", Resource(bytes: Self.bytes(name))) }
      try declare(names)
    }

    static func bytes(_ name: String) -> [UInt8] {
      GeneratedAudio(title: name, seconds: 1, seed: name.utf8.reduce(7) { $0 * 31 + UInt64($1) }).bytes
    }

    /// Declares the items: `a` with its size, the others without.
    func declare(_ names: [String]) throws {
      let items = names.map { name in
        let size = name == "a" ? ", size: \(Self.bytes("a").count)" : ""
        return "      - { id: \(name), title: \(name), url: \"\(server.url("/\(name).mp3"))\"\(size) }"
      }
      try home.declare("playlists:\n  all:\n    items:\n\(items.joined(separator: "\n"))")
    }

    func fill() throws { #expect(try home.run().result.ending == .exited(0)) }

    /// Removes these files, and with them the newest state.
    func remove(_ names: String...) throws {
      let present = Set(try FileTree.files(state, hidden: true))
      for name in names where present.contains(name) { try FileTree.remove("\(state)/\(name)") }
    }

    func damage(_ name: String, _ bytes: [UInt8]) throws { try FileBytes.write(bytes, to: "\(state)/\(name)") }

    /// The state and path of every known item.
    func states() throws -> [String: String] {
      try home.list().mapValues { "\($0[path: "state"]?.description ?? "") \($0[path: "path"]?.description ?? "")" }
    }

    /// Kills a run while the last item is half received.
    func kill() throws {
      let gate = try Gate()
      server.script("/c.mp3", [.hold(after: 1000, gate)])
      let run = try home.command("run", "--quiet", "--concurrency", "1").start()
      #expect(gate.waitForArrival())
      #expect(try eventually { try self.home.list()["b"]?[path: "state"] == .string("completed") })
      run.signal(SIGKILL)
      #expect(run.wait().ending == .killed(signal: 9))
      gate.open()
      server.script("/c.mp3", [.honest])
    }
  }

  private static let all = [
    "download_queue.json", "download_queue.prev.json", "download_queue.prev.journal", "download_queue.journal",
  ]

  private func requests(_ house: House) throws -> [String] {
    #expect(try house.server.waitUntilIdle())
    return house.server.requests.map(\.path)
  }

  @Test("a queue file that is gone is made anew from the library; nothing is fetched or removed in that run")
  func gone() throws {
    let house = try House()
    try house.fill()
    for name in Self.all { try house.remove(name) }
    try house.declare(["a", "b", "c", "d"])
    try FileBytes.write(House.bytes("x"), to: "\(house.home.library)/all/Stranger.mp3")
    let before = try requests(house)
    for command in ["status", "list", "verify"] {
      let result = try house.home.command(command).run()
      #expect(result.ending == .exited(1), "\(command)")
      #expect(result.standardError.contains("is lost; let a run rebuild it first: syncjob run "), "\(command)")
    }
    let plan = try house.home.command("plan", "--json").run()
    #expect(try JSONValue(plan.stdout)[path: "totals.adopt"] == .number(3))
    let (result, report) = try house.home.run()
    #expect(result.ending == .exited(3), "\(result.standardError)")
    #expect(try requests(house) == before)
    #expect(report[path: "totals.adopted"] == .number(3))
    #expect(report[path: "totals.deferred"] == .number(1))
    #expect(
      report[path: "items[id=d].reason_text"]
        == .string("this run only rebuilds the state; the next one decides about it"))
    #expect(report[path: "items[id=a].reason_text"] == .string("a file of the declared size is in its place"))
    #expect(
      report[path: "recovery"]
        == .object([
          "restored_from": .string("library"), "queue_file": .string("missing"), "takes_stock": .bool(true),
          "adopted": .number(3), "lacking": .number(1), "unmatched": .array([.string("all/Stranger.mp3")]),
        ]))
    let (next, after) = try house.home.run()
    #expect(next.ending == .exited(0))
    #expect(after[path: "totals.downloaded"] == .number(1))
    #expect(after[path: "recovery"] == nil)
    #expect(try requests(house) == before + ["/d.mp3"])
    #expect(try FileBytes.read("\(house.home.library)/all/Stranger.mp3") == House.bytes("x"))
  }

  @Test("with nothing left to restore it from, an unreadable queue file is kept aside and the library serves")
  func nothingLeft() throws {
    let house = try House()
    try house.fill()
    for name in Self.all where name != "download_queue.journal" { try house.damage(name, Array("hello".utf8)) }
    let edit = try house.home.editing("pin", "a").run()
    #expect(edit.ending == .exited(1))
    #expect(edit.standardError.contains("there is no earlier copy to rebuild it from; restore it from a backup"))
    let before = try requests(house)
    let (result, report) = try house.home.run()
    #expect(result.ending == .exited(3), "\(result.standardError)")
    #expect(try requests(house) == before)
    #expect(report[path: "recovery.restored_from"] == .string("library"))
    #expect(report[path: "recovery.queue_file"] == .string("unreadable"))
    #expect(report[path: "recovery.problem"] == .string("line 1, column 1: unexpected 'h'"))
    #expect(report[path: "recovery.adopted"] == .number(3))
    guard case .array(let aside)? = report[path: "recovery.kept_aside"] else {
      Issue.record("nothing was kept")
      return
    }
    for name in aside { #expect(try FileBytes.read("\(house.state)/\(name)") == Array("hello".utf8)) }
    #expect(aside.count >= 2)
    #expect(try house.home.run().result.ending == .exited(0))
    #expect(try requests(house) == before)
    #expect(try house.home.strays().isEmpty)
  }

  @Test("with no media either, the run stops and touches nothing")
  func nothingAtAll() throws {
    let house = try House(names: [])
    try house.fill()
    try house.remove("download_queue.prev.json", "download_queue.prev.journal")
    try house.damage("download_queue.json", [0, 0, 0])
    let result = try house.home.command("run").run()
    #expect(result.ending == .exited(1))
    #expect(
      result.standardError
        == "syncjob: error: cannot read \"\(house.state)/download_queue.json\": it is empty, or holds only zeros, and "
        + "there is no earlier copy to rebuild it from; restore it from a backup, or move it away to begin anew (a run "
        + "takes over media that is in the library)\n")
    #expect(try FileBytes.read("\(house.state)/download_queue.json") == [0, 0, 0])
  }

  @Test("a first run's journal that is nothing but zeros costs no file")
  func zeros() throws {
    let house = try House()
    try house.fill()
    // As it was while the first run was in progress.
    let first = try FileBytes.read("\(house.state)/download_queue.prev.json")
    try house.remove("download_queue.prev.json", "download_queue.prev.journal")
    try house.damage("download_queue.json", first)
    try house.damage("download_queue.journal", [UInt8](repeating: 0, count: 4096))
    let pin = try house.home.editing("pin", "a").run()
    #expect(pin.ending == .exited(1))
    #expect(
      pin.standardError
        == "syncjob: error: the state of the library in \"\(house.home.library)\" is lost; let a run rebuild it "
        + "first: syncjob run \(house.home.manifest)\n")
    let before = try requests(house)
    let (result, report) = try house.home.run()
    #expect(result.ending == .exited(3), "\(result.standardError)")
    #expect(report[path: "recovery.journal_unreadable"] == .bool(true))
    #expect(report[path: "recovery.adopted"] == .number(3))
    #expect(try house.home.run().result.ending == .exited(0))
    #expect(try requests(house) == before)
    #expect(try house.home.strays().isEmpty)
  }

  @Test("a queue file that is lost with the journal of its run is made whole by the library")
  func forgottenRun() throws {
    let house = try House(names: ["a"])
    try house.fill()
    try house.declare(["a", "b", "c"])
    try house.fill()
    try house.remove("download_queue.json", "download_queue.prev.journal")
    let before = try requests(house)
    let (result, report) = try house.home.run()
    #expect(result.ending == .exited(3), "\(result.standardError)")
    #expect(report[path: "recovery.last_run_lost"] == .bool(true))
    #expect(report[path: "recovery.restored_from"] == .string("previous"))
    #expect(report[path: "recovery.adopted"] == .number(2))
    #expect(try house.home.run().result.ending == .exited(0))
    #expect(try requests(house) == before)
  }

  @Test(
    "a queue file that is empty, zeroed or cut is restored from the one before, with what failed",
    arguments: ["empty", "zeroed", "half"])
  func damaged(_ damage: String) throws {
    let house = try House(names: ["a", "b"])
    try house.fill()
    house.server.script("/c.mp3", [.status(404)])
    try house.declare(["a", "b", "c"])
    #expect(try house.home.run().result.ending == .exited(3))
    let good = try house.home.queueFile()
    let bad: [UInt8] =
      damage == "empty" ? [] : damage == "zeroed" ? [UInt8](repeating: 0, count: good.count) : Array(good.prefix(200))
    try house.damage("download_queue.json", bad)
    let before = try requests(house)
    let (result, report) = try house.home.run()
    #expect(result.ending == .exited(3))
    #expect(report[path: "recovery.restored_from"] == .string("previous"))
    #expect(report[path: "totals.unchanged"] == .number(2))
    #expect(try house.home.list()["c"]?[path: "state"] == .string("failed"))
    #expect(try requests(house) == before)
    guard case .array(let aside)? = report[path: "recovery.kept_aside"] else {
      Issue.record("nothing was kept")
      return
    }
    #expect(try aside.map { try FileBytes.read("\(house.state)/\($0)") } == [bad])
  }

  @Test("a journal that is cut anywhere in its last records keeps the earlier ones")
  func cutJournal() throws {
    let house = try House()
    try house.kill()
    let journal = try FileBytes.read("\(house.state)/download_queue.journal")
    let ends = journal.indices.filter { journal[$0] == UInt8(ascii: "\n") }
    for (end, next) in zip(ends, ends.dropFirst()).suffix(3) {
      try house.damage("download_queue.journal", Array(journal[...end]))
      let known = try house.states()
      for length in stride(from: end + 2, through: next, by: 9) {
        try house.damage("download_queue.journal", Array(journal[..<length]))
        #expect(try house.states() == known, "cut at \(length)")
      }
    }
    let (result, report) = try house.home.run()
    #expect(result.ending == .exited(0), "\(result.standardError)")
    #expect(report[path: "recovery.journal_torn"] == .bool(true))
    #expect(try house.home.ownedPaths().count == 3)
    #expect(try house.home.strays().isEmpty)
  }

  @Test(
    "a command between a kill and the next run costs nothing of what had come",
    arguments: [
      ["pin", "a"], ["clean"], ["played", "a"], ["undo"], ["retry", "--all"], ["verify", "--repair"], ["init"],
    ])
  func commandAfterKill(_ words: [String]) throws {
    let house = try House(names: ["a"])
    let body = GeneratedAudio(title: "d", seconds: 1, seed: 9).body(count: 400_000)
    house.server.serve("/d.mp3", Resource(body: body, etag: "\"d\""))
    let gate = try Gate()
    house.server.script("/d.mp3", [.hold(after: 300_000, gate)])
    try house.fill()
    try house.declare(["a", "d"])
    let run = try house.home.command("run", "--quiet").start()
    #expect(gate.waitForArrival())
    let folder = "\(house.state)/partial"
    #expect(try eventually { try FileTree.list(folder).contains { $0.size > 250_000 } })
    run.signal(SIGKILL)
    #expect(run.wait().ending == .killed(signal: 9))
    gate.open()
    house.server.script("/d.mp3", [.honest])
    let size = try #require(try FileTree.list(folder).first?.size)
    let takesItems = ["pin", "played", "retry"].contains(words[0])
    let command =
      takesItems
      ? Command(
        house.home.command("run").executable, [words[0], "--manifest", house.home.manifest] + words.dropFirst())
      : house.home.command(words[0], options: Array(words.dropFirst()))
    let result = try command.run()
    #expect(result.ending == .exited(0), "\(words): \(result.standardError)")
    #expect(try house.home.list()["d"]?[path: "bytes_received"] == .number(Double(size)))
    let (next, report) = try house.home.run()
    #expect(next.ending == .exited(0))
    #expect(report[path: "totals.resumed"] == .number(1))
    #expect(report[path: "totals.bytes_downloaded"] == .number(Double(400_000 - size)))
  }

  @Test("a library that lost its hidden folder is known by its playlist files, and what is in it is taken over")
  func hiddenFolderGone() throws {
    let house = try House()
    try house.fill()
    let before = try requests(house)
    try FileTree.remove(house.state)
    let pin = try house.home.editing("pin", "a").run()
    #expect(pin.ending == .exited(1) && pin.standardError.contains("let a run rebuild it first"))
    #expect(try FileTree.files(house.home.library, hidden: true).contains { $0.hasSuffix("library.json") } == false)
    #expect(try JSONValue(house.home.command("plan", "--json").run().stdout)[path: "totals.adopt"] == .number(3))
    let (result, report) = try house.home.run()
    #expect(result.ending == .exited(3), "\(result.standardError)")
    #expect(report[path: "totals.adopted"] == .number(3) && report[path: "recovery.takes_stock"] == .bool(true))
    #expect(report[path: "recovery.queue_file"] == .string("missing"))
    #expect(try house.home.run().result.ending == .exited(0))
    // A new marker made by a person loses nothing either.
    try FileTree.remove(house.state)
    #expect(try house.home.command("init").run().ending == .exited(0))
    #expect(try house.home.run().report[path: "totals.adopted"] == .number(3))
    #expect(try requests(house) == before)
    #expect(try house.home.strays().isEmpty)
  }

  @Test("a flipped byte in the journal costs one record; a copy is kept")
  func flippedByte() throws {
    let house = try House()
    try house.kill()
    var journal = try FileBytes.read("\(house.state)/download_queue.journal")
    let ends = journal.indices.filter { journal[$0] == UInt8(ascii: "\n") }
    journal[ends[1] + 40] ^= 1
    try house.damage("download_queue.journal", journal)
    let (result, report) = try house.home.run()
    #expect(result.ending == .exited(3), "\(result.standardError)")
    #expect(report[path: "recovery.journal_lines_damaged"] == .number(1))
    guard case .string(let name)? = report[path: "recovery.kept_aside.0"] else {
      Issue.record("nothing was kept")
      return
    }
    #expect(try FileBytes.read("\(house.state)/\(name)") == journal)
    #expect(try house.home.ownedPaths().count == 3)
    #expect(try house.home.run().result.ending == .exited(0))
  }

  @Test("a run that is killed while it takes stock leaves the rest to the next one", .requires(.strace))
  func killedWhileTakingStock() throws {
    let house = try House()
    try house.fill()
    let before = try requests(house)
    for call in ["renameat", "fsync", "unlinkat"] {
      var point = 0
      var isKilled = true
      while isKilled {
        point += 1
        for name in Self.all { try house.remove(name) }
        let run = house.home.command("run")
        let strace = try #require(
          Tool.strace.command(
            ["-qq", "-f", "-o", house.home.folder.file("trace"), "-e", "trace=\(call)"]
              + ["-e", "inject=\(call):signal=KILL:when=\(point)", run.executable] + run.arguments))
        isKilled = try strace.run().ending == .killed(signal: 9)
        // The killed run may or may not have reported the loss.
        let next = try house.home.command("run").run()
        #expect([.exited(0), .exited(3)].contains(next.ending), "\(call) \(point): \(next.standardError)")
        #expect(try house.home.command("run").run().ending == .exited(0), "\(call) \(point)")
        #expect(try house.home.ownedPaths() == ["all/a.mp3", "all/b.mp3", "all/c.mp3"], "\(call) \(point)")
        #expect(try !FileTree.files(house.state, hidden: true).contains { $0.contains("rebuilding") })
      }
      #expect(point > 1, "no run was killed at \(call)")
    }
    #expect(try requests(house) == before)
  }
}
