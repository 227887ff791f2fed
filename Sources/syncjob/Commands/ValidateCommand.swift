// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import SyncFormats
import SyncJob

struct ValidateCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "validate", abstract: "Check a manifest, and report every mistake with its line.",
    discussion: "Touches neither the network nor the library. Exit status: 0 if the manifest is valid, 78 if not.")

  @OptionGroup var manifest: ManifestArgument
  @Flag(name: .long, help: "Print the manifest with every default filled in.")
  var effective = false
  @OptionGroup var clock: ClockOptions
  @OptionGroup var result: ResultOptions
  @OptionGroup var output: OutputOptions

  func run() async throws {
    let environment = ProcessEnvironment.current
    // An invalid time is an error here, too.
    _ = try clock.resolved()
    let text = try ManifestText.read(manifest.path(), environment: environment)
    let loaded = try LoadedManifest.check(
      text, reportsWarnings: !output.quiet, reportsHints: true)
    if result.json {
      Terminal.standardOutput.write(ManifestSummary(loaded.manifest, path: text.path).json())
    } else if effective {
      Terminal.standardOutput.write(EffectiveManifest.text(loaded.manifest))
    } else if !output.quiet {
      Terminal.standardOutput.write(ManifestSummary(loaded.manifest, path: text.path).text)
    }
  }
}
