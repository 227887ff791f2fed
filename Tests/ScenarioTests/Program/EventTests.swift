// SPDX-License-Identifier: Apache-2.0

import Glibc
import SyncTestSupport
import Testing

@Suite("events of a run")
struct EventTests {
  private let home: LibraryFixture
  private let server: FaultServer
  private let audio = GeneratedAudio(title: "A", seconds: 3, seed: 1).bytes

  init() throws {
    home = try LibraryFixture()
    server = try FaultServer()
    server.serve("/a.mp3", Resource(bytes: audio, etag: "\"a\""))
    try home.declare(
      """
      downloads: { backoff: { initial: 10ms, max: 10ms } }
      playlists: { all: { items: [{ id: a, title: A, url: "\(server.url("/a.mp3"))" }] } }
      """)
  }

  private func events(_ bytes: [UInt8]) throws -> [JSONValue] {
    try String(decoding: bytes, as: UTF8.self).split(separator: "\n").map { try JSONValue(Array($0.utf8)) }
  }

  private func names(_ events: [JSONValue]) -> [String] { events.compactMap { $0[path: "event"]?.description } }

  @Test("go to a file, from the start of the run to its end, exact to the byte; a second run adds to it")
  func file() throws {
    server.script("/a.mp3", [.breakOff(after: 20_000), .honest])
    let path = home.folder.file("events.jsonl")
    #expect(try home.command("run", "--quiet", "--events", path).run().ending == .exited(0))
    let events = try events(FileBytes.read(path))
    let names = names(events)
    #expect(
      names.filter { $0 != "item_progressed" } == [
        "run_started", "plan_ready", "item_started", "item_retrying", "item_started", "item_completed",
        "item_offline_state_changed", "run_finished",
      ])
    let exact = try #require(events.last { $0[path: "event"] == .string("item_progressed") })
    #expect(exact[path: "bytes"] == .number(Double(audio.count)))
    #expect(exact[path: "total"] == .number(Double(audio.count)))
    let resumed = try #require(events.last { $0[path: "event"] == .string("item_started") })
    #expect(resumed[path: "bytes"] == .number(20_000))
    #expect(try home.command("run", "--quiet", "--events", path).run().ending == .exited(0))
    let more = try self.events(FileBytes.read(path)).dropFirst(events.count)
    #expect(self.names(Array(more)) == ["run_started", "plan_ready", "run_finished"])
  }

  @Test("begin on a line of their own where the one before was cut off")
  func torn() throws {
    let path = home.folder.file("events.jsonl")
    try FileBytes.write("{\"event\":\"ru", to: path)
    #expect(try home.command("run", "--quiet", "--events", path).run().ending == .exited(0))
    let lines = String(decoding: try FileBytes.read(path), as: UTF8.self).split(separator: "\n")
    #expect(lines.first == "{\"event\":\"ru")
    #expect(try names(lines.dropFirst().map { try JSONValue(Array($0.utf8)) }).first == "run_started")
  }

  @Test("on stdout leave the report to stderr, and are refused beside a JSON report")
  func standardOutput() throws {
    let result = try home.command("run", "--events", "-").run()
    #expect(names(try events(result.stdout)).last == "run_finished")
    #expect(result.standardError.contains("1 downloaded"))
    let refused = try home.command("run", "--events", "-", "--json").run()
    #expect(refused.ending == .exited(64))
    #expect(refused.standardError.contains("--events - and --json both want stdout"))
  }

  @Test("that cannot be written are said once to be lost, and the run goes on", arguments: ["/dev/full", "pipe"])
  func unwritable(place: String) throws {
    let path = place == "pipe" ? home.folder.file("pipe") : place
    if place == "pipe" { try #require(mkfifo(path, 0o600) == 0) }
    let result = try home.command("run", "--events", path).run()
    #expect(result.ending == .exited(0))
    #expect(result.standardError.split(separator: "\n").count == 1, "\(result.standardError)")
    #expect(result.standardError.contains("the run goes on without them"))
    #expect(try home.list()["a"]?[path: "state"] == .string("completed"))
  }

  @Test("whose reader goes away do not end the run")
  func readerGone() throws {
    var command = home.command("run", "--quiet", "--events", "-")
    command = Command(
      "/bin/bash", ["-c", "\"$@\" | head -1; exit ${PIPESTATUS[0]}", "bash", command.executable] + command.arguments)
    let result = try command.run()
    #expect(result.ending == .exited(0), "\(result.standardError)")
    #expect(names(try events(result.stdout)) == ["run_started"])
  }

  @Test("in a folder that is not there are refused before anything is done; the variable is the flag")
  func noFolder() throws {
    var command = home.command("run")
    command.environment["SYNCJOB_EVENTS"] = home.folder.file("none/events")
    let result = try command.run()
    #expect(result.ending == .exited(64))
    #expect(result.standardError.contains("name a file in a folder that exists"))
    #expect(server.requests.isEmpty)
  }

  @Test("tell of a run that a signal ends")
  func interrupted() throws {
    let gate = try Gate()
    server.script("/a.mp3", [.hold(after: 20_000, gate)])
    let path = home.folder.file("events.jsonl")
    let run = try home.command("run", "--quiet", "--events", path).start()
    #expect(gate.waitForArrival())
    run.signal(SIGTERM)
    #expect(run.wait(timeout: 10).ending == .exited(143))
    gate.open()
    let names = names(try events(FileBytes.read(path)))
    #expect(names.suffix(2) == ["item_paused", "run_finished"], "\(names)")
  }

  @Test("-vv tells each request and each answer, on stderr")
  func verbose() throws {
    server.script("/a.mp3", [.status(503), .honest])
    let result = try home.command("run", "-vv").run()
    let lines = result.standardError.split(separator: "\n").filter { $0.hasPrefix("<") || $0.hasPrefix(">") }
    let url = server.url("/a.mp3")
    #expect(lines == ["> GET \(url)", "< 503 \(url)", "> GET \(url)", "< 200 \(url)"])
  }

  @Test("tell of what a person removes, and that it was the last file")
  func removed() throws {
    #expect(try home.command("run", "--quiet").run().ending == .exited(0))
    let program = try #require(Program.syncjob)
    let words = ["remove", "-m", home.manifest, "--all", "--yes", "--events", "-"]
    let result = try Command(program, words).run()
    #expect(result.ending == .exited(0), "\(result.standardError)")
    let events = try events(result.stdout)
    #expect(names(events) == ["item_removed", "item_offline_state_changed", "all_removed"])
    #expect(events.first?[path: "id"] == .string("a") && events.first?[path: "cause"] == .string("user"))
  }
}
