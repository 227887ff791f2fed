// SPDX-License-Identifier: Apache-2.0

import SyncTestSupport
import Testing

@Suite("scenarios against the built program")
struct ScenarioTests {
  @Test("a scenario shows what it promises", arguments: try Scenario.all())
  func scenario(_ scenario: Scenario) throws {
    for name in scenario.script.requires ?? [] where !Tool(name).isInstalled {
      try Test.cancel("\(scenario.name) needs \(name), which is not installed")
    }
    try ScenarioRun(scenario).play()
  }
}
