// SPDX-License-Identifier: Apache-2.0
import SyncCore
import SyncFormats
import Testing

/// A manifest and everything that is said about it.
struct Picture: Sendable, CustomTestStringConvertible {
  let name: String
  let manifest: String
  let expected: String

  init(_ name: String, _ manifest: String, _ expected: String) {
    self.name = name
    self.manifest = manifest + "\n"
    self.expected = expected
  }

  var testDescription: String { name }

  var rendered: String {
    let source = Array(manifest.utf8)
    let picture = DiagnosticRenderer(file: "car.yaml", source: source)
    return ManifestReading(of: manifest).findings.map(picture.render).joined(separator: "\n")
  }
}

extension ManifestReading {
  /// As if the manifest were `/m/car.yaml` of the user whose home is `/home/u`.
  init(of manifest: String, variables: [String: String] = ["SET": "3", "EMPTY": "", "TOKEN": "hush"]) {
    self = ManifestReader.read(
      Array(manifest.utf8), directory: "/m", fileStem: "car",
      environment: ManifestEnvironment(variables: variables, home: "/home/u"))
  }
}
