// SPDX-License-Identifier: Apache-2.0
import Glibc
import SyncTestSupport
import Testing

@Suite("hooks are told of each file, and of the run")
struct HookTests {
  private let home: LibraryFixture
  private let server: FaultServer

  init() throws {
    (home, server) = (try LibraryFixture(), try FaultServer())
    for name in ["a", "b", "c", "d", "e"] { server.serveAudio(name) }
  }

  /// - Parameter titles: The titles by item.
  private func declare(
    _ hooks: String, _ titles: KeyValuePairs<String, String> = ["a": "A", "b": "B"], more: String = ""
  ) throws {
    let items = titles.map { "{ id: \($0), title: \"\($1)\", url: \"\(server.url("/\($0).mp3"))\" }" }
    try home.declare(
      """
      downloads: { retries: 0, concurrency: 1 }
      hooks: \(hooks)
      \(more)
      playlists: { mix: { items: [ \(items.joined(separator: ", ")) ] } }
      """)
  }

  /// Writes a program next to the manifest.
  private func program(_ name: String, _ text: String) throws -> String {
    try Script.write("#!/bin/sh\ncd \"$(dirname \"$0\")\" || exit 99\n\(text)\n", to: home.folder.file(name))
    return "[./\(name)]"
  }

  /// The lines that the programs have written into a file next to the manifest.
  private func lines(_ name: String) throws -> [String] {
    let path = home.folder.file(name)
    guard access(path, F_OK) == 0 else { return [] }
    return try FileBytes.text(path).split(separator: "\n").map(String.init)
  }

  /// The sentences of the warnings in a report.
  private func warnings(_ report: JSONValue) -> [String] {
    guard case .array(let warnings)? = report[path: "warnings"] else { return [] }
    return warnings.map(\.description)
  }

