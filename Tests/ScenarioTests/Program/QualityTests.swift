// SPDX-License-Identifier: Apache-2.0
import Glibc
import SyncTestSupport
import Testing

@Suite("a changed quality")
struct QualityTests {
  private let music: QualityHousehold
  private var home: LibraryFixture { music.home }

  init() throws {
    music = try QualityHousehold(LibraryFixture())
    for (quality, size) in [("low", 30_000), ("normal", 50_000), ("high", 90_000)] { music.serve("a", quality, size) }
  }

  private let all = ["low", "normal", "high"]

  private func begin(_ quality: String, _ qualities: [String]? = nil) throws {
    try music.declare(quality, [music.item("a", qualities ?? all)])
    #expect(try home.run().result.ending == .exited(0))
  }

  @Test(
    "replaces the file by one of the wanted quality, once",
    arguments: [("normal", "high"), ("high", "low"), ("low", "source")])
  func replaces(before: String, after: String) throws {
    try begin(before)
    try home.edit("pin", "a")
    try home.edit("played", "a")
    try music.declare(after, [music.item("a", all)])
    let wanted = after == "source" ? "high" : after

    let plan = try JSONValue(home.command("plan", "--json").run().stdout)
    #expect(plan[path: "changes.0.action"] == .string("upgrade"))
    #expect(plan[path: "changes.0.reason"] == .string("other_quality"))
    #expect(plan[path: "changes.0.url"] == .string(music.server.url(music.path("a", wanted))))
    #expect(plan[path: "totals.upgrade"] == .number(1))
    #expect(try music.explain("a")[path: "action"] == .string("upgrade"))

    let (result, report) = try home.run()
    #expect(result.ending == .exited(0), "\(result.standardError)")
    #expect(report[path: "totals.upgraded"] == .number(1))
    #expect(report[path: "totals.downloaded"] == .number(0))
    #expect(report[path: "items.0.action"] == .string("upgrade"))
    #expect(report[path: "items.0.outcome"] == .string("completed"))
    let size = ["low": 30_000, "normal": 50_000, "high": 90_000][wanted, default: 0]
    #expect(try music.file("a") == QualityHousehold.bytes("a", wanted, size))
    #expect(try music.files() == ["all/a.mp3"])
    #expect(try home.strays().isEmpty)
    let item = try home.list()["a"]
    #expect(item?[path: "state"] == .string("completed"))
    #expect(item?[path: "quality"] == .string(wanted))
    #expect(item?[path: "pinned"] == .bool(true) && item?[path: "play_count"] == .number(1))
    #expect(try home.command("verify", "--deep").run().ending == .exited(0))

    let queue = try home.queueFile()
    #expect(try home.run().report[path: "totals.unchanged"] == .number(1))
    #expect(try home.queueFile() == queue)
    #expect(music.requests("a", wanted) == 1)
  }

  @Test("leaves the item its age, which retention and scores count from")
  func age() throws {
    try begin("normal")
    let before = try completedAt()
    try music.declare("high", [music.item("a", all)])
    let result = try home.command("run", "--now", "2031-01-10T06:00:00Z").run()
    #expect(result.ending == .exited(0), "\(result.standardError)")
    #expect(try music.file("a").count == 90_000)
    #expect(try completedAt() == before)
  }

  private func completedAt() throws -> JSONValue {
    try #require(try JSONValue(home.queueFile())[path: "items.0.completed_at"])
  }

  @Test("replaces a file that has to move in the same run", arguments: ["by hand", "by the layout"])
  func misplaced(how: String) throws {
    try begin("normal")
    let place: String
    if how == "by hand" {
      place = "all/a.mp3"
      #expect(mkdir("\(home.library)/other", 0o755) == 0)
      #expect(rename("\(home.library)/all/a.mp3", "\(home.library)/other/z.mp3") == 0)
      try music.declare("high", [music.item("a", all)])
    } else {
      place = "other/a.mp3"
      try music.declare(
        "high", [music.item("a", all)], storage: "{ min_free: 0 }\ndefaults: { layout: \"other/{title}.{ext}\" }")
    }
    let plan = try JSONValue(home.command("plan", "--json").run().stdout)
    #expect(plan[path: "changes[id=a].action"] == .string("upgrade"), "\(plan)")
    #expect(plan[path: "changes[id=a].path"] == .string(place), "\(plan)")
    let (result, report) = try home.run()
    #expect(result.ending == .exited(0), "\(report)")
    #expect(report[path: "totals.upgraded"] == .number(1), "\(report)")
    #expect(try music.files() == [place])
    #expect(try FileBytes.read("\(home.library)/\(place)").count == 90_000)
    #expect(try home.run().report[path: "totals.unchanged"] == .number(1))
    #expect(music.requests("a", "normal") == 1 && music.requests("a", "high") == 1)
  }

