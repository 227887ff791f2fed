// SPDX-License-Identifier: Apache-2.0
import SyncCore
import Testing

@testable import SyncJob

@Suite("what a saved plan was given")
struct PlanInputsTests {
  private func inputs(_ text: String, _ variables: [String: String], version: String = "1") -> PlanInputs {
    ManifestFile(
      bytes: Array(text.utf8), directory: "/home/anna", name: "car.yaml", stem: "car", path: "/home/anna/car.yaml"
    )
    .planInputs(version: version, variables: variables)
  }

  @Test("is known by the manifest's path, bytes and program")
  func parts() {
    let before = inputs("a", [:])
    #expect(before.manifest == "/home/anna/car.yaml")
    #expect(before.staleness(inputs("a", [:])) == nil)
    #expect(before.staleness(inputs("b", [:])) == .manifest)
    #expect(before.staleness(inputs("a", [:], version: "2")) == .program)
    #expect(
      ManifestFile(bytes: [], directory: "/", name: "x", stem: "x", path: "/x").planInputs(version: "", variables: [:])
        .manifest
        == "/x")
  }

  @Test(
    "and by the variables that it names, one inside the other, too",
    arguments: [
      ("title: ${A}", ["A"]), ("${A:-${B}} ${C:?x}", ["A", "B", "C"]), ("$A $$ $", []), ("${", []), ("${A", ["A"]),
      ("# ${A}\n$${B}", ["A", "B"]), ("", []),
    ])
  func variables(text: String, named: [String]) {
    let before = inputs(text, ["A": "1", "B": "1", "C": "1", "D": "1", "HOME": "/h"])
    for name in ["A", "B", "C", "D"] {
      var variables = ["A": "1", "B": "1", "C": "1", "D": "1", "HOME": "/h"]
      variables[name] = "2"
      let expected: PlanStaleness? = named.contains(name) ? .variables : nil
      #expect(before.staleness(inputs(text, variables)) == expected, "\(name)")
    }
    #expect(before.staleness(inputs(text, ["A": "1", "B": "1", "C": "1", "HOME": "/g"])) == .variables)
  }
}

@Suite("the digest of a manifest's inputs")
struct ManifestDigestTests {
  private func digest(_ text: String, _ variables: [String: String]) -> SHA256Digest {
    ManifestFile(bytes: Array(text.utf8), directory: "/m", name: "car.yaml", stem: "car", path: "/m/car.yaml")
      .digest(version: "1", variables: variables)
  }

  @Test("depends on the variables to which every manifest may refer", arguments: ["HOME", "CREDENTIALS_DIRECTORY"])
  func always(_ name: String) {
    #expect(digest("a", [name: "/x"]) != digest("a", [name: "/y"]))
    #expect(digest("a", [name: "/x"]) != digest("a", [:]))
  }

  @Test("depends on other variables only if the text may name some")
  func named() {
    #expect(digest("a", ["A": "1"]) == digest("a", ["A": "2"]))
    #expect(digest("a: ${A}", ["A": "1"]) != digest("a: ${A}", ["A": "2"]))
  }
}
