// SPDX-License-Identifier: Apache-2.0

import Glibc
import SyncTestSupport
import Testing

@Suite("a run that is stopped")
struct StopTests {
  @Test("SIGTERM while a feed is being read ends the run; nothing is planned by half of the sources")
  func whileReadingSources() throws {
    let home = try LibraryFixture()
    let server = try FaultServer()
    let gate = try Gate()
    server.serve("/feed.xml", Resource(text: "<rss/>"))
    server.script("/feed.xml", [.holdBack(gate)])
    try home.declare(
      """
      playlists:
        brief: { feed: "\(server.url("/feed.xml"))" }
        other: { items: [{ id: a, title: A, url: "\(server.url("/a.mp3"))" }] }
      """)
    let run = try home.command("run", "--json").start()
    #expect(gate.waitForArrival())
    run.signal(SIGTERM)
    let result = run.wait(timeout: 10)
    #expect(result.ending == .exited(143), "\(result.standardError)")
    let report = try JSONValue(result.stdout)
    #expect(report[path: "outcome"] == .string("interrupted"))
    #expect(report[path: "warnings.count"] == .number(0))
    #expect(server.requests.map(\.path) == ["/feed.xml"])
    gate.open()
  }

  @Test("SIGINT while another run holds the lock ends the one that waits, and only that")
  func whileWaitingForTheLock() throws {
    let home = try LibraryFixture()
    let server = try FaultServer()
    let gate = try Gate()
    server.serveAudio("a")
    server.script("/a.mp3", [.hold(after: 1000, gate)])
    try home.declare("playlists: { all: { items: [{ id: a, title: A, url: \"\(server.url("/a.mp3"))\" }] } }")
    let first = try home.command("run", "--quiet").start()
    #expect(gate.waitForArrival())
    let second = try home.command("run", "--lock-wait", "10m").start()
    #expect(eventually { holdsOpen("\(home.state)/lock", second.pid) })
    second.signal(SIGINT)
    let result = second.wait(timeout: 10)
    #expect(result.ending == .exited(130))
    #expect(result.standardOutput.isEmpty)
    let lines = result.standardError.split(separator: "\n")
    #expect(lines.count == 2 && lines[0].hasSuffix("waiting up to 10 min for it to end"))
    #expect(lines.last == "syncjob: error: ended by a signal before anything was changed")
    gate.open()
    #expect(first.wait().ending == .exited(0))
  }

  @Test("SIGTERM while a pipe is waited for that should bring a secret ends the run")
  func whileWaitingForASecret() throws {
    let home = try LibraryFixture()
    let pipe = home.folder.file("secret")
    #expect(mkfifo(pipe, 0o600) == 0)
    try home.declare(
      """
      playlists: { all: { auth: { bearer_file: ./secret }, items: [{ id: a, url: "http://127.0.0.1:9/a.mp3" }] } }
      """)
    let run = try home.command("run").start()
    #expect(eventually { holdsOpen(pipe, run.pid) })
    run.signal(SIGTERM)
    let result = run.wait(timeout: 10)
    #expect(result.ending == .exited(143), "\(result.standardError)")
  }

  @Test("a program that prints its secret in drips ends with the run that is stopped")
  func whileASecretDrips() throws {
    let home = try LibraryFixture()
    try FileBytes.write(
      "echo $$ > new; mv new pid; while printf x; do sleep 0.02; done\n", to: home.folder.file("drip.sh"))
    try home.declare(
      """
      playlists:
        all:
          auth: { bearer_command: [sh, -c, "cd '\(home.folder.path)'; . ./drip.sh"] }
          items: [{ id: a, url: "http://127.0.0.1:9/a.mp3" }]
      """)
    let run = try home.command("run").start()
    #expect(eventually { access(home.folder.file("pid"), F_OK) == 0 })
    run.signal(SIGTERM)
    let result = run.wait(timeout: 10)
    #expect(result.ending == .exited(143), "\(result.standardError)")
    let drip = try #require(Int32(try FileBytes.text(home.folder.file("pid")).split(separator: "\n").joined()))
    #expect(eventually { kill(drip, 0) != 0 })
  }

