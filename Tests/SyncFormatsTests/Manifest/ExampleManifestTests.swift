// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import SyncCore
import SyncFormats
import Testing

@Suite("the manifests that come with the program are good examples")
struct ExampleManifestTests {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appending(path: "manifests")

  private static func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".yaml") }.sorted()
  }

  @Test("each is read without a finding, and so is its effective form", arguments: try names())
  func example(name: String) throws {
    let source = [UInt8](try Data(contentsOf: Self.folder.appending(path: name)))
    let reading = read(source)
    let picture = DiagnosticRenderer(file: name, source: source)
    #expect(reading.findings.map(picture.render) == [])
    let manifest = try #require(reading.manifest)
    #expect(read(Array(EffectiveManifest.text(manifest).utf8)).manifest == manifest)
  }

  @Test("there are some")
  func some() throws { #expect(try Self.names().count >= 3) }

  private func read(_ source: [UInt8]) -> ManifestReading {
    // The variables that scripts/demo sets.
    let origins = ["DEMO_ORIGIN": "http://127.0.0.1:1", "DEMO_SLOW_ORIGIN": "http://127.0.0.1:2"]
    return ManifestReader.read(
      source, directory: "/m", fileStem: "x", environment: ManifestEnvironment(variables: origins, home: "/home/u"))
  }
}
