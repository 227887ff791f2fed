// SPDX-License-Identifier: Apache-2.0
import Glibc
import SyncFormats
import SyncTestSupport
import Testing

@Suite("variables for flags, through the program")
struct VariableFlagTests {
  private let home: Household
  private let server: FaultServer

  init() throws {
    home = try Household()
    server = try FaultServer()
    server.serve("/a.mp3", Resource(bytes: GeneratedAudio(title: "a", seconds: 1, seed: 1).bytes))
    try home.declare("playlists: { mix: { items: [ { id: a, url: \"\(server.url("/a.mp3"))\" } ] } }")
  }

  private func run(_ variables: [String: String], _ options: String...) throws -> CommandResult {
    var command = home.command("run", options: options)
    for (name, value) in variables { command.environment[name] = value }
    return try command.run()
  }

  @Test("SYNCJOB_DRY_RUN=1 makes a run a dry run", arguments: ["1", "true", "yes", "on", "YES"])
  func dryRun(_ yes: String) throws {
    let result = try run(["SYNCJOB_DRY_RUN": yes])
    #expect(result.ending == .exited(0))
    #expect(result.standardOutput.contains("1 to download"))
    #expect(access(home.library, F_OK) != 0)
    #expect(server.requests.isEmpty)
  }

  @Test("SYNCJOB_DRY_RUN=0 leaves a run a run")
  func realRun() throws {
    #expect(try run(["SYNCJOB_DRY_RUN": "off"]).ending == .exited(0))
    #expect(try FileTree.files(home.library).contains { $0.hasSuffix(".mp3") })
  }

  @Test(
    "a misspelt variable, and one with a misspelt word, stop the program before it does anything",
    arguments: [
      (["SYNCJOB_DRYRUN": "1"], "$SYNCJOB_DRYRUN belongs to no flag of any command; did you mean $SYNCJOB_DRY_RUN?"),
      (
        ["SYNCJOB_DRY_RUN": "y"],
        "$SYNCJOB_DRY_RUN must be 1, true, yes, on, 0, false, no or off, but is \"y\""
      ),
      (
        ["SYNCJOB_REPAIR": "x"], "$SYNCJOB_REPAIR must be 1, true, yes, on, 0, false, no or off, but is \"x\""
      ),
      (["SYNCJOB_MAX_DELETE": "x"], "$SYNCJOB_MAX_DELETE must be a percentage such as 25%, or a number, but is \"x\""),
    ])
  func misspelt(_ variables: [String: String], _ sentence: String) throws {
    let result = try run(variables)
    #expect(result.ending == .exited(64))
    #expect(result.standardError == "syncjob: error: \(sentence)\n")
    #expect(access(home.library, F_OK) != 0)
  }

  @Test("help and the version are given whatever the variables say")
  func questions() throws {
    #expect(try run(["SYNCJOB_TYPO": "1"], "--help").ending == .exited(0))
    #expect(try run(["SYNCJOB_TYPO": "1"], "--version").ending == .exited(0))
  }

  /// The definition is the argument parser's own, for every command of the program as it was built.
  @Test("each long flag of each command can be set by its variable")
  func everyFlag() throws {
    var command = home.command("run")
    command.arguments = ["--experimental-dump-help"]
    let program = try CommandDefinition(parsing: try command.run().stdout)
    let commands = leaves(program)
    #expect(commands.count > 20)
    for command in commands {
      for flag in command.flags {
        for name in flag.long where name != "manifest" {
          let settings = try VariableSettings(
            [VariableSettings.variable(of: name): "1"], for: command, of: { () throws(JSONError) in program }, typed: []
          )
          #expect(settings.arguments == [flag.takesValue ? "--\(name)=1" : "--\(name)"], "\(command.name) --\(name)")
        }
      }
    }
  }

  private func leaves(_ command: CommandDefinition) -> [CommandDefinition] {
    command.subcommands.isEmpty ? [command] : command.subcommands.flatMap(leaves)
  }
}