  @Test("tries no alternatives, and explain says so")
  func alternatives() throws {
    let more = ", duration: 0:10, alternatives: [{ url: \"\(music.server.url("/b.mp3"))\", duration: 0:10 }]"
    try music.declare("normal", [music.item("a", all, more)])
    #expect(try home.run().result.ending == .exited(0))
    try music.declare("high", [music.item("a", all, more)])
    let text = try home.editing("explain", "a").run().standardOutput
    #expect(
      text.contains("/b.mp3: not tried for another quality: nobody says which quality it has"), "\(text)")
    music.server.serve(music.path("a", "high"), nil)
    #expect(try home.run().result.ending == .exited(3))
    #expect(music.server.requests(to: "/b.mp3").isEmpty)
  }

  @Test("gives the file the ending of its new format, and the playlist names it")
  func otherFormat() throws {
    music.serve("a", "high", 90_000, .m4a)
    try begin("normal")
    try music.declare("high", [music.item("a", all)])
    #expect(try home.run().report[path: "totals.upgraded"] == .number(1))
    #expect(try music.files() == ["all/a.m4a"])
    #expect(try music.file("a", .m4a) == QualityHousehold.bytes("a", "high", 90_000, .m4a))
    #expect(try FileBytes.text("\(home.library)/all.m3u8").contains("all/a.m4a"))
    #expect(try home.run().report[path: "totals.unchanged"] == .number(1))
  }

  @Test("does nothing where no URL of the wanted quality is declared, and explain says so")
  func unavailable() throws {
    try begin("normal", ["low", "normal"])
    try music.declare("high", [music.item("a", ["low", "normal"])])
    let plan = try JSONValue(home.command("plan", "--json").run().stdout)
    #expect(plan[path: "changes.0.action"] == .string("keep"))
    #expect(try home.run().report[path: "totals.unchanged"] == .number(1))
    #expect(music.requests("a", "low") == 0)
    let text = try home.editing("explain", "a").run().standardOutput
    #expect(text.contains("here in normal quality; wanted in high quality, in which no URL of it is declared"))
    #expect(try music.explain("a")[path: "quality.wanted"] == .string("high"))
  }

  @Test("that cannot be had leaves the file, is reported by every run, and is tried again on request")
  func failsForGood() throws {
    music.server.serve(music.path("a", "high"), nil)
    try begin("normal")
    try music.declare("high", [music.item("a", all)])
    let (result, report) = try home.run()
    #expect(result.ending == .exited(3), "\(result.standardError)")
    #expect(report[path: "totals.failed"] == .number(1) && report[path: "totals.upgraded"] == .number(0))
    #expect(report[path: "items.0.error.status"] == .number(404))
    #expect(try home.list()["a"]?[path: "state"] == .string("completed"))
    #expect(try music.file("a") == QualityHousehold.bytes("a", "normal", 50_000))

    let (later, unsolved) = try home.run()
    #expect(later.ending == .exited(3) && music.requests("a", "high") == 1)
    #expect(unsolved[path: "items.0.action"] == .string("upgrade"))
    #expect(unsolved[path: "items.0.outcome"] == .string("failed_before"))
    #expect(try home.command("plan").run().standardOutput.contains("in high quality failed"))
    #expect(try home.editing("explain", "a").run().standardOutput.contains("syncjob retry"))
    try expectFailureTold()

    music.serve("a", "high", 90_000)
    try home.edit("retry", "--all")
    #expect(try home.run().report[path: "totals.upgraded"] == .number(1))
    #expect(try home.strays().isEmpty)
  }

  /// Every command that lists failures lists the failed quality, with its code.
  private func expectFailureTold() throws {
    let text = try home.command("status").run().standardOutput
    #expect(text.contains("\nFailed\n  a  its file stays, because the one in high quality failed: "), "\(text)")
    #expect(text.contains("; try again with: syncjob retry -m "), "\(text)")
    let status = try JSONValue(home.command("status", "--json").run().stdout)
    #expect(status[path: "failures.0.action"] == .string("upgrade"))
    #expect(status[path: "failures.0.wanted"] == .string("high"))
    #expect(status[path: "failures.0.error.status"] == .number(404))
    #expect(status[path: "counts.failed"] == .number(0) && status[path: "counts.completed"] == .number(1))
    #expect(try home.command("list", "--state", "failed").run().standardOutput.contains("not in high quality: "))
    let listed = try JSONValue(home.command("list", "--state", "failed", "--json").run().stdout)
    #expect(listed[path: "state"] == .string("completed") && listed[path: "wanted"] == .string("high"))
    #expect(listed[path: "error"] != nil)
    let explained = try music.explain("a")
    #expect(explained[path: "action"] == .string("leave") && explained[path: "reason"] == .string("upgrade_failed"))
    #expect(explained[path: "wanted"] == .string("high") && explained[path: "kind"] == .string("http"))
    let plan = try JSONValue(home.command("plan", "--json").run().stdout)
    #expect(plan[path: "changes.0.action"] == .string("keep"))
    #expect(plan[path: "changes.0.reason"] == .string("upgrade_failed"))
  }

  @Test("leaves a whole file where nobody can tell whether the other one is whole")
  func unproven() throws {
    try begin("normal")
    try music.declare("high", [music.item("a", all)])
    music.server.script(music.path("a", "high"), [.untilClose])
    let (result, report) = try home.run()
    #expect(result.ending == .exited(3))
    #expect(report[path: "items.0.error.message"]?.description.contains("may be cut") == true, "\(report)")
    #expect(try music.file("a") == QualityHousehold.bytes("a", "normal", 50_000))
    #expect(try home.command("verify", "--deep").run().ending == .exited(0))
    // A sentence that contains itself tells nothing twice.
    let status = try home.command("status").run().standardOutput
    #expect(!status.contains("stays: ") && !status.contains("declare its size"), "\(status)")
  }

  @Test("replaces the file by one of unknown length whose end is marked")
  func markedEnd() throws {
    try begin("normal")
    try music.declare("high", [music.item("a", all)])
    music.server.script(music.path("a", "high"), [.chunked()])
    let (result, report) = try home.run()
    #expect(result.ending == .exited(0), "\(result.standardError)")
    #expect(report[path: "totals.upgraded"] == .number(1), "\(report)")
    #expect(try music.file("a") == QualityHousehold.bytes("a", "high", 90_000))
    #expect(try home.list()["a"]?[path: "quality"] == .string("high"))
    #expect(try home.run().report[path: "totals.unchanged"] == .number(1))
  }

  @Test("keeps the file if the marked end does not come")
  func missingEnd() throws {
    try begin("normal")
    try music.declare("high", [music.item("a", all)])
    music.server.script(music.path("a", "high"), Array(repeating: .chunked(complete: false), count: 8))
    #expect(try home.run().result.ending == .exited(5))
    #expect(try music.file("a") == QualityHousehold.bytes("a", "normal", 50_000))
  }

  @Test("leaves a file that the system does not let go, and the rest of the library runs", .requires(.setpriv))
  func refused() throws {
    music.serve("a", "high", 90_000, .m4a)
    music.serve("b", "normal", 40_000)
    try music.declare("normal", [music.item("a", all)])
    guard let run = try home.asNobody(home.command("run", "-q")) else { return }
    #expect(try run.run().ending == .exited(0))
    // A shared folder in which everybody may remove only what is theirs.
    let folder = "\(home.library)/all"
    #expect(chown("\(folder)/a.mp3", 0, 0) == 0 && chown(folder, 0, 0) == 0 && chmod(folder, 0o1777) == 0)
    try music.declare("high", [music.item("a", all), music.item("b", ["normal"])])
    for _ in 1...2 { #expect(try run.run().ending == .exited(3)) }
    #expect(try music.files() == ["all/a.mp3", "all/b.mp3"])
    #expect(try music.file("a") == QualityHousehold.bytes("a", "normal", 50_000))
    #expect(music.requests("a", "high") == 1)
    try music.declare("normal", [music.item("a", all), music.item("b", ["normal"])])
    #expect(try run.run().ending == .exited(0))
  }

  @Test("that broke off goes on where it was, and is dropped when the quality is turned back")
  func breaksOff() throws {
    music.serve("a", "high", 900_000)
    try begin("normal")
    try music.declare("high", [music.item("a", all)])
    music.server.script(music.path("a", "high"), [.breakOff(after: 500_000), .breakOff(after: 100_000)])
    for _ in 1...2 {
      let (result, _) = try home.run()
      #expect(result.ending == .exited(5), "\(result.standardError)")
      let item = try home.list()["a"]
      #expect(item?[path: "state"] == .string("completed"))
      #expect(try music.file("a") == QualityHousehold.bytes("a", "normal", 50_000))
    }
    let before = try FileTree.files(home.library, hidden: true).filter { $0.contains("/partial/") }
    #expect(before.count == 1)
    #expect(music.server.requests(to: music.path("a", "high")).last?.range != nil)

    try music.declare("normal", [music.item("a", all)])
    #expect(try home.run().result.ending == .exited(0))
    #expect(try home.strays().isEmpty)

    music.server.script(music.path("a", "high"), [.honest])
    try music.declare("high", [music.item("a", all)])
    #expect(try home.run().report[path: "totals.upgraded"] == .number(1))
    #expect(try music.file("a") == QualityHousehold.bytes("a", "high", 900_000))
  }

  @Test("takes nothing from the file of somebody who changed it meanwhile")
  func changedByHand() throws {
    try begin("normal")
    var mine = try music.file("a")
    mine[40_000] ^= 1
    try FileBytes.write(mine, to: "\(home.library)/all/a.mp3")
    try music.declare("high", [music.item("a", all)])
    let (result, report) = try home.run()
    #expect(result.ending == .exited(3), "\(result.standardError)")
    #expect(report[path: "items.0.error.kind"] == .string("io"))
    #expect(try music.file("a") == mine)
    _ = try home.run()
    #expect(music.requests("a", "high") == 1)
    #expect(try music.files() == ["all/a.mp3"])
  }

  @Test(
    "is not fetched against a checksum or size that is declared for the present file",
    arguments: ["md5", "sha512", "size"])
  func declaredForOther(_ kind: String) throws {
    let normal = QualityHousehold.bytes("a", "normal", 50_000)
    var declared = ", size: 50000"
    if kind != "size" {
      let file = home.folder.file("digest")
      try FileBytes.write(normal, to: file)
      let sum = try #require(Tool("\(kind)sum").command([file])).run().standardOutput.prefix { $0 != " " }
      declared = ", checksum: \"\(kind):\(sum)\""
    }
    try music.declare("normal", [music.item("a", all, declared)])
    #expect(try home.run().result.ending == .exited(0))
    try music.declare("high", [music.item("a", all, declared)])
    for _ in 1...2 {
      #expect(try home.run().result.ending == .exited(0))
      #expect(music.requests("a", "high") == 0)
    }
    #expect(try music.file("a") == normal)
    let explained = try home.editing("explain", "a").run().standardOutput
    #expect(explained.contains("but its declared checksum or size is that of the file here"), "\(explained)")
    // Without it the other quality comes.
    try music.declare("high", [music.item("a", all)])
    #expect(try home.run().result.ending == .exited(0))
    #expect(try music.file("a") == QualityHousehold.bytes("a", "high", 90_000))
  }

  @Test("is fetched anew where its partial is longer than the file will be")
  func overlongPartial() throws {
    try begin("normal")
    music.server.script(music.path("a", "high"), [.breakOff(after: 40_000, .reset), .honest])
    try music.declare("high", [music.item("a", all)], storage: "{ min_free: 0, budget: 200000 }")
    _ = try home.run()
    let partial = try #require(try FileTree.files("\(home.state)/partial", hidden: true).first)
    #expect(truncate("\(home.state)/partial/\(partial)", 300_000) == 0)
    let (result, report) = try home.run()
    #expect(result.ending == .exited(0), "\(result.standardError)")
    #expect(report[path: "totals.upgraded"] == .number(1), "\(report)")
    #expect(try music.file("a") == QualityHousehold.bytes("a", "high", 90_000))
    #expect(try FileTree.files("\(home.state)/partial", hidden: true).isEmpty)
  }

  @Test("is noticed for a file that an earlier version fetched, which kept no quality")
  func earlierVersion() throws {
    try begin("normal")
    let text = String(decoding: try home.queueFile(), as: UTF8.self)
    #expect(text.contains("\"quality\":\"normal\""))
    // Lines without checks are those of earlier versions.
    let plain = text.replacing("\"quality\":\"normal\",", with: "").replacing(/,"crc":"[0-9a-f]+"/, with: "")
    try FileBytes.write(plain, to: "\(home.state)/download_queue.json")
    try music.declare("high", [music.item("a", all)])
    _ = try home.run()
    #expect(try music.file("a") == QualityHousehold.bytes("a", "high", 90_000))
  }
}

