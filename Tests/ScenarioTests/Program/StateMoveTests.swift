// SPDX-License-Identifier: Apache-2.0

import SyncTestSupport
import Testing

@Suite("a memory that moves to another machine")
struct StateMoveTests {
  private let home: LibraryFixture
  private let away: LibraryFixture
  private let server: FaultServer
  private var export: String { home.folder.file("memory.json") }

  init() throws {
    home = try LibraryFixture()
    away = try LibraryFixture()
    server = try FaultServer()
    server.serveAudio("a", "b")
    let items = ["a", "b", "c"].map { "{ id: \($0), title: \($0), url: \"\(server.url("/\($0).mp3"))\" }" }
    for house in [home, away] { try house.declare("playlists: { all: { items: [\(items.joined(separator: ", "))] } }") }
    #expect(try home.run().result.ending == .exited(3))
    try home.edit("pin", "a")
    try home.edit("played", "b")
    #expect(try home.command("state", options: []).run().ending == .exited(64))
    let result = try Command(home.command("state").executable, ["state", "export", "-o", export, home.manifest]).run()
    #expect(result.ending == .exited(0) && result.standardOutput == "wrote 3 items to \"\(export)\"\n")
  }

  private func importing(_ house: LibraryFixture, _ options: String...) throws -> CommandResult {
    try Command(house.command("state").executable, ["state", "import", "-m", house.manifest, export] + options).run()
  }

  /// Copies the media without the program.
  private func copyMedia() throws {
    for name in ["a", "b"] {
      try FileBytes.write(FileBytes.read("\(home.library)/all/\(name).mp3"), to: "\(away.library)/all/\(name).mp3")
    }
  }