  /// A database that asks for a sum over all numbers there are. The job asks for rows of a certain type and name: SQLite
  /// ends a query at once for which a view can have no such rows.
  private func endlessDatabase(_ home: LibraryFixture) throws -> String {
    let path = home.folder.file("sticker.sql")
    _ = try SQLiteFile(
      path,
      "CREATE VIEW sticker AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)"
        + " SELECT 'song' AS type, 'u' || i AS uri, 'playCount' AS name, i AS value FROM n")
    try home.declare(
      """
      history: [{ mpd_stickers: ./sticker.sql }]
      downloads: { retries: 0 }
      playlists: { all: { items: [{ id: a, url: "http://127.0.0.1:9/a.mp3" }] } }
      """)
    return path
  }

  @Test("a database whose query has no end does not keep a run from being stopped")
  func whileReadingADatabase() throws {
    let home = try LibraryFixture()
    let database = try endlessDatabase(home)
    let run = try home.command("run").start()
    #expect(eventually { holdsOpen(database, run.pid) })
    let start = ContinuousClock.now
    run.signal(SIGTERM)
    let result = run.wait(timeout: 10)
    #expect(result.ending == .exited(143), "\(result.standardError)")
    // Two seconds are promised; a busy machine has twice that.
    #expect(ContinuousClock.now - start < .seconds(4))
    #expect(!result.standardError.contains("did not end in time"), "\(result.standardError)")
  }

