// SPDX-License-Identifier: Apache-2.0

import SyncTestSupport
import Testing

@Suite("the page of faults")
struct FaultPageTests {
  private let root = "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")

  @Test("names in each row at least one test, and no test that does not exist")
  func names() throws {
    let rows = try FileBytes.text("\(root)/docs/faults.md").split(separator: "\n").filter {
      $0.hasPrefix("| ") && $0.dropFirst(2).first?.isNumber == true
    }
    #expect(rows.count >= 30)
    let scenarios = Set(try Scenario.all().map(\.name))
    for row in rows {
      let tests = row.split(separator: "|").last?.split(separator: ",").map { $0.filter { !"` ".contains($0) } } ?? []
      #expect(!tests.isEmpty, "\(row)")
      for test in tests where !scenarios.contains(test) {
        #expect(try isFunction(test), "\(test) is no scenario and no test")
      }
    }
  }

  /// True for `SuiteTests.function` in the folder of tests that run the program.
  private func isFunction(_ test: String) throws -> Bool {
    let parts = test.split(separator: ".")
    guard parts.count == 2 else { return false }
    let folder = "\(root)/Tests/ScenarioTests/Program"
    guard try FileTree.files(folder).contains("\(parts[0]).swift") else { return false }
    return try FileBytes.text("\(folder)/\(parts[0]).swift").contains("func \(parts[1])(")
  }
}