@Suite("room for another quality")
struct QualityRoomTests {
  private let music: QualityHousehold
  private var home: LibraryFixture { music.home }
  private var server: FaultServer { music.server }

  init() throws {
    music = try QualityHousehold(LibraryFixture())
    for name in ["a", "b", "c"] {
      for (quality, size) in [("low", 30_000), ("normal", 50_000), ("high", 90_000)] {
        music.serve(name, quality, size)
      }
    }
  }

  private func declare(_ quality: String, _ names: [String], budget: Int) throws {
    try music.declare(
      quality, names.map { music.item($0, ["low", "normal", "high"]) },
      storage: "{ budget: \(budget), min_free: 0, evict: { trigger: 100%, target: 100%, min_age: 0s } }")
  }

  @Test("is not needed by a smaller file, even where the budget is full")
  func smallerInFullBudget() throws {
    try declare("high", ["a", "b"], budget: 180_000)
    #expect(try home.run().result.ending == .exited(0))
    try declare("low", ["a", "b"], budget: 180_000)
    let report = try home.run().report
    #expect(report[path: "totals.upgraded"] == .number(2), "\(report)")
    #expect(report[path: "totals.evicted"] == .number(0) && report[path: "exit_status"] == .number(0))
    #expect(try music.file("a").count < 90_000 && music.file("b").count < 90_000)
    #expect(try home.strays().isEmpty)
  }

