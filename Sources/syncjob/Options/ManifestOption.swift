// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import SyncCore
import SyncDisk
import SyncFormats
import SyncJob

/// The manifest of a command whose arguments are something else.
struct ManifestOption: ParsableArguments {
  @Option(
    name: [.short, .customLong("manifest")],
    help: ArgumentHelp(
      "The manifest. Default: $SYNCJOB_MANIFEST, else ./syncjob.yaml.", valueName: "file"), completion: .manifest)
  var manifest: String?

  /// - Parameter argument: a manifest that was named without the option.
  func path(besides argument: String?) throws -> String? {
    try UsageProblem.check(manifest: manifest, argument)
  }
}

/// The manifest of a command, as its last argument or by option.
struct ManifestArgument: ParsableArguments {
  @Argument(help: "The manifest. Default: $SYNCJOB_MANIFEST, else ./syncjob.yaml.", completion: .manifest)
  var manifest: String?

  @Option(
    name: [.customShort("m"), .customLong("manifest")],
    help: ArgumentHelp("The manifest, given as an option.", valueName: "file"), completion: .manifest)
  var option: String?

  /// The path as it was named; nil when there is none.
  func path() throws -> String? {
    try UsageProblem.check(manifest: option, manifest)
  }
}

extension UsageProblem {
  /// The one manifest that is named, by option or as an argument. Nil if none is named.
  fileprivate static func check(manifest option: String?, _ argument: String?) throws -> String? {
    if let option, let argument, option != argument { throw UsageProblem.twoManifests(option, argument) }
    let path = option ?? argument
    guard path != "" else { throw UsageProblem.emptyManifest }
    return path
  }
}

extension ProcessEnvironment {
  /// The value of `SYNCJOB_MANIFEST`; nil if it is empty, like every variable.
  var manifest: String? { self["SYNCJOB_MANIFEST"].flatMap { $0.isEmpty ? nil : $0 } }

  /// What `SYNCJOB_METERED` says; nil if it is empty.
  var isMetered: Bool? {
    get throws {
      guard let word = self["SYNCJOB_METERED"], !word.isEmpty else { return nil }
      guard let isMetered = SwitchWord.read(word) else { throw UsageProblem.badSwitch("SYNCJOB_METERED", word) }
      return isMetered
    }
  }
}

/// The text of a manifest, and the circumstances under which it was found.
struct ManifestText {
  let path: String
  /// The path as the user gave it. Nil for the default.
  let named: String?
  let file: ManifestFile
  let environment: ProcessEnvironment
  /// A digest of everything that determines how the manifest is understood.
  let inputs: SHA256Digest

  init(path: String, named: String?, file: ManifestFile, environment: ProcessEnvironment) {
    (self.path, self.named, self.file, self.environment) = (path, named, file, environment)
    inputs = file.digest(version: Version.number, variables: environment.all)
  }

  /// A digest of the inputs of a run on this manifest.
  func inputs(with arguments: [String]) -> SHA256Digest {
    arguments.isEmpty ? inputs : SHA256Digest(of: "\(inputs.hex)\0\(arguments.joined(separator: "\0"))".utf8)
  }

  /// - Parameter plan: the saved plan that names it.
  static func read(
    _ named: String?, of plan: String? = nil, environment: ProcessEnvironment = .current
  ) throws -> ManifestText {
    let path = named ?? environment.manifest ?? "syncjob.yaml"
    do throws(ManifestFile.Problem) {
      return ManifestText(path: path, named: named, file: try ManifestFile.read(path), environment: environment)
    } catch {
      if let plan { throw CommandExit(error.words(plan: plan), .manifestInvalid) }
      throw CommandExit(error.words, .manifestInvalid)
    }
  }

  /// True if a word that was given for something else is the name of a file that looks like a manifest.
  static func looksLikeManifest(_ word: String) -> Bool {
    (word.hasSuffix(".yaml") || word.hasSuffix(".yml")) && ManifestFile.exists(word)
  }

  /// The inputs of a plan for this manifest, in their parts.
  var planInputs: PlanInputs {
    file.planInputs(version: Version.number, variables: environment.all)
  }

  /// Its settings, without reporting any problem in them; nil when they cannot be separated from the playlists.
  var settings: Manifest? {
    guard let head = ManifestHead.bytes(of: file.bytes) else { return nil }
    return ManifestReader.read(
      head, directory: file.directory, fileStem: file.stem, environment: environment.forManifest
    ).manifest
  }
}

/// The manifest as it was read for a command.
struct LoadedManifest {
  var manifest: Manifest
  /// True if it is complete, and there is nothing to report about it, not even a warning.
  var isUndamaged: Bool

  /// Reads the manifest from its cache, which exists only if there was no error and no warning, or checks and reports it.
  /// - Parameter leavesSecretsOpen: true for a command that uses no network.
  static func load(
    _ text: ManifestText, reportsWarnings: Bool, leavesSecretsOpen: Bool = false
  ) throws -> LoadedManifest {
    let cache = ManifestCacheStore(text.file, key: text.inputs, environment: text.environment.forManifest)
    if let manifest = cache?.read() { return LoadedManifest(manifest: manifest, isUndamaged: true) }
    let loaded = try check(text, reportsWarnings: reportsWarnings, leavesSecretsOpen: leavesSecretsOpen)
    if loaded.isUndamaged { cache?.write(loaded.manifest) }
    return loaded
  }

  /// Checks and reports: prints every finding to stderr, then ends with exit 78 if one is an error.
  /// - Parameters:
  ///   - reportsWarnings: reports warnings even if there is no error.
  ///   - reportsHints: reports hints with the warnings.
  static func check(
    _ text: ManifestText, reportsWarnings: Bool, reportsHints: Bool = false, leavesSecretsOpen: Bool = false
  ) throws -> LoadedManifest {
    let (path, file) = (text.path, text.file)
    var environment = text.environment.forManifest
    environment.leavesSecretsOpen = leavesSecretsOpen
    let reading = ManifestReader.read(
      file.bytes, directory: file.directory, fileStem: file.stem, environment: environment)
    if reportsWarnings || reading.manifest == nil {
      let renderer = DiagnosticRenderer(file: path, source: file.bytes)
      let findings = reading.findings.filter { reportsHints || $0.severity != .hint }
      switch Log.format {
      case .text: Terminal.standardError.show(renderer.render(findings), reading.manifest == nil ? .error : .warning)
      case .json: for line in renderer.logLines(findings) { Log.say(line) }
      }
    }
    guard let manifest = reading.manifest else {
      let count = reading.findings.count { $0.severity == .error }
      throw CommandExit(ManifestWords.invalid(path, errors: count), .manifestInvalid)
    }
    let isUndamaged = !reading.hasOpenSecrets && reading.findings.allSatisfy { $0.severity == .hint }
    return LoadedManifest(manifest: manifest, isUndamaged: isUndamaged)
  }
}
