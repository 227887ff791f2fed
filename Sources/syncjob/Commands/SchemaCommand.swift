// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import SyncDisk
import SyncFormats

struct SchemaCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "schema", abstract: "Print the JSON Schema of the manifest, for editors.",
    discussion: """
      Editors with yaml-language-server complete and check a manifest with it. An installed program has it in \
      share/syncjob/syncjob.schema.json, and a manifest that `syncjob init` wrote names that file in its first line.
      """)

  func run() { Terminal.standardOutput.write(ManifestSchema.text()) }
}

/// The installed file with the schema.
enum SchemaFile {
  static var place: String { OwnProgram.sharedFile(ManifestSchema.fileName) }
}
