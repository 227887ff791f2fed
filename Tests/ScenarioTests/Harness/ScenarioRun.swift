// SPDX-License-Identifier: Apache-2.0

import SyncTestSupport
import Testing

/// One run of a scenario, in a separate folder with two origins.
struct ScenarioRun {
  let scenario: Scenario
  let folder: TemporaryDirectory
  let origin: Origin
  let origin2: Origin
  let placeholders: Placeholders

  init(_ scenario: Scenario) throws {
    self.scenario = scenario
    folder = try TemporaryDirectory("syncjob-scenario")
    origin = try Origin()
    origin2 = try Origin()
    placeholders = Placeholders(
      origin: origin.server.url(), origin2: origin2.server.url(), library: folder.file("library"), work: folder.path,
      syncjob: Program.syncjob ?? "")
    try copyFixtures()
    try origin.serve(scenario.script.resources ?? [:], fixture: fixture, fill: placeholders.fill)
    try origin2.serve(scenario.script.resources2 ?? [:], fixture: fixture, fill: placeholders.fill)
  }

  func play() throws {
    for (index, step) in scenario.script.steps.enumerated() {
      try prepare(step)
      let result = try run(step)
      let check = StepCheck(run: self, step: step, number: index + 1, result: result)
      try check.all()
    }
    origin.server.stop()
    origin2.server.stop()
  }

  /// Copies every text of the scenario's folder except its script, with the placeholders filled in.
  private func copyFixtures() throws {
    for path in try FileTree.files(scenario.folder) where path != "scenario.json" {
      try FileBytes.write(try fixture(path), to: folder.file(path))
    }
  }

  private func fixture(_ path: String) throws -> String {
    placeholders.fill(try FileBytes.text("\(scenario.folder)/\(path)"))
  }

  /// A path of a scenario: below the working folder unless it is absolute.
  func place(_ path: String) -> String {
    let filled = placeholders.fill(path)
    return filled.hasPrefix("/") ? filled : folder.file(filled)
  }

  private func prepare(_ step: Step) throws {
    origin.server.clearLog()
    origin2.server.clearLog()
    try origin.serve(step.before?.resources ?? [:], fixture: fixture, fill: placeholders.fill)
    for path in step.before?.delete ?? [] { try FileTree.remove(place(path)) }
    for (path, text) in step.before?.write ?? [:] {
      try FileBytes.write(placeholders.fill(text), to: place(path))
    }
  }

  private func run(_ step: Step) throws -> CommandResult {
    let running = try command(step, step.run).start()
    if let interruption = step.interrupt { interrupt(running, interruption) }
    if let meanwhile = step.meanwhile { try run(meanwhile, beside: step) }
    let result = running.wait(timeout: step.timeout ?? 60)
    // The program's connections are closed, but the servers may not have noticed yet.
    for server in [origin.server, origin2.server] {
      #expect(try server.waitUntilIdle(seconds: 10), "\(scenario.name): a request goes on after the program's end")
    }
    return result
  }

  private func command(_ step: Step, _ arguments: [String]) throws -> Command {
    var command = Command(try program(step), arguments.map(placeholders.fill), directory: folder.path)
    for (name, value) in step.environment ?? [:] { command.environment[name] = placeholders.fill(value) }
    return command
  }

  /// Runs a second program while the first one waits, then lets the first go on.
  private func run(_ meanwhile: Step.Meanwhile, beside step: Step) throws {
    let gate = origin.gate(meanwhile.at)
    #expect(gate?.waitForArrival(seconds: 30) ?? false, "nothing reached the “hold” of \(meanwhile.at)")
    let result = try command(step, meanwhile.run).run(timeout: step.timeout ?? 60)
    StepCheck.check(result, meanwhile.exit, "\(scenario.name), meanwhile")
    meanwhile.stdout?.check(placeholders.normalise(result.standardOutput), "\(scenario.name), meanwhile: stdout")
    meanwhile.stderr?.check(placeholders.normalise(result.standardError), "\(scenario.name), meanwhile: stderr")
    gate?.open()
  }

  private func program(_ step: Step) throws -> String {
    if let program = step.program ?? scenario.script.program { return program }
    return try #require(Program.syncjob, "no syncjob beside the tests; build it or set SYNCJOB_BIN")
  }

  /// The bytes of all partials; 0 while there is no folder for them.
  private var unfinishedBytes: Int {
    do {
      return try FileTree.list(place("{{library}}/.syncjob/partial")).map(\.size).reduce(0, +)
    } catch { return 0 }
  }

  private func interrupt(_ running: RunningCommand, _ interruption: Step.Interruption) {
    let arrived = origin.gate(interruption.at)?.waitForArrival(seconds: 30) ?? false
    #expect(arrived, "nothing reached the “hold” of \(interruption.at)")
    if let bytes = interruption.onDisk {
      #expect(eventually { unfinishedBytes >= bytes }, "\(unfinishedBytes) bytes are on the disk, not \(bytes)")
    }
    running.signal(interruption.send.number)
  }
}
