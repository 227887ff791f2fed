// SPDX-License-Identifier: Apache-2.0
import SyncFormats
import SyncTestSupport
import Testing

@Suite("help")
struct HelpTests {
  private func output(_ arguments: String...) throws -> String { try output(arguments) }

  private func output(_ arguments: [String]) throws -> String {
    let result = try Command(try #require(Program.syncjob), arguments).run()
    #expect(result.ending == .exited(0), "\(arguments): \(result.standardError)")
    return result.standardOutput
  }

  @Test("the help of every command ends with examples of that command")
  func examples() throws {
    let program = try CommandDefinition(parsing: Array(try output("--experimental-dump-help").utf8))
    func check(_ command: CommandDefinition, _ words: [String]) throws {
      let text = try output(words + ["--help"])
      let lines = text.split(separator: "\nEXAMPLES:\n").last?.split(separator: "\n") ?? []
      #expect((1...3).contains(lines.count), "\(words): \(text)")
      let call = "  syncjob \(words == ["run"] ? "" : words.joined(separator: " "))"
      #expect(lines.allSatisfy { $0.hasPrefix(call) && $0.contains("  # ") }, "\(words): \(lines)")
      for subcommand in command.subcommands { try check(subcommand, words + [subcommand.name]) }
    }
    for command in program.subcommands { try check(command, [command.name]) }
  }

  @Test("the usage of every command fits into 80 columns")
  func usage() throws {
    let program = try CommandDefinition(parsing: Array(try output("--experimental-dump-help").utf8))
    func check(_ command: CommandDefinition, _ words: [String]) throws {
      let lines = try output(words + ["--help"]).split(separator: "\n").drop { !$0.hasPrefix("USAGE:") }
        .prefix { $0.hasPrefix("USAGE:") || $0.hasPrefix("  ") && !$0.hasPrefix("  <") }
      #expect(!lines.isEmpty && lines.allSatisfy { $0.count <= 80 }, "\(words): \(lines)")
      for subcommand in command.subcommands { try check(subcommand, words + [subcommand.name]) }
    }
    for command in program.subcommands { try check(command, [command.name]) }
  }

  @Test("an example that hands JSON to jq names a field that the command prints", arguments: ["status", "list"])
  func jsonPaths(_ command: String) throws {
    let home = try LibraryFixture()
    let server = try FaultServer()
    server.serveAudio("a")
    try home.declare("playlists: { mix: { items: [ { id: a, url: \"\(server.url("/a.mp3"))\" } ] } }")
    #expect(try home.run().result.ending == .exited(0))
    let line = try #require(try output(command, "--help").split(separator: "\n").first { $0.contains("| jq ") })
    let path = try #require(line.split(separator: " ").first { $0.hasPrefix(".") }).dropFirst()
    let document = try JSONValue(home.command(command, "--json").run().stdout)
    #expect(document[path: String(path)] != nil, "\(line)")
  }

  @Test("help is the same however it is asked for")
  func ways() throws {
    #expect(try output("help") == output("--help"))
    #expect(try output("-h") == output("--help"))
    #expect(try output("--help").contains("\nEXAMPLES:\n  syncjob init car.yaml"))
    #expect(try output("help", "state", "export") == output("state", "export", "-h"))
    #expect(try output("car.yaml", "--help") == output("run", "--help"))
  }

  @Test(
    "options before a command, a topic that is none, and arguments that exclude each other get the message that fits",
    arguments: [
      (["-v", "status", "car.yaml"], "the command comes before its options: syncjob status …"),
      (["--json", "list", "--state", "failed"], "the command comes before its options: syncjob list …"),
      (
        ["status", "-m", "a.yaml", "--manifest=b.yaml"],
        "two manifests are named, \"a.yaml\" and \"b.yaml\"; name one of them"
      ),
      (
        ["pin", "-m", "a.yaml", "-m=b.yaml", "x"],
        "two manifests are named, \"a.yaml\" and \"b.yaml\"; name one of them"
      ),
      (["init", ""], "the name of the manifest is empty; name a file such as car.yaml"),
      ([""], "the name of the manifest is empty; name a file such as car.yaml"),
      (["remove", "--playlist", "home", "--all"], "name only one of --playlist and --all"),
      (
        ["pause", "-xh"],
        "pause has no option -x; see: syncjob pause --help (an argument that begins with a dash comes after --)"
      ),
      (["help", "nope"], "there is no command \"nope\"; see the commands with: syncjob --help"),
      (["help", "plna"], "there is no command \"plna\"; did you mean: syncjob help plan"),
    ])
  func mistakes(_ arguments: [String], _ words: String) throws {
    let result = try Command(try #require(Program.syncjob), arguments).run()
    #expect(result.ending == .exited(64))
    #expect(result.standardError == "syncjob: error: \(words)\n")
  }
}
