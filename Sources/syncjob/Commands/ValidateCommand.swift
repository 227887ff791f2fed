// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import SyncFormats
import SyncIO

struct ValidateCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "validate", abstract: "Check a manifest and print what it means, with every default.")

  @OptionGroup var manifest: ManifestArgument
  @OptionGroup var output: OutputOptions

  func run() async throws {
    let environment = ProcessEnvironment.current
    let isQuiet = output.isQuiet(environment)
    let text = try ManifestText.read(manifest.manifest, environment: environment)
    let loaded = try LoadedManifest.load(text, environment: environment, tellsWarnings: !isQuiet)
    guard !isQuiet else { return }
    Terminal.standardOutput.write(EffectiveManifest.text(loaded.manifest))
  }
}
