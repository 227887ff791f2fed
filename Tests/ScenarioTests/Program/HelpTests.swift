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

  @Test("help is the same however it is asked for")
  func ways() throws {
    #expect(try output("help") == output("--help"))
    #expect(try output("-h") == output("--help"))
    #expect(try output("--help").contains("\nEXAMPLES:\n  syncjob init car.yaml"))
    #expect(try output("help", "state", "export") == output("state", "export", "-h"))
    #expect(try output("car.yaml", "--help") == output("run", "--help"))
  }

  @Test(
    "options before a command, and a topic that is none, get the message that fits",
    arguments: [
      (["-v", "status", "car.yaml"], "the command comes before its options: syncjob status …"),
      (["--json", "list", "--state", "failed"], "the command comes before its options: syncjob list …"),
      (["help", "nope"], "there is no command \"nope\"; see the commands with: syncjob --help"),
      (["help", "plna"], "there is no command \"plna\"; did you mean: syncjob help plan"),
    ])
  func mistakes(_ arguments: [String], _ words: String) throws {
    let result = try Command(try #require(Program.syncjob), arguments).run()
    #expect(result.ending == .exited(64))
    #expect(result.standardError == "syncjob: error: \(words)\n")
  }
}
