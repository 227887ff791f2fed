// SPDX-License-Identifier: Apache-2.0
import Glibc
import SyncFormats
import SyncTestSupport
import Testing

@Suite("variables for flags, through the program")
struct VariableFlagTests {
  private let home: LibraryFixture
  private let server: FaultServer

  init() throws {
    home = try LibraryFixture()
    server = try FaultServer()
    server.serveAudio("a")
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

  @Test(
    "help and version are no settings: their variables change nothing", arguments: ["SYNCJOB_HELP", "SYNCJOB_VERSION"])
  func questionsAsVariables(_ name: String) throws {
    for value in ["1", "0.1.0"] {
      let result = try run([name: value], "--dry-run")
      #expect(result.ending == .exited(0), "\(result.standardError)")
      #expect(result.standardOutput.contains("1 to download"))
    }
  }

  @Test("help and the version are given whatever the variables say")
  func questions() throws {
    #expect(try run(["SYNCJOB_TYPO": "1"], "--help").ending == .exited(0))
    #expect(try run(["SYNCJOB_TYPO": "1"], "--version").ending == .exited(0))
  }

  private func expect(
    _ words: String, of command: Command, with variables: [String: String],
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    var command = command
    for (name, value) in variables { command.environment[name] = value }
    let result = try command.run()
    #expect(result.ending == .exited(64), "\(result)", sourceLocation: sourceLocation)
    #expect(result.standardError == "syncjob: error: \(words)\n", sourceLocation: sourceLocation)
  }

  @Test(
    "no variable orders a removal: remove refuses it by its name, and removes nothing",
    arguments: [
      (["SYNCJOB_PLAYLIST": "mix"], ["a"], "SYNCJOB_PLAYLIST", "--playlist"),
      (["SYNCJOB_PLAYLIST": "mix"], ["--all", "--yes"], "SYNCJOB_PLAYLIST", "--playlist"),
      (["SYNCJOB_PLAYLIST": "mix"], [], "SYNCJOB_PLAYLIST", "--playlist"),
      (["SYNCJOB_ALL": "1", "SYNCJOB_YES": "0"], [], "SYNCJOB_ALL", "--all"),
      (["SYNCJOB_YES": "1"], ["--all"], "SYNCJOB_YES", "--yes"),
      (["SYNCJOB_ALL": "yes"], ["--dry-run", "--yes"], "SYNCJOB_ALL", "--all"),
    ])
  func removal(_ variables: [String: String], _ options: [String], _ variable: String, _ flag: String) throws {
    #expect(try run([:]).ending == .exited(0))
    var command = home.editing("remove")
    command.arguments += options
    try expect(
      "$\(variable) is set, and remove takes \(flag) only from the command line, so that no variable decides which files"
        + " go; unset it, or type \(flag)", of: command, with: variables)
    #expect(try home.list()["a"]?[path: "state"] == .string("completed"))
    #expect(try FileTree.files(home.library).contains("mix/a.mp3"))
  }

  @Test("a removal that was typed is carried out whatever variables of the same flags say")
  func typedRemoval() throws {
    #expect(try run([:]).ending == .exited(0))
    var command = home.editing("remove", "--playlist", "mix")
    command.environment["SYNCJOB_PLAYLIST"] = "other"
    command.environment["SYNCJOB_ALL"] = "no"
    #expect(try command.run().ending == .exited(0))
    #expect(try home.list()["a"]?[path: "state"] == .string("removed"))
  }

  @Test("a message about a value from a variable names the variable")
  func names() throws {
    #expect(try run([:]).ending == .exited(0))
    try expect(
      "$SYNCJOB_ALL means every item; name no item beside it", of: home.editing("retry", "a", "b"),
      with: ["SYNCJOB_ALL": "1"])
    try expect(
      "2099-01-01T00:00:00Z lies in the future; check $SYNCJOB_AT and the clock", of: home.editing("played", "a"),
      with: ["SYNCJOB_AT": "2099-01-01T00:00:00Z"])
    try expect(
      "no playlist matches \"x*\" of $SYNCJOB_PLAYLIST; the manifest has \"mix\"", of: home.command("status"),
      with: ["SYNCJOB_PLAYLIST": "x*"])
    try expect(
      "$SYNCJOB_BYTES and --to exclude each other; give only one", of: home.command("evict", "--to", "5%"),
      with: ["SYNCJOB_BYTES": "1"])
    try expect(
      "$SYNCJOB_TO is a share of storage.budget, and the manifest has none; say how much to free with --bytes",
      of: home.command("evict"), with: ["SYNCJOB_TO": "5%"])
    try expect(
      "$SYNCJOB_EVENTS - and --json both want stdout; write one of them to a file", of: home.command("run", "--json"),
      with: ["SYNCJOB_EVENTS": "-"])
    try expect(
      "$SYNCJOB_SCORE takes balanced, classic or oldest, not \"x\"", of: home.command("simulate", "--budget", "1GB"),
      with: ["SYNCJOB_SCORE": "x"])
    try expect(
      "$SYNCJOB_OUTPUT names the manifest itself, \"\(home.manifest)\"; name another file for the plan",
      of: home.command("plan"), with: ["SYNCJOB_OUTPUT": home.manifest])
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
        for name in flag.long where !["manifest", "help", "version"].contains(name) {
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
