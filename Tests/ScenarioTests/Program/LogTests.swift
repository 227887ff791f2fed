// SPDX-License-Identifier: Apache-2.0
import SyncTestSupport
import Testing

@Suite("the log")
struct LogTests {
  private let home: LibraryFixture
  private let server: FaultServer

  init() throws {
    (home, server) = (try LibraryFixture(), try FaultServer())
    server.serveAudio("a")
    server.script("/b.mp3", [.status(404)])
    try declare()
  }

  private func declare(_ sections: String = "") throws {
    try home.declare(
      """
      downloads: { retries: 0 }
      \(sections)
      playlists:
        all: { items: [{ id: a, title: A, url: "\(server.url("/a.mp3"))" }, { id: b, url: "\(server.url("/b.mp3"))" }] }
      """)
  }

  /// Every line of standard error as an object. Each has the three fields, and no name twice.
  private func lines(_ result: CommandResult) throws -> [JSONValue] {
    try result.standardError.split(separator: "\n").map { line in
      let value = try JSONValue(Array(line.utf8))
      for field in ["at", "level", "message"] { #expect(value[path: field] != nil, "\(line)") }
      #expect(line.split(separator: "\"message\":").count == 2 && line.hasPrefix("{\"at\":"), "\(line)")
      return value
    }
  }

  @Test("tells what went wrong, and the end of the run, as JSON")
  func json() throws {
    try declare("hooks: { item: [false] }")
    let result = try home.command("run", "--log-format", "json").run()
    #expect(result.ending == .exited(3))
    let log = try lines(result)
    #expect(Set(log.dropLast().map { $0[path: "event"]?.description }) == ["item_failed", "warning"])
    let failure = try #require(log.first { $0[path: "event"] == .string("item_failed") })
    #expect(failure[path: "level"] == .string("error"))
    #expect(failure[path: "id"] == .string("b"))
    #expect(failure[path: "status"] == .number(404))
    let warning = try #require(log.first { $0[path: "event"] == .string("warning") })
    #expect(warning[path: "level"] == .string("warning"))
    #expect(warning[path: "kind"] == .string("hook"))
    let end = try #require(log.last)
    #expect(end[path: "event"] == .string("run_finished"))
    #expect(end[path: "level"] == .string("error"))
    #expect(end[path: "exit_status"] == .number(3))
    #expect(end[path: "totals.downloaded"] == .number(1))
    #expect(result.standardOutput.contains("1 downloaded"))
  }

  @Test("has each transfer and request, too, if that is wanted")
  func verbose() throws {
    let log = try lines(try home.command("run", "--log-format=json", "-vv").run())
    let levels = log.map { $0[path: "level"]?.description ?? "" }
    #expect(Set(levels) == ["debug", "error", "info"])
    #expect(log.contains { $0[path: "event"] == .string("item_completed") && $0[path: "path"] == .string("all/A.mp3") })
  }

  @Test("has nothing to say about a quiet run that went well")
  func quiet() throws {
    server.serveAudio("b")
    server.script("/b.mp3", [])
    var command = home.command("run", "-q")
    command.environment["SYNCJOB_LOG_FORMAT"] = "json"
    let result = try command.run()
    #expect(result.ending == .exited(0))
    #expect(result.standardError == "" && result.standardOutput == "")
    let loud = try lines(try home.command("run", "--log-format", "json", "--json").run())
    #expect(loud.map { $0[path: "level"] } == [.string("info")])
  }

  @Test("has every error in that form", arguments: ["usage", "manifest", "library", "command"])
  func errors(_ kind: String) throws {
    let command: Command
    switch kind {
    case "usage": command = home.command("run", "--frobnicate", "--log-format", "json")
    case "manifest":
      try FileBytes.write("version: 1\nlibary: { path: x }\n", to: home.manifest)
      command = home.command("run", "--log-format", "json")
    case "library":
      try FileBytes.write("", to: home.library)
      command = home.command("run", "--log-format", "json")
    default: command = home.editing("pin", "--log-format", "json", "no-such-item")
    }
    let result = try command.run()
    let log = try lines(result)
    let last = try #require(log.last)
    #expect(last[path: "level"] == .string("error"))
    guard case .exited(let status) = result.ending else { throw CancellationError() }
    #expect(status != 0 && last[path: "exit_status"] == .number(Double(status)), "\(result.standardError)")
    guard kind == "manifest" else { return }
    #expect(log.first?[path: "file"] == .string(home.manifest))
    #expect(log.contains { $0[path: "line"] == .number(2) && $0[path: "column"] == .number(1) })
  }

  @Test("refuses another form, and names where it was asked for")
  func other() throws {
    let typed = try home.command("run", "--log-format", "xml").run()
    #expect(typed.ending == .exited(64))
    #expect(typed.standardError == "syncjob: error: --log-format must be one of text, json, but is \"xml\"\n")
    var command = home.command("status")
    command.environment["SYNCJOB_LOG_FORMAT"] = "yaml"
    let set = try command.run()
    #expect(set.ending == .exited(64))
    #expect(set.standardError.contains("$SYNCJOB_LOG_FORMAT must be one of"), "\(set.standardError)")
  }

  /// Runs a command whose standard error, and output, are the stream that `JOURNAL_STREAM` names.
  private func journal(_ command: Command, joined: Bool = true) throws -> CommandResult {
    let script = """
      JOURNAL_STREAM=$(stat -L -c %d:%i /proc/$$/fd/2); export JOURNAL_STREAM
      exec "$@" \(joined ? ">&2" : "")
      """
    return try Command("/bin/sh", ["-c", script, "sh", command.executable] + command.arguments).run()
  }

  @Test("has the priority of each line where journald reads it")
  func priorities() throws {
    let first = try journal(home.command("run", "-v"))
    #expect(first.ending == .exited(3))
    let lines = first.standardError.split(separator: "\n")
    #expect(lines.contains { $0.hasPrefix("<6>done all/A.mp3") }, "\(lines)")
    // The report has the priority of its end.
    #expect(lines.last?.hasPrefix("<3>") == true && lines.last?.contains("Library: ") == true, "\(lines)")
    #expect(lines.allSatisfy { $0.hasPrefix("<") }, "\(lines)")
    server.serveAudio("b")
    server.script("/b.mp3", [])
    try home.retryAll()
    let good = try journal(home.command("run"))
    #expect(good.ending == .exited(0))
    #expect(good.standardError.split(separator: "\n").allSatisfy { $0.hasPrefix("<6>") }, "\(good.standardError)")
    let json = try journal(home.command("run", "--log-format", "json"), joined: false)
    #expect(json.standardError.hasPrefix("<6>{\""), "\(json.standardError)")
    #expect(json.standardOutput.split(separator: "\n").allSatisfy { !$0.hasPrefix("<") }, "\(json.standardOutput)")
    let error = try journal(home.command("run", "--frobnicate"))
    #expect(error.standardError.hasPrefix("<3>syncjob: error: "), "\(error.standardError)")
    let result = try journal(home.command("list", "--json"), joined: false)
    #expect(!result.standardOutput.contains("<"), "\(result.standardOutput)")
  }

  @Test("has no priorities where the stream is not the journal's")
  func elsewhere() throws {
    var command = home.command("run")
    command.environment["JOURNAL_STREAM"] = "9:12345"
    let result = try command.run()
    #expect(!(result.standardError + result.standardOutput).contains("<3>"))
  }

  @Test("names the run, the job and the item, and an item that failed before")
  func names() throws {
    let first = try lines(try home.command("run", "--log-format", "json").run())
    let again = try lines(try home.command("run", "-q", "--log-format", "json").run())
    for line in first + again {
      #expect(line[path: "name"] == .string("manifest") && line[path: "run_id"] != nil, "\(line)")
    }
    #expect(again.count == 2)
    #expect(again.first?[path: "id"] == .string("b") && again.first?[path: "earlier"] == .bool(true))
    #expect(first.first { $0[path: "event"] == .string("item_failed") }?[path: "title"] == .string("b"))
  }

  @Test("says of a source that cannot be read which one it is, once")
  func sources() throws {
    server.script("/feed.xml", [.status(404)])
    try home.declare(
      """
      downloads: { retries: 0, network: { allow_private: true } }
      playlists: { news: { feed: "\(server.url("/feed.xml"))" } }
      """)
    let log = try lines(try home.command("run", "-v", "--log-format", "json").run())
    let told = log.filter { $0[path: "event"] == .string("source_failed") }
    #expect(told.count == 1, "\(log)")
    #expect(told.first?[path: "playlist"] == .string("news"))
    #expect(told.first?[path: "level"] == .string("error"), "\(told)")
    #expect(log.count == 2)
  }

  @Test(
    "has its form although the command line cannot be understood, and although stdout is full", .requires(Tool("sh")))
  func oddErrors() throws {
    var command = home.command(["bogus", "x"])
    command.environment["SYNCJOB_LOG_FORMAT"] = "json"
    #expect(try lines(try command.run()).last?[path: "exit_status"] == .number(64))
    let list = home.command("status", "--log-format", "json")
    let script = "exec \"$@\" > /dev/full"
    let full = try Command("/bin/sh", ["-c", script, "sh", list.executable] + list.arguments).run()
    #expect(try lines(full).last?[path: "exit_status"] == .number(1), "\(full.standardError)")
  }

  @Test("has the results that a quiet command still prints in its form, too")
  func quietResults() throws {
    #expect(try home.command("run").run().ending == .exited(3))
    try FileBytes.write("ID3 other bytes", to: "\(home.library)/all/A.mp3")
    for command in [
      home.command("verify", "--deep", "-q", "--log-format", "json"),
      home.editing("remove", "-q", "--log-format", "json", "a"),
      home.command(["import", "files", home.folder.file("nowhere"), "-m", home.manifest, "-q", "--log-format", "json"]),
    ] {
      let result = try command.run()
      #expect(result.ending != .exited(0), "\(command.arguments)")
      #expect(try !lines(result).isEmpty, "\(command.arguments): \(result.standardError)")
    }
  }
}
