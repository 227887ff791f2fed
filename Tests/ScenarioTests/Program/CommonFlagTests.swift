// SPDX-License-Identifier: Apache-2.0
import SyncFormats
import SyncTestSupport
import Testing

@Suite("flags that all commands have")
struct CommonFlagTests {
  private func commands() throws -> [(name: String, definition: CommandDefinition)] {
    let result = try Command(try #require(Program.syncjob), ["--experimental-dump-help"]).run()
    let program = try CommandDefinition(parsing: result.stdout)
    func leaves(_ command: CommandDefinition, _ words: [String]) -> [(String, CommandDefinition)] {
      guard !command.subcommands.isEmpty else { return [(words.joined(separator: " "), command)] }
      return command.subcommands.flatMap { leaves($0, words + [$0.name]) }
    }
    return leaves(program, [])
  }

  @Test("every command takes -m, --now, --json, -q, -v and --no-color")
  func common() throws {
    let commands = try commands()
    #expect(commands.count > 20)
    // They need no manifest.
    for (name, command) in commands where !["import opml", "schema", "manual-page"].contains(name) {
      // The result of cat is the media.
      let own = name == "cat" ? [] : ["json"]
      for flag in ["manifest", "now", "quiet", "verbose", "no-color"] + own {
        #expect(command.flag(long: flag) != nil, "\(name) lacks --\(flag)")
      }
      #expect(command.flag(short: "m")?.long == ["manifest"], "\(name)")
    }
  }

  @Test("every command that takes the lock has -n")
  func rehearsals() throws {
    for (name, command) in try commands() where command.flag(long: "lock-wait") != nil {
      #expect(command.flag(long: "dry-run")?.short == ["n"], "\(name) lacks --dry-run")
    }
  }
}
