// SPDX-License-Identifier: Apache-2.0

import SyncTestSupport
import Testing

@Suite("manifests that readers copy")
struct DocumentedManifestTests {
  /// A manifest of a document or an example file.
  struct Example: Sendable, CustomTestStringConvertible {
    let place: String
    let text: String
    var testDescription: String { place }
  }

  @Test("the program accepts the manifest, prints it whole, and accepts what it printed", arguments: try examples())
  func accepted(_ example: Example) throws {
    let folder = try TemporaryDirectory("syncjob-example")
    try FileBytes.write(example.text, to: folder.file("car.yaml"))
    let effective = try validate("car.yaml", folder)
    try FileBytes.write(effective, to: folder.file("effective.yaml"))
    #expect(try validate("effective.yaml", folder).contains("version: 1"))
  }

  @Test("the manual names each of the example files")
  func named() throws {
    let page = try FileBytes.text("\(Self.root)/docs/manual/manifest.md")
    for name in try FileTree.files("\(Self.root)/manifests").filter({ $0.hasSuffix(".yaml") }) {
      #expect(page.contains("(../../manifests/\(name))"), "\(name)")
    }
  }

  private static let root = "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")

  private func validate(_ name: String, _ folder: TemporaryDirectory) throws -> String {
    let program = try #require(Program.syncjob, "no syncjob beside the tests; build it or set SYNCJOB_BIN")
    var command = Command(program, ["validate", "--effective", name], directory: folder.path)
    command.environment["DEMO_ORIGIN"] = "http://127.0.0.1:8080"
    command.environment["DEMO_SLOW_ORIGIN"] = "http://127.0.0.1:8081"
    let result = try command.run()
    #expect(result.ending == .exited(0), "\(name):\n\(result.standardError)")
    #expect(result.standardError == "")
    return result.standardOutput
  }

  /// Every file of `manifests/`, and every block of a document that is marked `yaml` and states its version.
  static func examples() throws -> [Example] {
    let files = try FileTree.files("\(root)/manifests").filter { $0.hasSuffix(".yaml") }.map { name in
      Example(place: "manifests/\(name)", text: try FileBytes.text("\(root)/manifests/\(name)"))
    }
    let manuals = try FileTree.files("\(root)/docs").filter { $0.hasSuffix(".md") }
    let documents = ["README.md"] + manuals.map { "docs/\($0)" }
    return try files + documents.flatMap { try blocks(try FileBytes.text("\(root)/\($0)"), of: $0) }
  }

  private static func blocks(_ document: String, of name: String) throws -> [Example] {
    document.split(separator: "\n```yaml\n").dropFirst().enumerated().compactMap { number, rest in
      let text = rest.split(separator: "\n```", maxSplits: 1).first.map { $0 + "\n" } ?? ""
      guard text.hasPrefix("version:") || text.contains("\nversion:") else { return nil }
      return Example(place: "\(name), manifest \(number + 1)", text: String(text))
    }
  }
}