  @Test("a database whose query has no end is given up with a sentence")
  func endlessHistory() throws {
    let home = try LibraryFixture()
    let database = try endlessDatabase(home)
    let result = try home.command("run").run(timeout: 120)
    #expect(result.ending == .exited(3), "\(result.standardError)")
    let said = result.standardOutput + result.standardError
    #expect(
      said.contains(
        "history \"\(database)\": reading the database takes too long and was given up. See whether its tables are"
          + " views, or name a copy that its player wrote"), "\(said)")
  }

  @Test(
    "a run that hangs in a system call is cut off in time, and the next one goes on from there", .requires(.strace))
  func cutOff() throws {
    let (home, server, gate) = try householdOfSlowFile(heldAfter: 300_000)
    defer { withExtendedLifetime(server) {} }
    let command = home.command("run")
    let log = home.folder.file("strace.log")
    // The first flush of the journal does not come back for ten seconds.
    let started = try #require(
      Tool.strace.command(
        ["-qq", "-f", "-ttt", "-o", log, "-P", "\(home.state)/download_queue.journal", "-e", "signal=SIGTERM"]
          + ["-e", "trace=fsync,fdatasync", "-e", "inject=fsync,fdatasync:delay_enter=10000000", command.executable]
          + command.arguments)
    ).start()
    #expect(gate.waitForArrival())
    #expect(try eventually { try FileBytes.text(log).contains("sync(") })
    kill(try #require(try child(of: started.pid)), SIGTERM)
    let result = started.wait(timeout: 60)
    gate.open()
    #expect(result.ending == .exited(143), "\(result.standardError)")
    #expect(result.standardError.contains("did not end in time after the signal"), "\(result.standardError)")
    // strace itself waits for the ten seconds to be over: its log tells when the process was gone.
    let signal = try #require(try time(of: "--- SIGTERM", log))
    let end = try #require(try time(of: "sync resumed>) ", log))
    #expect(end - signal < 4, "\(log)")
    #expect(try home.command("run").run().ending == .exited(0))
    #expect(try home.ownedPaths() == ["all/A.mp3"])
    #expect(try home.strays().isEmpty)
  }

  /// A household with one item, whose server stops after some bytes of the file until the gate opens.
  private func householdOfSlowFile(heldAfter count: Int) throws -> (LibraryFixture, FaultServer, Gate) {
    let (home, server, gate) = (try LibraryFixture(), try FaultServer(), try Gate())
    let body = GeneratedAudio(title: "A", seconds: 1, seed: 1).body(count: 400_000)
    server.serve("/a.mp3", Resource(body: body, etag: "\"1\""))
    server.script("/a.mp3", [.hold(after: count, gate)])
    try home.declare("playlists: { all: { items: [{ id: a, title: A, url: \"\(server.url("/a.mp3"))\" }] } }")
    return (home, server, gate)
  }

  /// The program that strace runs.
  private func child(of pid: Int32) throws -> Int32? {
    try FileBytes.text("/proc/\(pid)/task/\(pid)/children").split(separator: " ").first.flatMap { Int32($0) }
  }

  /// When the first line with that text was written, in seconds since 1970.
  private func time(of text: String, _ log: String) throws -> Double? {
    try FileBytes.text(log).split(separator: "\n").first { $0.contains(text) }.flatMap {
      $0.split(separator: " ").dropFirst().first.flatMap { Double($0) }
    }
  }

  @Test("SIGHUP, as of a terminal that is closed, works like SIGTERM; under nohup it is ignored")
  func hangUp() throws {
    let (home, server, gate) = try householdOfSlowFile(heldAfter: 150_000)
    defer { withExtendedLifetime(server) {} }
    let run = try home.command("run", "--json").start()
    #expect(gate.waitForArrival())
    run.signal(SIGHUP)
    let result = run.wait(timeout: 10)
    gate.open()
    #expect(result.ending == .exited(129), "\(result.standardError)")
    #expect(try JSONValue(result.stdout)[path: "outcome"] == .string("interrupted"))
    #expect(try JSONValue(result.stdout)[path: "items.0.outcome"] == .string("paused"))

    let again = try Gate()
    server.script("/a.mp3", [.hold(after: 200_000, again)])
    let command = home.command("run")
    let ignoring = try Command(
      "/bin/sh", ["-c", "trap '' HUP; exec \"$0\" \"$@\"", command.executable] + command.arguments
    )
    .start()
    #expect(again.waitForArrival())
    ignoring.signal(SIGHUP)
    again.open()
    #expect(ignoring.wait().ending == .exited(0))
  }

  @Test("a secret may come through a pipe")
  func secretFromAPipe() throws {
    let home = try LibraryFixture()
    let server = try FaultServer()
    server.serveAudio("a")
    try home.declare(
      """
      playlists:
        all: { auth: { bearer_file: /dev/stdin }, items: [{ id: a, title: A, url: "\(server.url("/a.mp3"))" }] }
      """)
    let program = try #require(Program.syncjob)
    let result = try Command("/bin/sh", ["-c", "echo t0k3n | '\(program)' run '\(home.manifest)'"]).run()
    #expect(result.ending == .exited(0), "\(result.standardError)")
    #expect(server.requests.first?.authorization == "Bearer t0k3n")
  }

  @Test("what is paused says what the run has fetched, and in how many requests")
  func pausedInNumbers() throws {
    let home = try LibraryFixture()
    let server = try FaultServer()
    let gate = try Gate()
    let body = GeneratedAudio(title: "A", seconds: 1, seed: 1).body(count: 400_000)
    server.serve("/a.mp3", Resource(body: body, etag: "\"1\""))
    server.script("/a.mp3", [.breakOff(after: 100_000), .hold(after: 150_000, gate)])
    try home.declare(
      """
      downloads: { retries: 1, backoff: { initial: 1ms } }
      playlists: { all: { items: [{ id: a, title: A, url: "\(server.url("/a.mp3"))" }] } }
      """)
    let run = try home.command("run", "--json").start()
    #expect(gate.waitForArrival())
    run.signal(SIGTERM)
    let result = run.wait(timeout: 10)
    gate.open()
    #expect(result.ending == .exited(143), "\(result.standardError)")
    let report = try JSONValue(result.stdout)
    #expect(report[path: "items.0.outcome"] == .string("paused"))
    #expect(report[path: "items.0.bytes"] == (try home.list()["a"]?[path: "bytes_received"]))
    #expect(report[path: "items.0.attempts"] == .number(2))
  }

  @Test("what comes is recorded as it reaches the disk, about every second, while the transfer goes on")
  func checkpoints() throws {
    let home = try LibraryFixture()
    let server = try FaultServer()
    let size = 8 << 20
    server.serve(
      "/a.mp3", Resource(body: GeneratedAudio(title: "A", seconds: 1, seed: 1).body(count: size), etag: "\"a\""))
    server.script("/a.mp3", [.throttle(bytesPerSecond: 2 << 20)])
    try home.declare("playlists: { all: { items: [{ id: a, title: A, url: \"\(server.url("/a.mp3"))\" }] } }")
    let run = try home.command("run", "--quiet").start()
    let isRecorded = try eventually {
      guard case .number(let bytes)? = try home.list()["a"]?[path: "bytes_received"] else { return false }
      return bytes > 0 && bytes < Double(size)
    }
    #expect(isRecorded)
    run.signal(SIGKILL)
    #expect(run.wait().ending == .killed(signal: 9))
  }

  private func holdsOpen(_ path: String, _ pid: Int32) -> Bool {
    (3..<40).contains { descriptor in
      var buffer = [CChar](repeating: 0, count: 4096)
      let count = readlink("/proc/\(pid)/fd/\(descriptor)", &buffer, buffer.count)
      return count > 0 && String(decoding: buffer[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self) == path
    }
  }
}
