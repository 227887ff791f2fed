// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import SyncCore
import SyncFormats
import SyncIO

/// Which manifest a command is about, for commands whose arguments are something else.
struct ManifestOption: ParsableArguments {
  @Option(
    name: [.short, .customLong("manifest")],
    help: ArgumentHelp(
      "The manifest. Default: $SYNCJOB_MANIFEST, else ./syncjob.yaml.", valueName: "file"))
  var manifest: String?
}

/// Which manifest a command is about, as its only argument.
struct ManifestArgument: ParsableArguments {
  @Argument(help: "The manifest. Default: $SYNCJOB_MANIFEST, else ./syncjob.yaml.")
  var manifest: String?
}

/// The manifest as it was read for a command.
struct LoadedManifest {
  var manifest: Manifest
  var path: String

  /// Reads, checks and reports: every finding on stderr, then the end with exit 78 when one is an error.
  /// - Parameter tellsWarnings: also when there is no error.
  static func load(
    _ path: String?, environment: ProcessEnvironment, tellsWarnings: Bool
  ) throws -> LoadedManifest {
    let path = path ?? environment["SYNCJOB_MANIFEST"] ?? "syncjob.yaml"
    let file: ManifestFile
    do throws(ManifestFile.Problem) { file = try ManifestFile.read(path) } catch {
      let hint = error.code == .enoent ? MisplacedCommand.hint(path) : nil
      throw Stop(error.words + (hint.map { " (\($0))" } ?? ""), .manifestInvalid)
    }
    let reading = ManifestReader.read(
      file.bytes, directory: file.directory, fileStem: file.stem, environment: environment.forManifest)
    if tellsWarnings || reading.manifest == nil {
      let picture = FindingPicture(file: path, source: file.bytes)
      for finding in reading.findings { Terminal.standardError.write(picture.render(finding) + "\n") }
    }
    guard let manifest = reading.manifest else {
      let count = reading.findings.count { $0.severity == .error }
      throw Stop("\(path.printable) has \(count.counted("error")); nothing was done", .manifestInvalid)
    }
    return LoadedManifest(manifest: manifest, path: path)
  }
}
