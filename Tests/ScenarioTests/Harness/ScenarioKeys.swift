// SPDX-License-Identifier: Apache-2.0

/// Refuses keys that no reader uses: a misspelt expectation would otherwise always hold.
enum ScenarioKeys {
  enum Problem: Error, Equatable { case unknown(key: String, in: String) }

  static func check(_ script: JSONValue) throws(Problem) {
    try check(script, ScenarioScript.CodingKeys.self, "the scenario")
    try checkResources(script["resources"])
    try checkResources(script["resources2"])
    for step in script["steps"]?.elements ?? [] {
      try check(step, Step.CodingKeys.self, "a step")
      try check(step["before"], Step.Before.CodingKeys.self, "before")
      try checkResources(step["before"]?["resources"])
      try check(step["interrupt"], Step.Interruption.CodingKeys.self, "interrupt")
      try check(step["meanwhile"], Step.Meanwhile.CodingKeys.self, "meanwhile")
      try check(step["stdout"], TextExpectation.CodingKeys.self, "stdout")
      try check(step["stderr"], TextExpectation.CodingKeys.self, "stderr")
      for text in step["text"]?.members.values ?? [:].values {
        try check(text, TextExpectation.CodingKeys.self, "text")
      }
    }
  }

  private static func checkResources(_ resources: JSONValue?) throws(Problem) {
    for (path, resource) in resources?.members ?? [:] { try check(resource, ResourceScript.CodingKeys.self, path) }
  }

  private static func check<Key: CodingKey & CaseIterable>(
    _ value: JSONValue?, _ known: Key.Type, _ place: String
  ) throws(Problem) {
    let names = Set(known.allCases.map(\.stringValue))
    for key in (value?.members ?? [:]).keys.sorted() where !names.contains(key) { throw .unknown(key: key, in: place) }
  }
}

extension JSONValue {
  fileprivate subscript(name: String) -> JSONValue? { members[name] }

  fileprivate var members: [String: JSONValue] {
    if case .object(let members) = self { members } else { [:] }
  }

  fileprivate var elements: [JSONValue] {
    if case .array(let elements) = self { elements } else { [] }
  }
}
