// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import SyncCore
import SyncDisk
import SyncFormats
import SyncJob

struct ReportCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "report", abstract: "Show what past runs did.",
    discussion: """
      text: a line for each run, and the problems of the last one. html: a page about the library, its sources and \
      its runs, for a browser or a printer; it needs no script and requests nothing. json: the reports as the runs \
      wrote them. The reports of the last 30 runs are kept.
      """)

  @OptionGroup var manifest: ManifestArgument
  @Option(
    name: .long, parsing: .unconditional,
    help: ArgumentHelp("The number of runs, 1 to 30. Default: 10; with html and json all.", valueName: "n"))
  var last: Word?
  @Option(name: .long, help: ArgumentHelp("text, html or json. Default: text.", valueName: "format"))
  var format: Word?
  @Option(
    name: [.customShort("o"), .customLong("output")],
    help: ArgumentHelp("Write to this file, readable by you only. Default: stdout.", valueName: "file"))
  var file: String?
  @OptionGroup var clock: ClockOptions
  @OptionGroup var result: ResultOptions
  @OptionGroup var output: OutputOptions

  private enum Format: String, CaseIterable { case text, html, json }

  func run() async throws {
    let format = try chosen()
    let count = try last?.value(of: "--last", .number(1...30))
    guard file == nil || format != .text else {
      throw CommandExit(RunWords.outputWithoutFormat(Call.name(of: "--output")), .usage)
    }
    let session = try Session(.read(manifest.path()), lock: nil, clock: clock, output: output)
    let target = try file.map { try session.outputFile($0, of: format == .html ? .page : .reports) }
    let past = try session.pastRuns(
      last: count ?? (format == .text ? TextStyle.usualLimit : nil), keepsDocuments: format == .json)
    let bytes: [UInt8]
    switch format {
    case .text:
      bytes = Array(RunsText(session.manifest.name, past.runs, of: past.count, style: session.style).text.utf8)
    case .json: bytes = KeptRun.json(past.documents)
    case .html:
      let (status, damage) = try await session.stopping { () async throws(JobError) in
        try Status(session.context).library()
      }
      session.emit(damage)
      let page = ReportPage(
        status, runs: past.runs, invocation: session.invocation, units: session.manifest.sizeUnits,
        madeAt: session.context.now)
      bytes = Array(page.html.utf8)
    }
    guard let file, let target else { return Terminal.standardOutput.write(bytes) }
    do throws(FileError) { try target.write(bytes) } catch {
      throw CommandExit(error.words, JobError.file(error).status)
    }
    if !session.isQuiet { Terminal.standardOutput.write(RunWords.wrote(past.runs.count, to: file) + "\n") }
  }

  /// `--json` is `--format json`.
  private func chosen() throws -> Format {
    let named = try format?.value(of: "--format", ArgumentSpelling<Format>.choice)
    guard result.json else { return named ?? .text }
    guard named ?? .json == .json else {
      throw CommandExit(RunWords.twoFormats(Call.name(of: "--json"), Call.name(of: "--format")), .usage)
    }
    return .json
  }
}

struct HealthCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "health", abstract: "Show how well the transfers of past runs went.",
    discussion: """
      Over the kept reports: the share of transfers that completed, of those that completed after a repeated request, \
      of unfinished files that were continued, and of items that a later run fetched; the mean speed; the failures by \
      kind and host.
      """)

  @OptionGroup var manifest: ManifestArgument
  @Option(
    name: .long, parsing: .unconditional,
    help: ArgumentHelp("The number of runs, 1 to 30. Default: all that are kept.", valueName: "n"))
  var last: Word?
  @OptionGroup var clock: ClockOptions
  @OptionGroup var result: ResultOptions
  @OptionGroup var output: OutputOptions

  func run() async throws {
    let count = try last?.value(of: "--last", .number(1...30))
    let session = try Session(.read(manifest.path()), lock: nil, clock: clock, output: output)
    let report = HealthReport(session.manifest.name, RunHealth(try session.pastRuns(last: count).runs))
    if result.json {
      Terminal.standardOutput.write(report.json())
    } else {
      Terminal.standardOutput.write(report.text(style: session.style))
    }
  }
}

extension Session {
  /// The kept reports. Those that cannot be read are named.
  fileprivate func pastRuns(last: Int?, keepsDocuments: Bool = false) throws -> PastRuns {
    let past: PastRuns
    do throws(JobError) { past = try PastRuns(context, last: last, keepsDocuments: keepsDocuments) } catch {
      throw CommandExit(error.words(invocation), error.status)
    }
    warn(of: past)
    return past
  }

  /// The last run. Nil, with a warning, if its report cannot be read: the rest of a status is known all the same.
  func lastRun() -> KeptRun? {
    do throws(JobError) {
      let past = try PastRuns(context, last: 1)
      warn(of: past)
      return past.runs.last
    } catch {
      warn(error.words(invocation))
      return nil
    }
  }

  private func warn(of past: PastRuns) {
    for (name, problem) in past.unreadable { warn(RunWords.reportNotRead(name, problem)) }
  }
}
