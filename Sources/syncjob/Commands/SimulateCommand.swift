// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import SyncCore
import SyncFormats
import SyncJob

struct SimulateCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "simulate", abstract: "Show what another budget or score would have kept, from the recorded plays.",
    discussion: """
      Replays the last days: items as they became known, plays as they were recorded, and one run a day, once for \
      each score. Fetches, removes and writes nothing.
      """)

  @OptionGroup var manifest: ManifestArgument
  @Option(
    name: .long, parsing: .unconditional,
    help: ArgumentHelp("Use this budget instead of storage.budget, e.g. 32GB.", valueName: "size"))
  var budget: Word?
  @Option(
    name: .long, help: ArgumentHelp("balanced, classic or oldest; all three by default.", valueName: "score"),
    completion: .words(of: StoragePolicy.Score.self))
  var score: String?
  @Option(
    name: .long, parsing: .unconditional,
    help: ArgumentHelp("Number of days, 1 to 400. Default: 90.", valueName: "n"))
  var days: Word?
  @OptionGroup var clock: ClockOptions
  @OptionGroup var result: ResultOptions
  @OptionGroup var output: OutputOptions

  func run() async throws {
    let days = try days?.value(of: "--days", .number(1...400)) ?? 90
    let session = try Session(.read(manifest.path()), lock: nil, clock: clock, output: output)
    let size = try budget?.value(of: "--budget", .size)
    guard size != nil || session.manifest.storage.budget != nil else {
      throw CommandExit(OptionWords.noBudgetToSimulate, .usage)
    }
    let scores = try scores()
    let (report, warnings) = try await session.stopping { () async throws(JobError) in
      try Simulate(session.context).perform(scores, budget: size, days: days)
    }
    if !session.isQuiet { session.emit(warnings) }
    if result.json {
      Terminal.standardOutput.write(report.json())
    } else {
      Terminal.standardOutput.write(report.text(style: session.style))
    }
  }

  private func scores() throws -> [StoragePolicy.Score] {
    guard let score else { return StoragePolicy.Score.allCases }
    guard let known = StoragePolicy.Score(rawValue: score) else {
      throw CommandExit(OptionWords.badScore(Call.name(of: "--score"), score), .usage)
    }
    return [known]
  }
}
