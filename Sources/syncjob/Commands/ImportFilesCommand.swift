// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import SyncCore
import SyncFormats
import SyncJob

struct ImportFilesCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "files", abstract: "Take media files that you have already into the library.",
    discussion: """
      Reads the sources as a run does, and looks in the folder and below it for the files of items that have none: \
      by checksum, by size and name, by tags, by name, in this order. Each file that belongs to one item, and to no other, \
      is copied into the library, or moved with --move. A file is never guessed: with two files for one item, both \
      stay where they are, and the command names them. Nothing is fetched, evicted or overwritten. Look first with -n. \
      Exit status: 0; 1 if the folder cannot be read; 3 if a file could not be imported; 4 if the library has no room \
      for one; 3 or 5 if a source could not be read, as for a run.
      """)

  @Argument(help: ArgumentHelp("The folder with your files.", valueName: "folder"), completion: .directory)
  var folder: String
  @OptionGroup var manifest: ManifestArgument
  @Flag(name: .long, help: "Move the files instead of copying them.")
  var move = false
  @OptionGroup var rehearsal: DryRunOption
  @OptionGroup var playlists: PlaylistOption
  @OptionGroup var clock: ClockOptions
  @OptionGroup var lock: LockOptions
  @OptionGroup var result: ResultOptions
  @OptionGroup var output: OutputOptions

  func run() async throws {
    let session = try Session(
      .read(manifest.path()), importing: playlists, lock: lock, clock: clock, output: output)
    let request = ImportFiles.Request(folder: folder, isMove: move, isDryRun: rehearsal.dryRun)
    let stops = StopSignals.stops
    let (imported, warnings, sources) = try await session.showingProgress { listener throws(JobError) in
      try await ImportFiles(session.context, request, listener).perform(stopping: stops)
    }
    session.emit(warnings)
    if result.json {
      Terminal.standardOutput.write(imported.json())
    } else {
      for words in imported.warnings { session.warn(words) }
      if !session.isQuiet || imported.status != .ok {
        let place: Terminal = session.isQuiet ? .standardError : .standardOutput
        place.show(imported.text(style: session.style(on: place)), LogLevel(imported.status))
      }
    }
    let status = imported.interruption ?? ExitStatus.decisive(of: [imported.status] + sources.map(\.status))
    if status != .ok { throw CommandExit.silent(status) }
  }
}
