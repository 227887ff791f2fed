// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import SyncCore
import SyncFormats
import SyncJob

struct ExplainCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "explain", abstract: "Explain why an item is wanted, kept, skipped, scored or failed.",
    discussion: """
      Makes the plan of the next run, with the given flags, and lists everything that decides about this \
      item. Fetches the feeds, as `plan` does. Explains skipped episodes too. Changes nothing.
      """)

  @Argument(help: "Items, by id, by the beginning of an id, or by title.", completion: .items)
  var items: [String]
  @OptionGroup var manifest: ManifestOption
  @OptionGroup var options: RunOptions
  @OptionGroup var result: ResultOptions
  @OptionGroup var output: OutputOptions

  func run() async throws {
    if manifest.manifest == nil, let path = items.first(where: ManifestText.looksLikeManifest) {
      throw UsageProblem.manifestForItem(path)
    }
    let session = try Session(.read(manifest.path(besides: nil)), options: options, lock: nil, output: output)
    let context = session.context
    let found = try await session.showingProgress { listener throws(JobError) in
      try await RunPreview(context, listener).explain(items)
    }
    let explanations: [Explanation]
    do throws(ItemSelector.Problem) { explanations = try found.get() } catch {
      throw CommandExit(error.words(session.invocation), .usage)
    }
    if result.json {
      for explanation in explanations { Terminal.standardOutput.write(explanation.json(session.invocation)) }
    } else {
      let texts = explanations.map { ExplanationText($0, style: session.style, now: context.now).text }
      Terminal.standardOutput.write(texts.joined(separator: "\n"))
    }
  }
}
