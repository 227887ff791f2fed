// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import SyncCore
import SyncFormats
import SyncJob

struct PlaylistCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "playlist", abstract: "Edit playlists that are kept in step with a server.",
    discussion: """
      The changes are recorded here, and the next run, or `syncjob sync`, merges them with the list of the server. A \
      playlist is edited here if the manifest says sync: both. Its file in the library may be edited as well.
      """,
    subcommands: [
      PlaylistAddCommand.self, PlaylistRemoveCommand.self, PlaylistMoveCommand.self, PlaylistCreateCommand.self,
      PlaylistDeleteCommand.self,
    ])
}

/// One edit of a playlist, from the command line.
struct PlaylistEditOptions: ParsableArguments {
  @OptionGroup var edit: EditOptions

  /// - Parameters:
  ///   - names: The items, as other commands name them.
  ///   - body: Makes the edit.
  func apply(
    to names: [String], _ body: (ListEditor, [QueueItem]) throws(ListEditProblem) -> ListEditor.Edited
  ) async throws {
    let session = try edit.session()
    let edited: ListEditor.Edited
    if edit.rehearsal.dryRun {
      let view = try await session.beginRehearsal()
      let items = try items(names, view, session)
      edited = try Self.stopping(session) { () throws(ListEditProblem) in
        try body(ListEditor(rehearsing: view, at: session.context.now), items)
      }
    } else {
      edited = try await applied(names, session, body)
    }
    let report = ListEditReport(edited.playlist, edited.state, isDryRun: edit.rehearsal.dryRun)
    if edit.result.json { return Terminal.standardOutput.write(report.json()) }
    if !session.isQuiet { Terminal.standardOutput.write(report.text) }
  }

  private func applied(
    _ names: [String], _ session: Session,
    _ body: (ListEditor, [QueueItem]) throws(ListEditProblem) -> ListEditor.Edited
  ) async throws -> ListEditor.Edited {
    let editor = try await session.beginEdit()
    let result: Result<ListEditor.Edited, any Error>
    do {
      let items = try items(names, editor, session)
      result = .success(
        try Self.stopping(session) { () throws(ListEditProblem) in try body(ListEditor(editor), items) })
    } catch { result = .failure(error) }
    try await session.stopping { () async throws(JobError) in try await editor.end() }
    return try result.get()
  }

  private func items(_ names: [String], _ view: some QueueView, _ session: Session) throws -> [QueueItem] {
    try names.compactMap { view.queue[try EditOptions.find($0, for: nil, view, session)] }
  }

  private static func stopping<Result>(
    _ session: Session, _ body: () throws(ListEditProblem) -> Result
  ) throws -> Result {
    do { return try body() } catch { throw CommandExit(error.words(session.invocation), error.status) }
  }
}

struct PlaylistAddCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "add", abstract: "Add songs to a playlist.",
    discussion: "A song that the playlist has already is added once more.")

  @Argument(help: "The playlist.", completion: .playlists) var playlist: String
  @Argument(help: "The songs: ids, beginnings of ids, or titles.", completion: .items) var items: [String]
  @Option(
    name: .long, help: ArgumentHelp("The place of the first of them, from 1. Default: the end.", valueName: "n"))
  var at: Word?
  @OptionGroup var options: PlaylistEditOptions

  func run() async throws {
    let place = try at?.value(of: "--at", .number(1...SyncedList.mostEntries))
    try await options.apply(to: items) { editor, items throws(ListEditProblem) in
      try editor.edit(playlist, items) { .add($0, at: place) }
    }
  }
}

struct PlaylistRemoveCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove", abstract: "Remove songs from a playlist.",
    discussion: """
      Removes every occurrence of the songs, unless --at names one. The file of a song that no playlist names any more \
      follows the rules for orphans.
      """)

  @Argument(help: "The playlist.", completion: .playlists) var playlist: String
  @Argument(help: "The songs: ids, beginnings of ids, or titles.", completion: .items) var items: [String]
  @Option(name: .long, help: ArgumentHelp("Only the occurrence at this place, from 1.", valueName: "n"))
  var at: Word?
  @OptionGroup var options: PlaylistEditOptions

  func run() async throws {
    let place = try at?.value(of: "--at", .number(1...SyncedList.mostEntries))
    try await options.apply(to: items) { editor, items throws(ListEditProblem) in
      try editor.edit(playlist, items) { .remove($0, at: place) }
    }
  }
}

struct PlaylistMoveCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "move", abstract: "Give a song another place in a playlist.")

  @Argument(help: "The playlist.", completion: .playlists) var playlist: String
  @Argument(help: "The song: an id, the beginning of one, or a title.", completion: .items) var item: String
  @Option(name: .long, help: ArgumentHelp("The new place, from 1.", valueName: "n")) var to: Word
  @Option(
    name: .long, help: ArgumentHelp("The present place, if the playlist has the song several times.", valueName: "n"))
  var from: Word?
  @OptionGroup var options: PlaylistEditOptions

  func run() async throws {
    let target = try to.value(of: "--to", .number(1...SyncedList.mostEntries))
    let origin = try from?.value(of: "--from", .number(1...SyncedList.mostEntries))
    try await options.apply(to: [item]) { editor, items throws(ListEditProblem) in
      try editor.edit(playlist, items) { songs in
        songs.first.map { .move($0, from: origin, to: target) } ?? .add([], at: nil)
      }
    }
  }
}

struct PlaylistCreateCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "create", abstract: "Make a playlist on the server at the next sync.",
    discussion: """
      The manifest names the playlist, and its server does not have it yet. Where a playlist of the manifest stands for \
      several on the server, --title names the new one. If the playlist is about to be deleted, it is kept instead.
      """)

  @Argument(help: "The playlist of the manifest.", completion: .playlists) var playlist: String
  @Argument(help: "Its songs: ids, beginnings of ids, or titles.", completion: .items) var items: [String] = []
  @Option(name: .long, help: ArgumentHelp("Its name on the server.", valueName: "text")) var title: String?
  @OptionGroup var options: PlaylistEditOptions

  func run() async throws {
    try await options.apply(to: items) { editor, items throws(ListEditProblem) in
      try editor.create(playlist, title: title, items)
    }
  }
}

struct PlaylistDeleteCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "delete", abstract: "Delete a playlist on the server at the next sync.",
    discussion: """
      If the playlist was edited on the server since the last sync, on_conflict decides: by default it stays. \
      `syncjob playlist create` takes the deletion back before the next sync.
      """)

  @Argument(help: "The playlist.", completion: .playlists) var playlist: String
  @Flag(name: .long, help: "Confirm that the playlist goes for everybody who uses it on the server.") var yes = false
  @OptionGroup var options: PlaylistEditOptions

  func run() async throws {
    guard yes || options.edit.rehearsal.dryRun else { throw CommandExit(ListEditWords.deleteNeedsYes, .usage) }
    try await options.apply(to: []) { editor, _ throws(ListEditProblem) in try editor.delete(playlist) }
  }
}
