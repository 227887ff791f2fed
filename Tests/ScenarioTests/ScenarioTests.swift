// SPDX-License-Identifier: Apache-2.0

import SyncTestSupport
import Testing

@Suite("scenarios against the built program")
struct ScenarioTests {
  @Test("a scenario shows what it promises", arguments: try Scenario.all())
  func scenario(_ scenario: Scenario) throws {
    for line in scenario.script.requires ?? [] {
      if let lack = Requirement(line).lack { try Test.cancel("\(scenario.name) needs \(lack)") }
    }
    try ScenarioRun(scenario).play()
  }
}