  @Test("with its media copied, the library goes on elsewhere: pins, plays and failures are known, nothing is fetched")
  func moves() throws {
    try copyMedia()
    let before = server.requests.count
    let result = try importing(away)
    #expect(result.ending == .exited(0), "\(result.standardError)")
    #expect(result.standardOutput == "imported 3 items, 2 of them finished\n")
    let items = try away.list()
    #expect(items["a"]?[path: "pinned"] == .bool(true) && items["b"]?[path: "play_count"] == .number(1))
    #expect(items["c"]?[path: "state"] == .string("failed"))
    let (run, report) = try away.run()
    #expect(run.ending == .exited(3), "\(run.standardOutput)")
    #expect(report[path: "totals.unchanged"] == .number(2))
    #expect(server.requests.count == before)
    #expect(
      try JSONValue(FileBytes.read("\(away.state)/library.json"))[path: "id"]
        == JSONValue(FileBytes.read("\(home.state)/library.json"))[path: "id"])
  }

  @Test("the export goes to standard output, and an import comes from standard input")
  func pipes() throws {
    let program = home.command("state").executable
    let line =
      "\(program) state export \(home.manifest) | \(program) state import -m \(away.manifest) --json -"
    let result = try Command("/bin/sh", ["-c", line]).run()
    #expect(result.ending == .exited(0), "\(result.standardError)")
    #expect(
      result.standardOutput
        == "{\"format\":\"syncjob-import\",\"version\":1,\"items\":3,\"completed\":2,\"replaced\":0}\n")
  }

  @Test("an import does not forget what is remembered, unless asked")
  func notEmpty() throws {
    #expect(try importing(home).ending == .exited(12))
    let refused = try importing(home)
    #expect(
      refused.standardError
        == "syncjob: error: 3 items of \"\(home.library)\" are in its state already; nothing was imported. To replace "
        + "them: --replace\n")
    let replaced = try importing(home, "--replace")
    #expect(replaced.ending == .exited(0))
    #expect(replaced.standardOutput == "imported 3 items, 2 of them finished; 3 items forgotten\n")
    #expect(try home.run().report[path: "totals.unchanged"] == .number(2))
  }

  @Test("an import of another library is refused, unless asked")
  func anotherLibrary() throws {
    #expect(try away.command("init", "-q").run().ending == .exited(0))
    let own = try JSONValue(FileBytes.read("\(away.state)/library.json"))[path: "id"]?.description ?? ""
    let found = try JSONValue(FileBytes.read("\(home.state)/library.json"))[path: "id"]?.description ?? ""
    let refused = try importing(away)
    #expect(refused.ending == .exited(12))
    #expect(
      refused.standardError
        == "syncjob: error: the export is of the library \"\(found)\", and \"\(away.library)\" is the library \"\(own)\"; "
        + "nothing was imported. To take it over all the same: --replace\n")
    #expect(try importing(away, "--replace").ending == .exited(0))
    #expect(try JSONValue(away.queueFile())[path: "library_id"] == .string(own))
  }

  @Test("an import into the empty folder of a disk that is not mounted is refused, and makes nothing there")
  func notMounted() throws {
    let text = try FileBytes.text(away.manifest)
    try FileBytes.write(
      text.replacing("{ path: ./library }", with: "{ path: ./library, require_mount: true }"), to: away.manifest)
    let refused = try importing(away)
    #expect(refused.ending == .exited(12))
    #expect(refused.standardError.contains("has no marker, so its disk is probably not mounted"))
    #expect(try FileTree.names(away.folder.path) == ["manifest.yaml"])
    #expect(try away.command("init", "-q").run().ending == .exited(0))
    #expect(try importing(away, "--replace").ending == .exited(0))
  }

  @Test("an import counts on from the library's own generation, however high the export's is")
  func generation() throws {
    let text = try FileBytes.text(export)
    let range = try #require(text.firstRange(of: "\"generation\":"))
    // 2^52 in place of the digits there.
    let digits = text[range.upperBound...].prefix { $0.isNumber }
    let high = "\(text[..<range.upperBound])4503599627370496\(text[range.upperBound...].dropFirst(digits.count))"
    try FileBytes.write(high, to: export)
    #expect(try importing(away).ending == .exited(0))
    #expect(try JSONValue(away.queueFile())[path: "generation"] == .number(1))
    #expect(try away.list().count == 3)
  }

  /// Puts one text into the place of another, which is there once.
  private func edit(_ old: String, _ new: String) throws {
    let text = try FileBytes.text(export)
    #expect(text.ranges(of: old).count == 1)
    try FileBytes.write(text.replacing(old, with: new), to: export)
  }

  @Test("an export that a person edited is taken over, and the warning names the edited items")
  func edited() throws {
    try copyMedia()
    try edit("{\"id\":\"b\",\"state\"", "{\"id\":\"b\",\"pinned\":true,\"state\"")
    let rehearsal = try importing(away, "--dry-run", "--json")
    #expect(try JSONValue(rehearsal.stdout)[path: "edited"] == .array([.string("b")]))
    let result = try importing(away)
    #expect(result.ending == .exited(0))
    #expect(
      result.standardError == "warning: 1 item of \"\(export)\" was edited after the export: taken as it is (\"b\")\n")
    #expect(try away.list()["b"]?[path: "pinned"] == .bool(true))
    #expect(try away.run().report[path: "totals.unchanged"] == .number(2))
    // The next queue file has its checks again.
    #expect(try away.run().report[path: "recovery"] == nil)
  }

  @Test("an edited item whose file the library contradicts is not believed")
  func contradicted() throws {
    try copyMedia()
    let items = try JSONValue(home.queueFile())
    let hashes = try ["items.0.sha256", "items.1.sha256"].map { try #require(items[path: $0]?.description) }
    // The same length, and the bytes of another file.
    try edit(hashes[0], String(hashes[0].reversed()))
    let result = try importing(away)
    #expect(result.ending == .exited(0))
    #expect(result.standardOutput == "imported 3 items, 1 of them finished\n")
    #expect(
      result.standardError.hasSuffix(
        "warning: the library has another file than the one that an edited item describes; 1 item put back into the queue,"
          + " and the next run looks whose file it is (\"a\")\n"))
    _ = try away.run()
    #expect(try away.command("verify", "--deep").run().ending == .exited(0))
    #expect(try away.ownedPaths() == ["all/a.mp3", "all/b.mp3"])
    #expect(try away.strays().isEmpty)
  }

  @Test("an import makes up for a memory that is lost")
  func lostMemory() throws {
    for name in try FileTree.files(home.state, hidden: true) where name.hasPrefix("download_queue.") {
      try FileTree.remove("\(home.state)/\(name)")
    }
    #expect(try importing(home).ending == .exited(0))
    let (result, report) = try home.run()
    #expect(result.ending == .exited(3) && report[path: "recovery"] == nil)
    #expect(try home.list()["a"]?[path: "pinned"] == .bool(true))
  }

  @Test(
    "what is no export is refused with the reason, and nothing changes",
    arguments: [
      (
        "\"version\":1,\"name\"", "\"version\":2,\"name\"",
        "it has version 2, and this syncjob knows version 1; use a newer syncjob"
      ),
      ("syncjob-state", "syncjob-other", "it is a file of the format \"syncjob-other\""),
      ("all/a.mp3", "../a.mp3", "the field \"path\" of the item \"a\" has an impossible value"),
      ("all/a.mp3", ".syncjob/lock", "the field \"path\" of the item \"a\" has an impossible value"),
      ("all/a.mp3", ".SyncJob/lock", "the field \"path\" of the item \"a\" has an impossible value"),
      ("all/b.mp3", "all/a.mp3", "the items \"a\" and \"b\" have one file, \"all/a.mp3\""),
      ("\"id\":\"b\"", "\"id\":\"a\"", "the item \"a\" is there twice"),
      (
        "\"generation\":", "\"generation\":900719925474099",
        "the field \"generation\" of the file has an impossible value"
      ),
    ])
  func bad(_ old: String, _ new: String, _ problem: String) throws {
    let text = try FileBytes.text(export)
    let range = try #require(text.firstRange(of: old))
    try FileBytes.write(String(text[..<range.lowerBound] + new + text[range.upperBound...]), to: export)
    let result = try importing(away)
    let wayOut = problem.hasSuffix("use a newer syncjob") ? "" : "; name a file that `syncjob state export` wrote"
    #expect(result.ending == .exited(1))
    #expect(
      result.standardError
        == "syncjob: error: cannot import \"\(export)\": \(problem)\(wayOut)\n")
    #expect(try FileTree.names(away.folder.path) == ["manifest.yaml"])
  }
}
