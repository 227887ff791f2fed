// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import SyncTestSupport
import Testing

/// A folder of `Scenarios/`: the resources and behaviours of the origins, and the program's expected result step by
/// step. `Scenarios/README.md` explains every key.
struct Scenario: Sendable, CustomTestStringConvertible {
  let name: String
  let folder: String
  let script: ScenarioScript

  var testDescription: String { name }

  /// Every folder that contains a `scenario.json`, by name. A script that cannot be read stops the tests with its
  /// reason.
  static func all() throws -> [Scenario] {
    let files = try FileTree.list(root).map(\.path).filter { $0.hasSuffix("/scenario.json") }
    return try files.map { try Scenario(name: String($0.dropLast("/scenario.json".count))) }
  }

  private init(name: String) throws {
    self.name = name
    folder = "\(Self.root)/\(name)"
    let bytes = try FileBytes.read("\(folder)/scenario.json")
    do {
      try ScenarioKeys.check(try JSONValue(bytes))
      script = try JSONDecoder().decode(ScenarioScript.self, from: Data(bytes))
    } catch {
      throw Problem.unreadable(scenario: name, "\(error)")
    }
  }

  enum Problem: Error { case unreadable(scenario: String, String) }

  private static var root: String {
    let here = #filePath.split(separator: "/").dropLast(2).joined(separator: "/")
    return "/\(here)/Scenarios"
  }
}
