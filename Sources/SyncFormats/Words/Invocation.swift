// SPDX-License-Identifier: Apache-2.0
package import SyncCore

/// The way to call the program again for the same library, so that every hint works as printed.
package struct Invocation: Sendable {
  /// The manifest as it was named on the command line; nil when it needs no name.
  private let manifest: String?

  package init(manifest: String? = nil) { self.manifest = manifest }

  /// A command on one item: `syncjob retry -m car.yaml night-drive`.
  package func item(_ command: String, _ id: ItemID) -> String {
    "syncjob \(command)\(manifest.map { " -m \($0.shellWord)" } ?? "") \(id.shellWord)"
  }

  /// A command on the manifest: `syncjob plan car.yaml`.
  package func command(_ command: String) -> String {
    "syncjob \(command)\(manifest.map { " \($0.shellWord)" } ?? "")"
  }
}
