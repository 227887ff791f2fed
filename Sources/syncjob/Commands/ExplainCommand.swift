// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import SyncCore
import SyncFormats
import SyncIO

struct ExplainCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "explain", abstract: "Why an item is wanted, kept, passed over, scored, failed.",
    discussion: """
      Makes the plan of the next run, with the flags that are given, and tells all that decides about this item. Feeds \
      are asked, as by `plan`; an episode that is passed over has an answer, too. Changes nothing.
      """)

  @Argument(help: "The item, by id, by the beginning of its id, or by title.")
  var item: String
  @OptionGroup var manifest: ManifestOption
  @OptionGroup var options: RunOptions
  @OptionGroup var result: ResultOptions
  @OptionGroup var output: OutputOptions

  func run() async throws {
    let session = try Session(manifest.manifest, options: options, lock: nil, output: output)
    let job = session.job
    let found = try await session.stopping { () async throws(JobError) in try await job.explain(item) }
    let explanation: Explanation
    do throws(ItemSelector.Problem) { explanation = try found.get() } catch {
      throw Stop(error.words(session.invocation), .usage)
    }
    if result.isJSON(session.environment) {
      Terminal.standardOutput.write(explanation.json())
    } else {
      Terminal.standardOutput.write(ExplanationText(explanation, style: session.style, now: job.now).text)
    }
  }
}