  @Test("is waited for: nothing goes, the server is asked for the size once, and the deferral is told")
  func waits() throws {
    try declare("normal", ["a", "b"], budget: 180_000)
    #expect(try home.run().result.ending == .exited(0))
    try declare("high", ["a", "b"], budget: 180_000)
    for number in 1...2 {
      let events = home.folder.file("events-\(number)")
      let result = try home.command("run", "--json", "--events", events).run()
      #expect(result.ending == .exited(0), "\(result.standardError)")
      let report = try JSONValue(result.stdout)
      #expect(report[path: "totals.deferred"] == .number(2) && report[path: "totals.evicted"] == .number(0))
      #expect(report[path: "items.0.reason"] == .string("no_room_beside"))
      #expect(report[path: "items.0.lacking_bytes"] == .number(10_000))
      let lines = try FileBytes.text(events).split(separator: "\n")
      #expect(lines.count { $0.contains("\"item_deferred\"") } == 2)
      #expect(music.requests("a", "high") == 1 && music.requests("b", "high") == 1)
    }
    let plan = try JSONValue(home.command("plan", "--json").run().stdout)
    #expect(plan[path: "totals.defer"] == .number(2) && plan[path: "totals.upgrade"] == .number(0))

    // Both files of one, and then those of the other.
    for budget in [190_000, 230_000] {
      try declare("high", ["a", "b"], budget: budget)
      #expect(try home.run().report[path: "totals.upgraded"] == .number(1))
    }
    #expect(try music.file("a").count == 90_000 && music.file("b").count == 90_000)
  }

