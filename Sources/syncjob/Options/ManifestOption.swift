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

/// The text of a manifest, and where it was found.
struct ManifestText {
  let path: String
  let file: ManifestFile

  /// - Parameter plan: the saved plan that names it.
  static func read(
    _ path: String?, of plan: String? = nil, environment: ProcessEnvironment
  ) throws -> ManifestText {
    let path = path ?? environment["SYNCJOB_MANIFEST"] ?? "syncjob.yaml"
    do throws(ManifestFile.Problem) { return ManifestText(path: path, file: try ManifestFile.read(path)) } catch {
      if let plan { throw Stop(error.words(plan: plan), .manifestInvalid) }
      let hint = error.code == .enoent ? MisplacedCommand.hint(path) : nil
      throw Stop(error.words + (hint.map { " (\($0))" } ?? ""), .manifestInvalid)
    }
  }

  /// What a run on it is given, as a digest.
  func inputs(_ environment: ProcessEnvironment) -> SHA256Digest {
    file.digest(version: Version.number, variables: environment.all)
  }

  /// What a plan for it is given, in its parts.
  func planInputs(_ environment: ProcessEnvironment) -> PlanInputs {
    file.planInputs(version: Version.number, variables: environment.all)
  }

  /// Its settings, without a word about what may be wrong with them; nil when they cannot be told from the playlists.
  func settings(_ environment: ProcessEnvironment) -> Manifest? {
    guard let head = ManifestHead.bytes(of: file.bytes) else { return nil }
    return ManifestReader.read(
      head, directory: file.directory, fileStem: file.stem, environment: environment.forManifest
    ).manifest
  }
}

/// The manifest as it was read for a command.
struct LoadedManifest {
  var manifest: Manifest
  /// There is nothing to be said of it, not even a warning.
  var isFlawless: Bool

  /// Checks and reports: every finding on stderr, then the end with exit 78 when one is an error.
  /// - Parameter tellsWarnings: also when there is no error.
  static func load(
    _ text: ManifestText, environment: ProcessEnvironment, tellsWarnings: Bool
  ) throws -> LoadedManifest {
    let (path, file) = (text.path, text.file)
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
    return LoadedManifest(manifest: manifest, isFlawless: reading.findings.isEmpty)
  }
}