  /// A program that tells of its call in one line.
  private func teller() throws -> String {
    try program(
      "tell",
      #"""
      cat >> json
      h=SYNCJOB_HOOK
      echo "$SYNCJOB_HOOK_TYPE $SYNCJOB_HOOK_ACTION$SYNCJOB_HOOK_EXIT_STATUS $SYNCJOB_HOOK_PATH" >> told
      """#)
  }

  @Test("a file that comes, changes its name and goes")
  func life() throws {
    let hook = try teller()
    try declare("{ item: \(hook), run: \(hook) }")
    #expect(try home.run().result.ending == .exited(0))
    #expect(try lines("told") == ["item download mix/A.mp3", "item download mix/B.mp3", "run 0 "])
    try declare("{ item: \(hook), run: \(hook) }", ["a": "Z"], more: "storage: { orphans: remove }")
    #expect(try home.run().result.ending == .exited(0))
    #expect(
      try lines("told").dropFirst(3) == ["item remove mix/B.mp3", "item move mix/Z.mp3", "run 0 "])
    let told = try lines("json")
    let removal = try JSONValue(Array(told[3].utf8))
    #expect(removal[path: "event"] == .string("item_removed"))
    #expect(removal[path: "id"] == .string("b"))
    #expect(removal[path: "title"] == .string("B"))
    #expect(removal[path: "playlist"] == .string("mix"))
    #expect(removal[path: "file"] == .string("\(home.library)/mix/B.mp3"))
    #expect(removal[path: "library"] == .string(home.library))
    let move = try JSONValue(Array(told[4].utf8))
    #expect(move[path: "from"] == .string("mix/A.mp3"))
    #expect(move[path: "path"] == .string("mix/Z.mp3"))
  }

  @Test("a file that is replaced")
  func replacement() throws {
    let hook = try teller()
    try home.declare(
      """
      downloads: { retries: 0 }
      hooks: { item: \(hook) }
      playlists:
        mix: { items: [{ id: a, title: A, url: "\(server.url("/a.mp3"))", alternatives: [{ url: "\(server.url("/b.mp3"))" }] }] }
      """)
    #expect(try home.run().result.ending == .exited(0))
    #expect(try home.editing("choose", "a", "2").run().ending == .exited(0))
    #expect(try home.run().result.ending == .exited(0))
    #expect(try lines("told") == ["item download mix/A.mp3", "item upgrade mix/A.mp3"])
  }

  @Test("a file that is evicted")
  func eviction() throws {
    let hook = try teller()
    try declare("{ item: \(hook) }", ["a": "A"])
    #expect(try home.run().result.ending == .exited(0))
    try declare(
      "{ item: \(hook) }", ["b": "B"],
      more:
        "storage: { budget: 10000, min_free: 0, orphans: evict-first, evict: { min_age: 0s }, trash: { keep: 0s } }")
    // The first of them learns the size.
    for _ in 1...2 { #expect(try home.run().result.ending == .exited(0)) }
    #expect(try lines("told") == ["item download mix/A.mp3", "item evict mix/A.mp3", "item download mix/B.mp3"])
  }

  @Test("a run with nothing to do, and with its report")
  func report() throws {
    let hook = try program(
      "hook", "cat > stdin; cmp stdin \"$SYNCJOB_HOOK_REPORT\" && echo \"$SYNCJOB_HOOK_OUTCOME\" >> told")
    try declare("{ run: \(hook) }")
    for _ in 1...3 { #expect(try home.run().result.ending == .exited(0)) }
    #expect(try lines("told") == ["ok", "ok", "ok"])
  }

  @Test("the library is closed and unlocked when the run is told")
  func closed() throws {
    let hook = try program(
      "hook",
      """
      ls -l /proc/$PPID/fd > fds; cat /proc/$PPID/maps > maps; ls -l /proc/$$/fd > own
      '\(home.command("retry").executable)' retry --manifest '\(home.manifest)' --all > nested 2>&1; echo $? > status
      """)
    try declare("{ run: \(hook) }")
    let command = home.command("run")
    #expect(try command.run().ending == .exited(0))
    for name in ["fds", "maps", "own"] {
      let open = try lines(name)
      #expect(!open.isEmpty && !open.contains { $0.contains(home.library) }, "\(name): \(open)")
    }
    let nested = try lines("nested")
    #expect(try lines("status") == ["0"], "\(nested)")
  }

  @Test("a file that an item's hook opens is the published one, and nothing of the run is open there")
  func descriptors() throws {
    let hook = try program(
      "hook", "head -c 3 \"$SYNCJOB_HOOK_FILE\" >> heads; ls /proc/$$/fd | tr '\\n' ' ' >> fds")
    try declare("{ item: \(hook) }", ["a": "A"])
    #expect(try home.run().result.ending == .exited(0))
    #expect(try lines("heads") == ["ID3"])
    // The shell opens 10 for its script.
    #expect(Set(try lines("fds").joined().split(separator: " ")).isSubset(of: ["0", "1", "2", "3", "10"]))
  }

  @Test("a failure is a warning, in the kept report, too", arguments: ["item", "run"])
  func failure(_ kind: String) throws {
    let hook = try program("hook", "echo noise; echo 'the player is off' >&2; exit 3")
    try declare("{ \(kind): \(hook) }", ["a": "A"])
    let (result, report) = try home.run()
    #expect(result.ending == .exited(0))
    let subject = kind == "item" ? " for \"A\"" : ""
    let words = "hooks.\(kind): \"\(home.folder.file("hook"))\"\(subject) ended with status 3: the player is off"
    #expect(warnings(report) == [words])
    let kept = try home.command("report", "--json").run()
    #expect(kept.standardOutput.contains("the player is off"), "\(kept.standardOutput)")
  }

  @Test("a failure fails the run where the manifest wants it", arguments: ["item", "run"])
  func fatal(_ kind: String) throws {
    let hook = try program("hook", "exit 3")
    try declare(
      "{ \(kind): \(hook), on_failure: fail }", ["a": "A"],
      more: "report: { json: ./report.json, metrics: ./m.prom, html: ./report.html }")
    let (result, report) = try home.run()
    #expect(result.ending == .exited(1))
    #expect(report[path: "exit_status"] == .number(1))
    let copy = try JSONValue(try FileBytes.read(home.folder.file("report.json")))
    #expect(copy[path: "exit_status"] == .number(1))
    let metrics = try lines("m.prom")
    #expect(metrics.contains { $0.hasPrefix("syncjob_last_run_exit_status{") && $0.hasSuffix(" 1") })
    #expect(metrics.contains { $0.hasPrefix("syncjob_last_success_timestamp_seconds{") && $0.hasSuffix(" 0") })
    #expect(metrics.contains { $0.hasPrefix("syncjob_downloaded_items_total{") && $0.hasSuffix(" 1") })
    #expect(try FileBytes.text(home.folder.file("report.html")).contains("ended with status 3"))
    #expect(try home.command("health").run().standardOutput.contains("1 failed"))
  }

  @Test("a program that is missing is a warning that names it, and is not called for ever")
  func missing() throws {
    try declare(
      "{ item: [./nowhere], run: [no-such-program-here, x] }",
      ["a": "A", "b": "B", "c": "C", "d": "D", "e": "E"])
    let (result, report) = try home.run()
    #expect(result.ending == .exited(0))
    let said = warnings(report)
    #expect(said.first?.hasPrefix("hooks.item: cannot start \"\(home.folder.file("nowhere"))\" for \"A\": ") == true)
    #expect(said.last?.hasPrefix("hooks.run: cannot start \"no-such-program-here\": ") == true, "\(said)")
    #expect(
      said.contains("hooks.item: not called for 2 more files, because 3 calls in a row came to no end of their own"),
      "\(said)")
  }

  @Test("one that hangs may put things in order, and is then ended with all that it started")
  func hanging() throws {
    let hook = try program(
      "hook", "trap 'echo asked >> told' TERM\nsleep 600 & echo $! >> pids\necho $$ >> pids\nwhile :; do wait; done")
    try declare("{ item: \(hook), timeout: 1s }", ["a": "A"])
    let (result, report) = try home.run()
    #expect(result.ending == .exited(0))
    let said = warnings(report)
    #expect(said.count == 1 && said[0].hasSuffix("did not end within 1.0 s (hooks.timeout) and was ended"), "\(said)")
    #expect(try lines("told") == ["asked"])
    for pid in try lines("pids").compactMap({ Int32($0) }) { #expect(eventually { kill(pid, 0) != 0 }, "\(pid)") }
  }

  @Test("what one leaves behind ends with it")
  func forking() throws {
    let hook = try program("hook", "sleep 600 & echo $! >> pids\n(sleep 600 & echo $! >> pids)")
    try declare("{ item: \(hook), run: \(hook) }", ["a": "A"])
    #expect(try home.run().result.ending == .exited(0))
    let pids = try lines("pids").compactMap { Int32($0) }
    #expect(pids.count == 4)
    for pid in pids { #expect(eventually { kill(pid, 0) != 0 }, "\(pid)") }
  }

  @Test("one that floods and does not read is neither stored nor waited for")
  func flooding() throws {
    let hook = try program("hook", "exec 0<&-; head -c 50000000 /dev/zero; head -c 50000000 /dev/zero >&2; exit 0")
    try declare("{ item: \(hook), run: \(hook) }", ["a": "A"])
    let (result, report) = try home.run()
    #expect(result.ending == .exited(0))
    #expect(warnings(report) == [])
    #expect(result.standardError.count < 1000)
  }

  @Test("a signal ends the hook with the run, in time", arguments: ["item", "run"])
  func stopped(_ kind: String) throws {
    let hook = try program("hook", "trap '' TERM\necho $$ > new; mv new pid; sleep 600 & wait; wait")
    try declare("{ \(kind): \(hook) }")
    let run = try home.command("run").start()
    let file = home.folder.file("pid")
    #expect(eventually { access(file, F_OK) == 0 })
    let start = ContinuousClock.now
    run.signal(SIGTERM)
    let result = run.wait(timeout: 10)
    #expect(result.ending == .exited(143), "\(result.standardError)")
    // Two seconds are promised; a busy machine has twice that.
    #expect(ContinuousClock.now - start < .seconds(4))
    let pid = try #require(Int32(try lines("pid").joined()))
    #expect(eventually { kill(pid, 0) != 0 })
    // A machine may be too busy for a report.
    guard !result.standardError.contains("the run did not end in time after the signal") else { return }
    #expect(result.standardOutput.contains("because the run was stopped"), "\(result.standardOutput)")
    #expect(try home.strays().isEmpty)
  }

  @Test("hooks are not called for a plan, a rehearsal, or by other commands")
  func plans() throws {
    let hook = try teller()
    try declare("{ item: \(hook), run: \(hook) }")
    #expect(try home.command("plan").run().ending == .exited(0))
    #expect(try home.command("run", "--dry-run").run().ending == .exited(0))
    #expect(try home.command("status").run().ending == .exited(0))
    #expect(try lines("told") == [])
  }

  @Test("what they are told fits into a variable, whatever the title")
  func variables() throws {
    let hook = try program(
      "hook", "printf %s \"$SYNCJOB_HOOK_TITLE\" | wc -m >> length; printf %s \"$SYNCJOB_HOOK_FROM\" | wc -c >> length")
    try declare("{ item: \(hook) }", ["a": "x" + String(repeating: "\u{301}", count: 200_000)])
    let (result, report) = try home.run()
    #expect(result.ending == .exited(0))
    #expect(warnings(report) == [])
    #expect(try lines("length").last == "0")
  }

  @Test("the arguments are not shown, because they may be secrets")
  func secrets() throws {
    try declare("{ run: [./nowhere, hush-hush] }", ["a": "A"])
    let shown = [
      try home.run().result, try home.command("validate", "--effective").run(), try home.command("status").run(),
    ]
    for result in shown {
      #expect(!(result.standardOutput + result.standardError).contains("hush-hush"))
    }
  }

  /// The programs of the manual, in its order.
  private func manualProgram(_ index: Int) throws -> String {
    try #require(try ManualPage("hooks.md").blocks("sh").dropFirst(index).first)
  }

  @Test("the manual's program for each file writes down the new ones")
  func exampleForItems() throws {
    try Script.write(try manualProgram(0), to: home.folder.file("new"))
    try declare("{ item: [./new] }")
    var command = home.command("run")
    command.environment["HOME"] = home.folder.path
    #expect(try command.run().ending == .exited(0))
    #expect(try lines("new-episodes.tsv") == ["A\t\(home.library)/mix/A.mp3", "B\t\(home.library)/mix/B.mp3"])
  }

  @Test("the manual's program for the run sends the titles, and nothing without any", .requires(Tool("jq")))
  func exampleForRun() throws {
    try Script.write(try manualProgram(1), to: home.folder.file("message"))
    try Script.write(
      "#!/bin/sh\necho \"$@\" >> \"$HOME/mails\"\ncat >> \"$HOME/mails\"\n", to: home.folder.file("mail"))
    try declare("{ run: [./message] }")
    var command = home.command("run")
    command.environment["HOME"] = home.folder.path
    command.environment["PATH"] = "\(home.folder.path):/usr/bin:/bin"
    for _ in 1...2 { #expect(try command.run().ending == .exited(0)) }
    #expect(try lines("mails") == ["-s New in manifest me@example.org", "A", "B"])
  }

  private static var canMount: Bool {
    do {
      return try Tool("unshare").command(["-rm", "mount", "-t", "tmpfs", "tmpfs", "/mnt"])?.run().ending == .exited(0)
    } catch { return false }
  }

  @Test(
    "the hook of the run can unmount the library's disk", .enabled(if: canMount, "mount namespaces are missing"))
  func unmounting() throws {
    let hook = try program("hook", "umount '\(home.library)'; echo $? > status; exec sync")
    try declare("{ run: \(hook) }")
    let command = home.command("run")
    let script = """
      mkdir -p "$1" && mount -t tmpfs tmpfs "$1" && shift && "$@"
      """
    let words = ["-rm", "sh", "-c", script, "sh", home.library, command.executable] + command.arguments
    let result = try #require(Tool("unshare").command(words)).run()
    #expect(result.ending == .exited(0), "\(result.standardOutput)\(result.standardError)")
    #expect(try lines("status") == ["0"])
  }

  @Test("a failed hook is told of although nothing else is", arguments: ["item", "run"])
  func quiet(_ kind: String) throws {
    let hook = try program("hook", "exit 3")
    try declare("{ \(kind): \(hook) }", ["a": "A"])
    let result = try home.command("run", "-q").run()
    #expect(result.ending == .exited(0) && result.standardOutput == "")
    #expect(result.standardError.hasPrefix("warning: hooks.\(kind): "), "\(result.standardError)")
    #expect(result.standardError.split(separator: "\n").count == 1)
  }

  @Test("a hook that takes the library away and fails gets a warning that the kept report does not have")
  func removing() throws {
    let hook = try program("hook", "rm -rf \"$SYNCJOB_HOOK_LIBRARY\"/.syncjob; exit 1")
    try declare("{ run: \(hook), on_failure: fail }", ["a": "A"])
    let (result, report) = try home.run()
    #expect(result.ending == .exited(1))
    let said = warnings(report)
    #expect(said.count == 2 && said[1].hasPrefix("the kept report does not say that the hook failed: "), "\(said)")
  }

  @Test("a newer run of the hook itself keeps its copies")
  func nested() throws {
    let run = home.command("run")
    let hook = try program(
      "hook", "[ -e once ] && exit 0; touch once; '\(run.executable)' run '\(home.manifest)' > inner; exit 3")
    try declare("{ run: \(hook), on_failure: fail }", ["a": "A"], more: "report: { json: ./report.json }")
    let (result, report) = try home.run()
    #expect(result.ending == .exited(1))
    let copy = try JSONValue(try FileBytes.read(home.folder.file("report.json")))
    #expect(copy[path: "exit_status"] == .number(0))
    #expect(copy[path: "run_id"] != report[path: "run_id"])
    let kept = "\(home.state)/reports/\(try #require(report[path: "run_id"]).description).json"
    #expect(try JSONValue(try FileBytes.read(kept))[path: "exit_status"] == .number(1))
  }

  @Test("a signal during a hook is in every copy of the report")
  func stoppedCopies() throws {
    let hook = try program("hook", "touch began; sleep 600")
    try declare("{ run: \(hook) }", ["a": "A"], more: "report: { json: ./report.json, metrics: ./m.prom }")
    let run = try home.command("run").start()
    let file = home.folder.file("began")
    #expect(eventually { access(file, F_OK) == 0 })
    run.signal(SIGTERM)
    #expect(run.wait(timeout: 10).ending == .exited(143))
    let copy = try JSONValue(try FileBytes.read(home.folder.file("report.json")))
    #expect(copy[path: "exit_status"] == .number(143))
    #expect(try lines("m.prom").contains { $0.hasPrefix("syncjob_last_run_exit_status{") && $0.hasSuffix(" 143") })
  }

  @Test(
    "a signal while a hook that is over its time still has its grace, and a second signal, end it", arguments: [1, 2])
  func stoppedInGrace(_ signals: Int) throws {
    let hook = try program("hook", "trap '' TERM\necho $$ > new; mv new pid\nwhile :; do sleep 0.2; done")
    try declare("{ item: \(hook), timeout: 1s }", ["a": "A"])
    let run = try home.command("run").start()
    let file = home.folder.file("pid")
    #expect(eventually { access(file, F_OK) == 0 })
    if signals == 1 { usleep(2_000_000) }
    for _ in 0..<signals {
      run.signal(SIGTERM)
      usleep(100_000)
    }
    let result = run.wait(timeout: 10)
    #expect(result.ending == .exited(143), "\(result.standardError)")
    #expect(!result.standardError.contains("cut off"), "\(result.standardError)")
    let pid = try #require(Int32(try lines("pid").joined()))
    #expect(eventually { kill(pid, 0) != 0 })
  }

  @Test("a secret of the manifest is not shown in what a hook writes")
  func masked() throws {
    let hook = try program("hook", "echo \"the token is $TOKEN\"; exit 1")
    try home.declare(
      """
      hooks: { item: \(hook), run: \(hook) }
      playlists:
        mix:
          auth: { user: anna, password: "${TOKEN}" }
          items: [{ id: a, title: A, url: "\(server.url("/a.mp3"))" }]
      """)
    var command = home.command("run")
    command.environment["TOKEN"] = "supersecretvalue99"
    let result = try command.run()
    #expect(result.ending == .exited(0), "\(result.standardError)")
    let traces = try home.traces(result)
    #expect(traces.contains("the token is ***") && !traces.contains("supersecret"), "\(result.standardOutput)")
  }
}
