// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import SyncCore
import SyncFormats
import SyncJob

struct RemoveCommand: AsyncParsableCommand, OrderedByHand {
  static let configuration = CommandConfiguration(
    commandName: "remove", abstract: "Move finished items out of the library into the trash.",
    discussion:
      "Removed items stay out until `syncjob retry` brings them back. Pinned items are refused: unpin them first.")

  static let typedFlags: Set = ["playlist", "all", "yes"]

  @Argument(help: "Items, by id, by the beginning of an id, or by title.", completion: .items)
  var items: [String] = []
  @Option(
    name: .long,
    help: ArgumentHelp("Every finished item of the playlists whose name matches; may be repeated.", valueName: "glob"),
    completion: .playlists)
  var playlist: [String] = []
  @Flag(name: .long, help: "Every finished item; needs --yes.")
  var all = false
  @Flag(name: .long, help: "Confirm --all.")
  var yes = false
  @OptionGroup var events: EventOptions
  @OptionGroup var edit: EditOptions

  func run() async throws {
    let session = try openSession()
    guard !edit.rehearsal.dryRun else { return try await rehearse(session) }
    let asJSON = edit.result.json
    let resolved = try events.resolved(session.environment, asJSON: asJSON, besides: session.protected)
    let editor = try await session.beginEdit(.makeRoom)
    let chosen: [QueueItem]
    do { chosen = try choose(editor, session) } catch {
      try await session.stopping { () async throws(JobError) in try await editor.end() }
      throw error
    }
    let context = session.context
    let log = resolved.log(
      finishedFiles: editor.queue.items.count { $0.state.name == .completed }, now: { context.now },
      warn: { Log.say(.warning, $0) })
    let outcome: RemovalOutcome
    do {
      outcome = try await session.stopping { () async throws(JobError) in
        let outcome = try await editor.remove(chosen.map(\.id)) { log?.emit($0) }
        try await editor.end()
        return outcome
      }
    } catch {
      await log?.end(nil)
      throw error
    }
    await log?.end(nil)
    let kept = outcome.kept
    for (id, file) in kept.sorted(by: { $0.key < $1.key }) {
      Log.say(LogLine(.warning, EditWords.keptFile(id, file)), isResult: true)
    }
    if !resolved.takesStdout {
      let gone = chosen.map(\.id).filter { kept[$0] == nil }
      if !gone.isEmpty || kept.isEmpty || asJSON {
        try edit.show(gone, "removed", editor.queue, session, notes: outcome.displaced.mapValues(\.words))
      }
    }
    if !kept.isEmpty { throw CommandExit.silent(.partial) }
  }

  private func openSession() throws -> Session {
    let isOfMany = all || !playlist.isEmpty
    guard !all || playlist.isEmpty else { throw CommandExit(EditWords.playlistAndAll, .usage) }
    guard isOfMany || !items.isEmpty else {
      throw CommandExit(EditWords.nothingToRemoveNamed, .usage)
    }
    guard !all || yes || edit.rehearsal.dryRun else { throw CommandExit(EditWords.removeAllNeedsYes, .usage) }
    guard isOfMany else { return try edit.session(items) }
    // Then there are no items, so a word is the manifest.
    guard items.count < 2, items.allSatisfy(ManifestText.looksLikeManifest) else {
      throw CommandExit(EditWords.nothingToRemoveNamed, .usage)
    }
    return try edit.session(items.first)
  }

  private func rehearse(_ session: Session) async throws {
    let view = try await session.beginRehearsal()
    let chosen = try choose(view, session)
    let (kept, displaced) = try await session.stopping { () async throws(JobError) in
      (try view.kept(chosen, now: session.context.now), try view.displaced(chosen.map(\.id)))
    }
    for (id, file) in kept.sorted(by: { $0.key < $1.key }) {
      Log.say(LogLine(.warning, EditWords.keptFile(id, file)), isResult: true)
    }
    let gone = chosen.map(\.id).filter { kept[$0] == nil }
    if !gone.isEmpty || kept.isEmpty || edit.result.json {
      try edit.show(gone, EditWords.wouldRemove, view.queue, session, notes: displaced.mapValues(\.words))
    }
    if gone.count < chosen.count { throw CommandExit.silent(.partial) }
  }

  private func choose(_ view: some QueueView, _ session: Session) throws -> [QueueItem] {
    let chosen = try candidates(view, session)
    let pinned = session.manifest.pinned(in: view.queue)
    if let item = chosen.first(where: { $0.pinned || pinned.contains($0.id) }) {
      let wayOut = item.pinned ? session.invocation.item("unpin", item.id) : EditWords.unpinInManifest
      throw CommandExit(EditWords.pinned(item.id, wayOut: wayOut), .usage)
    }
    return chosen
  }

  private func candidates(_ view: some QueueView, _ session: Session) throws -> [QueueItem] {
    let queue = view.queue
    if all { return queue.items.filter { $0.state.name == .completed } }
    if !playlist.isEmpty {
      let names = try session.manifest.playlists(matching: playlist)
      return queue.items.filter { item in
        item.state.name == .completed && item.memberships.contains { names.contains($0.playlist) }
      }
    }
    return try items.compactMap { text in
      let id = try EditOptions.find(text, for: nil, view, session)
      guard let item = queue[id] else { return nil }
      guard item.state.name == .completed else {
        throw CommandExit(EditWords.notInLibrary(item.id, item.state.name), .usage)
      }
      return item
    }
  }
}
