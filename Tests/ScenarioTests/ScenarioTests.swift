// SPDX-License-Identifier: Apache-2.0

import SyncTestSupport
import Testing

@Suite("scenarios against the built program")
struct ScenarioTests {
  @Test("a scenario shows what it promises", arguments: try Scenario.all())
  func scenario(_ scenario: Scenario) throws {
    for line in scenario.script.requires ?? [] {
      guard let lack = Requirement(line).lack else { continue }
      // The test runner does not report a single cancelled case of many.
      print("Scenario \(scenario.name) skipped: needs \(lack)")
      try Test.cancel("\(scenario.name) needs \(lack)")
    }
    try ScenarioRun(scenario).play()
  }
}
