// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import SyncCore
import SyncFormats
import SyncJob

struct KeyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "key", abstract: "Make and change the keys that the media are sealed with.",
    discussion: """
      The keys are in the file that protect.keys_file names, a keyset in the form of Tink. Without this file nothing \
      that is sealed can be read by anybody: keep a copy of it elsewhere.
      """,
    subcommands: [KeyNewCommand.self, KeyAddCommand.self, KeyRotateCommand.self, KeyListCommand.self])
}

/// The common options of the commands about keys.
struct KeyOptions: ParsableArguments {
  @OptionGroup var manifest: ManifestArgument
  @OptionGroup var clock: ClockOptions
  @OptionGroup var result: ResultOptions
  @OptionGroup var output: OutputOptions

  func session() throws -> Session {
    try Session(.read(manifest.path()), lock: nil, clock: clock, output: output)
  }

  /// Changes the keyset, and says so.
  func edit(
    isPrimary: Bool, _ body: (KeyEditor) async throws(KeyEditProblem) -> KeyID
  ) async throws {
    let session = try session()
    let editor = KeyEditor(session.context)
    let (key, path) = try await Self.stopping(session) { () async throws(KeyEditProblem) in
      let path = try editor.path()
      return (try await body(editor), path)
    }
    if result.json {
      var writer = JSONWriter()
      writer.object { writer in
        writer.field("format", "syncjob-key")
        writer.field("version", 1)
        writer.field("key", key.number)
        writer.field("primary", isPrimary)
        writer.field("path", path)
      }
      writer.endLine()
      return Terminal.standardOutput.write(writer.bytes)
    }
    guard !session.isQuiet else { return }
    Terminal.standardOutput.write(KeyWords.wrote(key, to: path, isPrimary: isPrimary, session.invocation) + "\n")
  }

  static func stopping<Result>(
    _ session: Session, _ body: () async throws(KeyEditProblem) -> Result
  ) async throws -> Result {
    do { return try await body() } catch { throw CommandExit(error.words(session.invocation), error.status) }
  }
}

struct KeyNewCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "new", abstract: "Make the keyset of a new library.",
    discussion: """
      Writes a keyset with one key to protect.keys_file, readable by you only. A file that is there already is never \
      replaced.
      """)

  @OptionGroup var options: KeyOptions

  func run() async throws {
    try await options.edit(isPrimary: true) { editor throws(KeyEditProblem) in try editor.create() }
  }
}

struct KeyAddCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "add", abstract: "Add a key that opens files and does not seal yet.",
    discussion:
      "For a library that is sealed on several machines: give all of them the new key before one seals with it.")

  @OptionGroup var options: KeyOptions

  func run() async throws {
    try await options.edit(isPrimary: false) { editor throws(KeyEditProblem) in try await editor.add() }
  }
}

struct KeyRotateCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rotate", abstract: "Seal with a new key from now on.",
    discussion: """
      Adds a key, and seals with it. The old key stays in the file and opens what it has sealed. Each of the next runs \
      seals some of the older files again, up to 4 GiB. When `syncjob key list` counts none for the old key, it may be \
      taken out of the file.
      """)

  @Option(
    name: .long,
    help: ArgumentHelp(
      "Seal with this key of the keyset instead of a new one; `syncjob key list` shows its number.", valueName: "number"
    ))
  var to: Word?
  @OptionGroup var options: KeyOptions

  func run() async throws {
    let number = try to?.value(of: "--to", .number(1...Int(UInt32.max)))
    try await options.edit(isPrimary: true) { editor throws(KeyEditProblem) in
      guard let number else { return try await editor.rotate() }
      return try await editor.rotate(to: KeyID(UInt32(number)))
    }
  }
}

struct KeyListCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List the keys and the number of files that each has sealed.",
    discussion: "The keys themselves are not shown.")

  @OptionGroup var options: KeyOptions

  func run() async throws {
    let session = try options.session()
    let editor = KeyEditor(session.context)
    let keys = try await KeyOptions.stopping(session) { () async throws(KeyEditProblem) in try await editor.keys() }
    let files = try await KeyOptions.stopping(session) { () async throws(KeyEditProblem) in try editor.files() }
    let list = KeyList(keys, files: files)
    if options.result.json {
      Terminal.standardOutput.write(list.jsonLines())
    } else {
      Terminal.standardOutput.write(list.text(style: session.style))
    }
  }
}
