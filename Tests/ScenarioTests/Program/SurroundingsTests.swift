// SPDX-License-Identifier: Apache-2.0

import SyncTestSupport
import Testing

/// The system gives the process less than usual.
@Suite("poor surroundings")
struct SurroundingsTests {
  private let home: LibraryFixture

  init() throws {
    home = try LibraryFixture()
    try home.declare("playlists: { all: { items: [{ id: a, title: A, url: \"http://127.0.0.1:9/a.mp3\" }] } }")
  }

  private func shell(in name: String = "sh", _ script: String, _ arguments: String...) throws -> CommandResult {
    let program = home.command("").executable
    return try Command(try #require(Tool(name).path), ["-c", script, program] + arguments).run()
  }

  @Test(
    "without /proc the arguments are what they were",
    .enabled(if: Requirement("unshare -m umount -l /proc").lack == nil, "/proc cannot be unmounted here"))
  func noProc() throws {
    let unmounted = { (arguments: String...) throws -> CommandResult in
      let unshare = try #require(Tool("unshare").path)
      let words = ["-m", "sh", "-c", "umount -l /proc && cd \"$1\" && shift && exec \"$0\" \"$@\""]
      return try Command(unshare, words + [home.command("").executable, home.folder.path] + arguments).run()
    }
    // A run without arguments would use this manifest.
    try FileBytes.write(try FileBytes.text(home.manifest), to: home.folder.file("syncjob.yaml"))
    let version = try unmounted("--version")
    #expect(version.ending == .exited(0) && version.standardOutput.hasPrefix("syncjob "), "\(version.standardError)")
    #expect(try unmounted("plan", "--help").standardOutput.hasPrefix("OVERVIEW: "))
    // libdispatch may trap here in a busy process, so only the damage is checked.
    let plan = try unmounted("run", "manifest.yaml", "--dry-run")
    #expect(plan.ending != .exited(0) || plan.standardOutput.contains("Plan: 1 to download"), "\(plan.standardError)")
    #expect(try unmounted("remove", "--nonsense").ending == .exited(64))
    #expect(try !FileTree.names(home.folder.path).contains("library"))
  }

  @Test(
    "an empty command line is refused with a sentence", .requires(Tool("bash")))
  func noArguments() throws {
    let result = try shell(in: "bash", "exec -a '' \"$0\" \"$@\"", "run", home.manifest)
    #expect(result.ending == .exited(64))
    #expect(result.standardError.hasPrefix("syncjob: error: the command line is empty"))
    #expect(try !FileTree.names(home.folder.path).contains("library"))
  }

  @Test("the nice value is left as it is", .requires(.strace))
  func niceness() throws {
    let server = try FaultServer()
    server.serveAudio("a")
    try home.declare("playlists: { all: { items: [{ id: a, title: A, url: \"\(server.url("/a.mp3"))\" }] } }")
    let (command, log) = (home.command("run"), home.folder.file("strace.log"))
    let words = ["-qq", "-f", "-o", log, "-e", "trace=setpriority,write", command.executable]
    #expect(try #require(Tool.strace.command(words + command.arguments)).run().ending == .exited(0))
    let calls = try FileBytes.text(log)
    #expect(calls.contains("write(") && !calls.contains("setpriority("))
  }

  @Test("too few descriptors end in a sentence", arguments: [4, 5, 6, 8, 12, 23])
  func descriptors(limit: Int) throws {
    let result = try shell("ulimit -n \(limit); exec \"$0\" \"$@\"", "plan", home.manifest)
    #expect(result.ending == .exited(1))
    #expect(
      result.standardError
        == "syncjob: error: the process may open only \(limit) files at a time and needs 24; raise the limit (ulimit -n 24)\n"
    )
  }

  @Test("a soft limit of descriptors is raised as far as the hard one allows")
  func softDescriptors() throws {
    let result = try shell("ulimit -S -n 6; exec \"$0\" \"$@\"", "plan", home.manifest)
    #expect(result.ending == .exited(0), "\(result.standardError)")
  }

  @Test("a small stack is enough", arguments: [64, 256])
  func stack(kibibytes: Int) throws {
    let result = try shell("ulimit -s \(kibibytes); exec \"$0\" \"$@\"", "plan", home.manifest)
    #expect(result.ending == .exited(0), "\(result.ending) \(result.standardError)")
  }

  @Test(
    "threads that cannot be started end in a sentence", .requires(.strace),
    arguments: [("EAGAIN", "too many processes, or too little memory"), ("EPERM", "operation not permitted")])
  func threads(error: String, words: String) throws {
    for first in [1, 2, 4] {
      let command = home.command("run")
      let strace = try #require(
        Tool.strace.command(
          ["-qq", "-f", "-o", "/dev/null", "-e", "trace=clone3"]
            + ["-e", "inject=clone3:error=\(error):when=\(first)+", command.executable] + command.arguments))
      let result = try strace.run()
      #expect(result.ending == .exited(1), "\(first): \(result.ending)")
      #expect(
        result.standardError.hasPrefix("syncjob: error: the system refuses the threads that syncjob needs: \(words); "),
        "\(first): \(result.standardError)")
    }
  }

  @Test(
    "system calls that old sandboxes refuse are done without", .requires(.strace),
    arguments: ["faccessat2", "openat2", "statx", "close_range", "copy_file_range"])
  func refusedCalls(call: String) throws {
    let server = try FaultServer()
    server.serveAudio("a")
    try home.declare("playlists: { all: { items: [{ id: a, title: A, url: \"\(server.url("/a.mp3"))\" }] } }")
    let command = home.command("run")
    let strace = try #require(
      Tool.strace.command(
        ["-qq", "-f", "-o", "/dev/null", "-e", "trace=\(call)", "-e", "inject=\(call):error=EPERM", command.executable]
          + command.arguments))
    let result = try strace.run()
    #expect(result.ending == .exited(0), "\(result.ending) \(result.standardError)")
    #expect(try home.ownedPaths() == ["all/A.mp3"])
  }
}
