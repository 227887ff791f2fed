// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import SyncCore
import SyncDisk
import SyncFormats
import SyncJob

struct StateCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "state", abstract: "Move a library's state to another machine.",
    discussion: """
      Copy the media with any tool. If you copy the folder .syncjob as well, the state goes with it and you need \
      neither of these commands. Use them if you do not, or if library.state is elsewhere.
      """,
    subcommands: [StateExportCommand.self, StateImportCommand.self])
}

struct StateExportCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export", abstract: "Write the whole state as one JSON file.")

  @OptionGroup var manifest: ManifestArgument
  @Option(
    name: [.customShort("o"), .long], help: ArgumentHelp("Write to this file. Default: stdout.", valueName: "file"),
    completion: .file())
  var output: String?
  @OptionGroup var clock: ClockOptions
  @OptionGroup var result: ResultOptions
  @OptionGroup var words: OutputOptions

  func run() async throws {
    let session = try Session(.read(manifest.path()), lock: nil, clock: clock, output: words)
    let file = try output.map { try session.outputFile($0, of: .export) }
    let (export, warnings) = try await session.stopping { () async throws(JobError) in
      try MoveState(session.context).export()
    }
    session.emit(warnings)
    guard let output, let file else { return Terminal.standardOutput.write(export.encode()) }
    do throws(FileError) { try file.write(export.encode()) } catch {
      throw CommandExit(error.words, JobError.file(error).status)
    }
    if result.json { return Terminal.standardOutput.write(receipt(export, output)) }
    guard !session.isQuiet else { return }
    Terminal.standardOutput.write("wrote \(export.queue.items.count.counted("item")) to \(output.quoted)\n")
  }
}

extension StateExportCommand {
  /// The result as JSON, if the export itself goes into a file.
  private func receipt(_ export: StateExport, _ path: String) -> [UInt8] {
    var writer = JSONWriter()
    writer.object { writer in
      writer.field("format", "syncjob-export")
      writer.field("version", 1)
      writer.field("items", export.queue.items.count)
      writer.field("path", path)
    }
    writer.endLine()
    return writer.bytes
  }
}

struct StateImportCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import", abstract: "Take over a state that `state export` wrote.",
    discussion: """
      Refuses (exit 12) if the library has a state already or if the export is of another library, unless --replace \
      is given. The next run looks for the files and fetches the missing ones.
      """)

  @Argument(help: ArgumentHelp("The export; - is stdin.", valueName: "file"), completion: .file())
  var file: String
  @OptionGroup var manifest: ManifestArgument
  @Flag(name: .long, help: "Discard the present state, and take over that of another library.")
  var replace = false
  @OptionGroup var rehearsal: DryRunOption
  @OptionGroup var clock: ClockOptions
  @OptionGroup var lock: LockOptions
  @OptionGroup var result: ResultOptions
  @OptionGroup var output: OutputOptions

  func run() async throws {
    let session = try Session(.read(manifest.path()), lock: lock, clock: clock, output: output)
    let bytes: [UInt8]
    do throws(FileError) { bytes = try InputFile(file).read() } catch { throw CommandExit(error.words, .fatal) }
    let imported = try await session.stopping { () async throws(JobError) in
      let export: StateExport.Reading
      do throws(QueueFileProblem) { export = try StateExport.read(bytes) } catch {
        throw .badExport(path: file, error)
      }
      return try await rehearsal.dryRun
        ? MoveState(session.context).rehearseImport(export, isReplacing: replace)
        : MoveState(session.context).importing(export, isReplacing: replace)
    }
    for warning in imported.warnings(file) { session.warn(warning) }
    if result.json {
      Terminal.standardOutput.write(imported.json())
    } else if !session.isQuiet {
      let words = StateWords.imported(
        imported.items, finished: imported.completed, forgotten: imported.replaced, isRehearsal: rehearsal.dryRun)
      Terminal.standardOutput.write(words + "\n")
    }
  }
}

extension ImportedState {
  /// - Parameter path: The path of the export.
  fileprivate func warnings(_ path: String) -> [String] {
    var warnings: [String] = []
    if !edited.isEmpty { warnings.append(StateWords.edited(edited, path)) }
    if isEditedOutside { warnings.append(StateWords.editedOutside(path)) }
    if !contradicted.isEmpty { warnings.append(StateWords.contradicted(contradicted)) }
    return warnings
  }

  /// One JSON object on one line.
  fileprivate func json() -> [UInt8] {
    var writer = JSONWriter()
    writer.object { writer in
      writer.field("format", "syncjob-import")
      writer.field("version", 1)
      writer.field("items", items)
      writer.field("completed", completed)
      writer.field("replaced", replaced)
      writer.field("edited_outside", isEditedOutside ? true : nil)
      for (name, ids) in [("edited", edited), ("contradicted", contradicted)] where !ids.isEmpty {
        writer.array(name) { writer in for id in ids { writer.value(id.text) } }
      }
    }
    writer.endLine()
    return writer.bytes
  }
}
