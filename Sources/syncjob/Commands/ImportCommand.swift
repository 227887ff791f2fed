// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import SyncCore
import SyncFormats
import SyncJob

struct ImportCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import", abstract: "Import files, subscriptions and play history that you have already.",
    subcommands: [ImportFilesCommand.self, ImportOPMLCommand.self, ImportHistoryCommand.self])
}

struct ImportHistoryCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "history", abstract: "Count plays that another program recorded.",
    discussion: """
      Reads the .scrobbler.log of a portable player, JSON lines, a sticker database of MPD, or a database of \
      mpdcron. The first bytes of the file tell which of them it is. You can import the same file again: each play \
      is counted once. To have every run read a history, name it under `history:` in the manifest. Exit status: 0; 1 \
      if the file cannot be read; 5 if another program keeps it locked.
      """)

  @Argument(help: ArgumentHelp("The history. - is stdin and needs --format.", valueName: "file"), completion: .file())
  var file: String
  @OptionGroup var manifest: ManifestArgument
  @Option(
    name: .long,
    help: ArgumentHelp(
      "scrobbler_log, listens, mpd_stickers or mpdcron. Default: detected from the first bytes.", valueName: "kind"))
  var format: String?
  @Option(
    name: .long,
    help: ArgumentHelp(
      "The time zone of a player that writes local time, such as Europe/Berlin. Default: UTC.", valueName: "zone"))
  var timezone: String?
  @Option(
    name: .long, help: ArgumentHelp("The folder that the player's relative paths start from.", valueName: "folder"))
  var musicDirectory: String?
  @Option(
    name: .long, help: ArgumentHelp("The path of this library as the player sees it.", valueName: "path"))
  var prefix: String?
  @OptionGroup var rehearsal: DryRunOption
  @OptionGroup var clock: ClockOptions
  @OptionGroup var lock: LockOptions
  @OptionGroup var result: ResultOptions
  @OptionGroup var output: OutputOptions

  func run() async throws {
    let (kind, zone, mapping) = try (self.kind(), self.zone(), self.mapping())
    let session = try Session(.read(manifest.path()), lock: lock, clock: clock, output: output)
    let imported = try await session.stopping { () async throws(JobError) in
      try await ImportHistory(session.context).perform(
        file, as: kind, timezone: zone, mapping: mapping, isDryRun: rehearsal.dryRun)
    }
    session.emit(imported.warnings)
    if let problem = imported.summary.problem?.named(Call.name) {
      throw CommandExit(problem.wordsOfImport(path: file), problem.statusOfImport)
    }
    let report = HistoryImportReport(imported.kind, imported.summary, items: imported.items, isDryRun: rehearsal.dryRun)
    if result.json {
      Terminal.standardOutput.write(report.json())
    } else if !session.isQuiet {
      Terminal.standardOutput.write(report.text)
    }
  }

  private func kind() throws -> HistorySource.Kind? {
    guard let format else {
      guard file != "-" else { throw CommandExit(OptionWords.stdinNeedsFormat, .usage) }
      return nil
    }
    guard let kind = HistorySource.Kind(rawValue: format) else {
      throw CommandExit(OptionWords.badFormat(Call.name(of: "--format"), format), .usage)
    }
    return kind
  }

  private func zone() throws -> ZoneName? {
    guard let timezone else { return nil }
    guard let zone = ZoneName(timezone) else {
      throw CommandExit(OptionWords.badZone(Call.name(of: "--timezone"), timezone), .usage)
    }
    return zone
  }

  private func mapping() throws -> PathMapping {
    let (directoryFlag, prefixFlag) = (Call.name(of: "--music-directory"), Call.name(of: "--prefix"))
    guard musicDirectory == nil || prefix == nil else {
      throw CommandExit(OptionWords.twoMappings(directoryFlag, prefixFlag), .usage)
    }
    if let musicDirectory, !musicDirectory.hasPrefix("/") {
      throw CommandExit(OptionWords.badMusicDirectory(directoryFlag, musicDirectory), .usage)
    }
    if let prefix, !PathMapping.isPrefix(prefix) {
      throw CommandExit(OptionWords.badPrefix(prefixFlag, prefix), .usage)
    }
    return PathMapping(musicDirectory: musicDirectory, prefix: prefix)
  }
}

extension HistoryProblem {
  /// The same problem with another name of the flag, for one that a variable set.
  fileprivate func named(_ name: (String) -> String) -> Self {
    guard case .needless(let flag, let kind) = self else { return self }
    return .needless(flag: name(flag), kind)
  }

  fileprivate var statusOfImport: ExitStatus {
    switch self {
    case .busy: .temporary
    case .needless: .usage
    default: .fatal
    }
  }
}