  @Test("makes room before anything is evicted where the budget has become smaller, too, also for what is new")
  func smallerBudget() throws {
    for name in ["d", "e"] { music.serve(name, "low", 30_000) }
    try declare("high", ["a", "b", "c"], budget: 300_000)
    #expect(try home.run().result.ending == .exited(0))
    try declare("low", ["a", "b", "c", "d"], budget: 120_000)
    let plan = try JSONValue(home.command("plan", "--json").run().stdout)
    #expect(plan[path: "totals.upgrade"] == .number(3) && plan[path: "totals.evict"] == .number(0), "\(plan)")
    #expect(plan[path: "warnings.count"] == .number(0), "\(plan)")
    let (result, report) = try home.run()
    #expect(result.ending == .exited(0), "\(report)")
    #expect(report[path: "totals.upgraded"] == .number(3) && report[path: "totals.evicted"] == .number(0))
    #expect(
      report[path: "totals.downloaded"] == .number(1) && report[path: "totals.removed"] == .number(0), "\(report)")
    for name in ["a", "b", "c"] { #expect(try music.file(name).count == 30_000) }
    #expect(try home.strays().isEmpty)
  }

  @Test("makes room only as far as that suffices: the rest of the files is evicted, and none of them is fetched")
  func smallestBudget() throws {
    try declare("high", ["a", "b", "c"], budget: 300_000)
    #expect(try home.run().result.ending == .exited(0))
    try declare("low", ["a", "b", "c"], budget: 61_000)
    let (result, report) = try home.run()
    #expect(result.ending == .exited(0), "\(report)")
    #expect(report[path: "totals.upgraded"] == .number(2) && report[path: "totals.evicted"] == .number(1))
    #expect(server.requests.count == 3 + 2)
    #expect(try home.run().report[path: "totals.unchanged"] == .number(2))
  }

