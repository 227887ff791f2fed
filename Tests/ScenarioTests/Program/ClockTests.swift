// SPDX-License-Identifier: Apache-2.0

import Glibc
import SyncTestSupport
import Testing

@Suite("a clock that cannot be believed")
struct ClockTests {
  private let home: LibraryFixture
  private let server: FaultServer

  init() throws {
    home = try LibraryFixture()
    server = try FaultServer()
    server.serveAudio("a", "b", "c")
    try declare(["a", "b"])
    #expect(try run("2090-01-01T00:00:00Z")[path: "exit_status"] == .number(0))
  }

  private func declare(_ names: [String]) throws {
    let items = names.map { "{ id: \($0), title: \($0), url: \"\(server.url("/\($0).mp3"))\" }" }
    try home.declare(
      "storage: { orphans: remove }\nplaylists: { all: { items: [\(items.joined(separator: ", "))] } }")
  }

  private func run(_ now: String) throws -> JSONValue {
    let result = try home.command("run", "--json", "--now", now).run()
    #expect(result.ending == .exited(0), "\(result.standardError)")
    return try JSONValue(result.stdout)
  }

  @Test(
    "a clock behind all that was seen brings nothing back that was too old by then",
    arguments: ["1970-01-01T00:10:00Z", "2090-01-20T00:00:00Z"])
  func letGo(wrong: String) throws {
    let entry = { (name: String) in
      "{ id: \(name), title: \(name), published: 2090-01-01, url: \"\(server.url("/\(name).mp3"))\" }"
    }
    func declare(_ names: [String]) throws {
      try home.declare(
        "storage: { max_delete: 100% }\ndefaults: { retain: { drop_after: 7d } }\n"
          + "playlists: { all: { items: [\(names.map(entry).joined(separator: ", "))] } }")
    }
    try declare(["a", "b"])
    #expect(try run("2090-02-01T00:00:00Z")[path: "totals.removed"] == .number(2))
    try declare(["a", "b", "c"])
    let report = try run(wrong)
    #expect(report[path: "clock"] != nil)
    #expect(report[path: "totals.downloaded"] == .number(0), "\(report)")
  }

  @Test("a time that somebody gave to a run that changed nothing is not remembered")
  func givenTime() throws {
    let queue = try home.queueFile()
    for _ in 1...2 { #expect(try run("2090-06-01T00:00:00Z")[path: "clock"] == nil) }
    #expect(try home.queueFile() == queue)
    #expect(access("\(home.state)/clock", F_OK) != 0)
    #expect(try run("2090-02-01T00:00:00Z")[path: "clock"] == nil)
  }

  @Test("the latest time of a run that changed nothing is remembered, on the short road as well")
  func mark() throws {
    let other = try LibraryFixture()
    try other.declare("playlists: { all: { items: [{ id: a, title: a, url: \"\(server.url("/a.mp3"))\" }] } }")
    #expect(try other.run().result.ending == .exited(0))
    for _ in 1...2 {
      // A time long ago: this run has seen a later one.
      try FileBytes.write("2026-11-02T00:00:00Z\n", to: "\(other.state)/clock")
      #expect(try other.run().result.ending == .exited(0))
      let mark = try FileBytes.text("\(other.state)/clock")
      let lines = mark.split(separator: "\n")
      #expect(mark > "2026-11-02T01:00:00Z" && lines.count == 2 && lines[0].hasSuffix("Z"), "\(mark)")
      #expect(lines.last?.hasPrefix("crc ") == true, "\(mark)")
    }
  }

  @Test("a clock far behind the latest time that a run has seen removes nothing")
  func watermark() throws {
    // Half a year without a change.
    try FileBytes.write("2090-06-01T00:00:03Z\n", to: "\(home.state)/clock")
    try declare(["a"])
    let report = try run("2090-02-01T00:00:00Z")
    #expect(report[path: "totals.removed"] == .number(0))
    #expect(report[path: "clock.plausible"] == .bool(false))
    #expect(report[path: "clock.latest_seen"].map(\.description)?.hasPrefix("2090-06-01T00:00:0") == true)
    #expect(report[path: "warnings.count"] == .number(1))
    let warning = report[path: "warnings.0"]?.description ?? ""
    #expect(
      warning.hasPrefix("the clock says 2090-02-01T00:00:0")
        && warning.hasSuffix("Z, but an earlier run saw 2090-06-01T00:00:03Z; nothing will expire or be removed"))
    #expect(try FileTree.files(home.library).contains("all/b.mp3"))
    // The time is right again, and the removal is made up for.
    #expect(try run("2090-06-01T12:00:00Z")[path: "totals.removed"] == .number(1))
  }

