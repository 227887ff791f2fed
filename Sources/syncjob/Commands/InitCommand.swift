// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import SyncCore
import SyncFormats
import SyncIO

struct InitCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "init", abstract: "Write a starter manifest and mark the library as initialised.",
    discussion: "A manifest that is there already is kept and only its library is initialised.")

  @OptionGroup var manifest: ManifestArgument
  @OptionGroup var lock: LockOptions
  @OptionGroup var output: OutputOptions

  func run() async throws {
    let environment = ProcessEnvironment.current
    let path = manifest.manifest ?? environment["SYNCJOB_MANIFEST"] ?? "syncjob.yaml"
    var lines: [String] = []
    do throws(ManifestFile.Problem) {
      if try ManifestFile.create(path, contents: StarterManifest.text) { lines.append("wrote \(path.quoted)") }
    } catch { throw Stop(error.words, .fatal) }
    // The starter declares no playlist yet, which is no news here.
    let session = try Session(path, lock: lock, output: output, tellsWarnings: false)
    let library = session.manifest.library.path
    let outcome = try await session.stopping { () async throws(JobError) in try await session.job.initialise() }
    switch outcome {
    case .made: lines.append("initialised \(library.quoted)")
    case .known: lines.append("\(library.quoted) is initialised already")
    case .takenOver(let owner):
      lines.append(
        "\(library.quoted) belongs to the manifest \(session.manifest.name.quoted) now, no more to \(owner.quoted)")
    }
    guard !output.isQuiet(environment) else { return }
    // A starter, or what nobody wrote anything into yet.
    let edit = session.manifest.playlists.isEmpty ? "edit \(path.quoted), then " : ""
    lines.append("next: \(edit)look with `syncjob plan \(path)` and start with `syncjob \(path)`")
    Terminal.standardOutput.write(lines.map { $0 + "\n" }.joined())
  }
}