  @Test("of pinned items is no lack of room where the smaller files fit")
  func smallerPins() throws {
    func declare(_ quality: String, budget: Int) throws {
      try music.declare(
        quality, ["a", "b"].map { music.item($0, ["low", "normal", "high"], ", pin: true") },
        storage: "{ budget: \(budget), min_free: 0 }")
    }
    try declare("high", budget: 300_000)
    #expect(try home.run().result.ending == .exited(0))
    try declare("low", budget: 100_000)
    let (result, report) = try home.run()
    #expect(result.ending == .exited(0), "\(report)")
    #expect(report[path: "totals.upgraded"] == .number(2))
  }

  @Test("goes to what is new first")
  func newFirst() throws {
    try declare("normal", ["a"], budget: 150_000)
    #expect(try home.run().result.ending == .exited(0))
    try declare("high", ["a", "c"], budget: 150_000)
    let report = try home.run().report
    #expect(report[path: "totals.downloaded"] == .number(1) && report[path: "totals.upgraded"] == .number(0))
    #expect(try music.files() == ["all/a.mp3", "all/c.mp3"])
    #expect(try music.file("a").count == 50_000)
  }

  @Test("a smaller file needs only a little while, also in a library that is full to its mark")
  func smaller() throws {
    try music.declare(
      "normal", ["a", "b", "c"].map { music.item($0, ["low", "normal", "high"]) },
      storage: "{ budget: 190000, min_free: 0, evict: { trigger: 90%, target: 60%, min_age: 0s } }")
    #expect(try home.run().result.ending == .exited(0))
    try music.declare(
      "low", ["a", "b", "c"].map { music.item($0, ["low", "normal", "high"]) },
      storage: "{ budget: 190000, min_free: 0, evict: { trigger: 90%, target: 60%, min_age: 0s } }")
    for _ in 1...3 { #expect(try home.run().report[path: "totals.evicted"] == .number(0)) }
    for name in ["a", "b", "c"] { #expect(try music.file(name).count == 30_000) }
  }
}
