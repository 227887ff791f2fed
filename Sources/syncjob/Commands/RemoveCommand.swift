// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import SyncCore
import SyncFormats
import SyncIO

struct RemoveCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove", abstract: "Take finished items out of the library, into the trash.",
    discussion: "They stay out until `syncjob retry` brings them back. Pinned items are refused: unpin them first.")

  @Argument(help: "Items, by id, by the beginning of an id, or by title.")
  var items: [String] = []
  @Option(name: .long, help: ArgumentHelp("Every finished item of this playlist.", valueName: "name"))
  var playlist: String?
  @Flag(name: .long, help: "Every finished item; needs --yes.")
  var all = false
  @Flag(name: .long, help: "Yes, really all.")
  var yes = false
  @OptionGroup var events: EventOptions
  @OptionGroup var edit: EditOptions

  func run() async throws {
    let ways = [!items.isEmpty, playlist != nil, all].count { $0 }
    guard ways == 1 else { throw Stop("name the items to remove, or one of --playlist and --all", .usage) }
    guard !all || yes else { throw Stop("--all removes every finished item; say --yes to mean it", .usage) }
    let session = try edit.session()
    let asJSON = edit.result.isJSON(session.environment)
    let settled = try events.settled(session.environment, asJSON: asJSON, besides: session.protected)
    let editor = try await session.beginEdit()
    let chosen: [QueueItem]
    do { chosen = try choose(editor, session) } catch {
      try await session.stopping { () async throws(JobError) in try await editor.end() }
      throw error
    }
    let job = session.job
    let log = settled.log(
      finishedFiles: editor.queue.items.count { $0.state.name == .completed }, now: { job.now },
      warn: { Terminal.standardError.write($0 + "\n") })
    let kept: [ItemID: KeptFile]
    do {
      kept = try await session.stopping { () async throws(JobError) in
        let kept = try await editor.remove(chosen.map(\.id), now: job.now) { log?.tell($0) }
        try await editor.end()
        return kept
      }
    } catch {
      await log?.end(nil)
      throw error
    }
    await log?.end(nil)
    for (id, file) in kept.sorted(by: { $0.key < $1.key }) {
      Terminal.standardError.write(EditWords.keptFile(id, file) + "\n")
    }
    if !settled.takesStdout {
      let gone = chosen.map(\.id).filter { kept[$0] == nil }
      if !gone.isEmpty || kept.isEmpty || asJSON { try edit.show(gone, "removed", editor.queue, session) }
    }
    if !kept.isEmpty { throw Stop.silent(.partial) }
  }

  private func choose(_ editor: QueueEditor, _ session: Session) throws -> [QueueItem] {
    let chosen = try candidates(editor, session)
    let pinned = session.manifest.pinned(in: editor.queue)
    if let item = chosen.first(where: { $0.pinned || pinned.contains($0.id) }) {
      let wayOut = item.pinned ? session.invocation.item("unpin", item.id) : "remove its `pin` from the manifest"
      throw Stop("\(item.id.text.quoted) is pinned; nothing was removed. First: \(wayOut)", .usage)
    }
    return chosen
  }

  private func candidates(_ editor: QueueEditor, _ session: Session) throws -> [QueueItem] {
    let queue = editor.queue
    if all { return queue.items.filter { $0.state.name == .completed } }
    if let playlist {
      guard let name = PlaylistName(playlist), session.manifest.playlists.contains(where: { $0.name == name }) else {
        throw Stop("the manifest has no playlist \(playlist.quoted)", .usage)
      }
      return queue.items.filter { item in
        item.state.name == .completed && item.memberships.contains { $0.playlist == name }
      }
    }
    return try items.compactMap { text in
      let id = try EditOptions.find(text, for: nil, editor, session)
      guard let item = queue[id] else { return nil }
      guard item.state.name == .completed else {
        throw Stop("\(item.id.text.quoted) has no file in the library (it is \(item.state.name.rawValue))", .usage)
      }
      return item
    }
  }
}