  @Test("a clock that once ran years ahead can be taken out of the memory, as the manual says")
  func wrongEarlierClock() throws {
    let export = home.folder.file("memory.json")
    let program = home.command("state").executable
    #expect(try home.command("clean", "--json").run().standardOutput.contains("nothing will expire or be removed"))
    let script = """
      '\(program)' state export -q -o '\(export)' '\(home.manifest)' && sed -i s/2090-/2027-/g '\(export)' &&
      rm -f '\(home.state)/clock' && '\(program)' state import -q --replace -m '\(home.manifest)' '\(export)'
      """
    let repaired = try Command("/bin/sh", ["-c", script]).run()
    #expect(repaired.ending == .exited(0), "\(repaired.standardError)")
    #expect(try run("2027-01-02T00:00:00Z")[path: "clock"] == nil)
  }

  @Test("what is put in or taken out by a clock that is behind is dated by the latest time that was seen")
  func dating() throws {
    // The system's clock is behind the latest time seen.
    #expect(try home.editing("remove", "a").run().ending == .exited(0))
    let batches = try FileTree.names("\(home.state)/trash")
    #expect(batches.count == 1 && batches.allSatisfy { $0.hasPrefix("2090-") }, "\(batches)")
  }

  @Test("a first run by a clock that begins in 1970 gives no file the age of one that may go")
  func firstRun() throws {
    let fresh = try LibraryFixture()
    try fresh.declare("playlists: { all: { items: [{ id: a, title: a, url: \"\(server.url("/a.mp3"))\" }] } }")
    #expect(try fresh.command("run", "--quiet", "--now", "1970-01-01T01:00:00Z").run().ending == .exited(0))
    let completed = try JSONValue(fresh.queueFile())[path: "items.0.completed_at"]?.description ?? ""
    #expect(completed >= "2026-11-01T00:00:00Z", "\(completed)")
  }

  @Test("neither trash nor partials nor kept copies nor reports expire by such a clock")
  func nothingExpires() throws {
    try FileBytes.write([7], to: "\(home.state)/trash/1970-01-01T000000Z/all/Old.mp3")
    try FileBytes.write([7], to: "\(home.state)/download_queue.json.corrupt-1970-01-01T000000Z")
    let early = try run("1970-03-01T00:00:00Z")
    #expect(early[path: "totals.cleaned"] == .number(0))
    let warning = early[path: "warnings.0"]?.description ?? ""
    #expect(
      warning.hasPrefix("the clock says 1970-03-01T00:00:0")
        && warning.hasSuffix("Z, which is before this program was written; nothing will expire or be removed"))
    #expect(try FileTree.files(home.state, hidden: true).contains("trash/1970-01-01T000000Z/all/Old.mp3"))
    // Here, too, the system's clock is behind the latest time seen.
    let clean = try home.command("clean", "--json").run()
    #expect(clean.ending == .exited(0))
    let report = try JSONValue(clean.stdout)
    #expect(report[path: "files"] == .number(0) && report[path: "warnings.count"] == .number(1))
    #expect(try FileTree.files(home.state, hidden: true).contains("download_queue.json.corrupt-1970-01-01T000000Z"))
  }
}
