// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import SyncCore
import SyncDisk
import SyncFormats
import SyncJob

struct ExportCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export", abstract: "Write feeds, a playlist or all items for another program.",
    discussion: """
      opml: the feeds, for a podcast program. m3u8, xspf, jspf: one playlist, as URLs; with --paths, its finished \
      files. csv: every item that the queue file knows, with its state. Tells what the last run knew; nothing is \
      fetched. Passwords and tokens are never written: what cannot be written without them is left out and named.
      """)

  @Argument(
    help: ArgumentHelp("\(ExportWords.formats).", valueName: "format"), completion: .words(of: ExportFormat.self))
  var format: Word
  @OptionGroup var manifest: ManifestArgument
  @OptionGroup var playlists: PlaylistOption
  @Flag(name: .long, help: "The absolute paths of finished files instead of URLs, for a player on this machine.")
  var paths = false
  @Option(
    name: [.customShort("o"), .customLong("output")],
    help: ArgumentHelp("Write to this file, readable by you only. Default: stdout.", valueName: "file"),
    completion: .file())
  var file: String?
  @OptionGroup var clock: ClockOptions
  @OptionGroup var result: ResultOptions
  @OptionGroup var output: OutputOptions

  func run() async throws {
    let format = try format.value(of: "format", ArgumentSpelling<ExportFormat>.choice)
    let session = try Session(.read(manifest.path()), lock: nil, clock: clock, output: output)
    let scope = try playlists.scope(session.manifest)
    guard !paths || format.isPlaylist else {
      throw CommandExit(ExportWords.pathsWithout(format, flag: Call.name(of: "--paths")), .usage)
    }
    let target = try file.map { try session.outputFile($0, of: format.output) }
    let playlist = try format.isPlaylist ? onlyPlaylist(format, scope, session) : nil
    let (exported, damage) = try await session.stopping { () async throws(JobError) in
      let export = Export(session.context)
      if let playlist { return try export.playlist(playlist, format, asPaths: paths) }
      return try format == .csv ? export.table(scope) : (export.feeds(scope), [])
    }
    session.emit(damage)
    if !session.isQuiet {
      for words in ExportWords.warnings(exported.omissions, isVerbose: output.verbose > 0) { session.warn(words) }
    }
    guard let file, let target else { return Terminal.standardOutput.write(exported.text) }
    do throws(FileError) { try target.write(Array(exported.text.utf8)) } catch {
      throw CommandExit(error.words, JobError.file(error).status)
    }
    if result.json { return Terminal.standardOutput.write(receipt(exported, format, file)) }
    if !session.isQuiet { Terminal.standardOutput.write(ExportWords.wrote(exported, format, to: file) + "\n") }
  }

  /// The result as JSON, if the export itself goes into a file.
  private func receipt(_ exported: Exported, _ format: ExportFormat, _ path: String) -> [UInt8] {
    var writer = JSONWriter()
    writer.object { writer in
      writer.field("format", "syncjob-export")
      writer.field("version", 1)
      writer.field("kind", format.rawValue)
      writer.field("entries", exported.entries)
      writer.field("path", path)
      if !exported.omissions.isEmpty {
        writer.array("omitted") { writer in
          for omission in exported.omissions {
            writer.object { writer in
              writer.field("reason", omission.reason)
              writer.field("id", omission.item)
              writer.field("playlist", omission.playlist?.text)
            }
          }
        }
      }
    }
    writer.endLine()
    return writer.bytes
  }

  private func onlyPlaylist(
    _ format: ExportFormat, _ scope: Set<PlaylistName>?, _ session: Session
  ) throws -> Playlist {
    let playlists = Export(session.context).playlists(in: scope)
    guard let playlist = playlists.first, playlists.count == 1 else {
      let words = ExportWords.severalPlaylists(format, playlists.map(\.name), flag: Call.name(of: "--playlist"))
      throw CommandExit(words, .usage)
    }
    return playlist
  }
}

extension ExportFormat {
  fileprivate var output: FileError.Output {
    switch self {
    case .opml: .opml
    case .m3u8: .m3u8
    case .xspf: .xspf
    case .jspf: .jspf
    case .csv: .csv
    }
  }
}
