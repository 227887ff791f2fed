// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import SyncCore
import SyncFormats
import SyncIO

/// What all commands that edit the queue have in common.
struct EditOptions: ParsableArguments {
  @OptionGroup var manifest: ManifestOption
  @OptionGroup var lock: LockOptions
  @OptionGroup var result: ResultOptions
  @OptionGroup var output: OutputOptions

  func session() throws -> Session { try Session(manifest.manifest, lock: lock, output: output) }

  /// Applies one edit to the items that were named, all or none.
  func apply(_ edit: QueueEdit, to names: [String]) async throws {
    try await apply(edit) { editor, session in
      var chosen: Set<ItemID> = []
      return try names.map { try Self.find($0, for: edit, editor, session) }.filter { chosen.insert($0).inserted }
    }
  }

  /// - Parameter edit: nil: none, it is to be removed.
  static func find(
    _ name: String, for edit: QueueEdit?, _ editor: QueueEditor, _ session: Session
  ) throws -> ItemID {
    let found: QueueEditor.Found
    do throws(ItemSelector.Problem) { found = try editor.find(name, now: session.job.now) } catch {
      throw Stop(error.words(session.invocation), .usage)
    }
    switch found {
    case .known(let id): return id
    case .unknown(let item) where edit == .pin && item.canBePinned: return item.id
    case .unknown(let item): throw Stop(EditWords.notKnown(item.id, item.objection, session.invocation), .usage)
    }
  }

  func apply(_ edit: QueueEdit, choosing items: (QueueEditor, Session) throws -> [ItemID]) async throws {
    let session = try session()
    let editor = try await session.beginEdit()
    let chosen: [ItemID]
    do {
      chosen = try items(editor, session)
      try check(edit, chosen, editor, session)
    } catch {
      try await session.stopping { () async throws(JobError) in try await editor.end() }
      throw error
    }
    try await session.stopping { () async throws(JobError) in
      try await editor.apply(edit, to: chosen, now: session.job.now)
      try await editor.end()
    }
    try show(chosen, edit.pastTense, editor.queue, session)
    guard edit == .pin else { return }
    let objections = editor.objectionsToPin(chosen, now: session.job.now)
    for id in chosen {
      if let objection = objections[id] { session.warn(objection.words(pinning: id, session.invocation)) }
    }
  }

  /// What was done to which items: a line for people, or the items as they are now.
  func show(_ ids: [ItemID], _ pastTense: String, _ queue: Queue, _ session: Session) throws {
    if result.isJSON(session.environment) {
      let list = ItemList(ids.compactMap { queue[$0] }, of: queue, manifest: session.manifest, now: session.job.now)
      return Terminal.standardOutput.write(list.jsonLines())
    }
    guard !session.isQuiet else { return }
    for id in ids { Terminal.standardOutput.write("\(pastTense) \(id.text.quoted)\n") }
    if ids.isEmpty { Terminal.standardOutput.write("nothing to do\n") }
  }

  private func check(_ edit: QueueEdit, _ ids: [ItemID], _ editor: QueueEditor, _ session: Session) throws {
    let queue = editor.queue
    let pinned = edit == .unpin ? session.manifest.pinned(in: queue) : []
    for item in ids.compactMap({ queue[$0] }) {
      if !item.pinned, pinned.contains(item.id) { throw Stop(EditWords.pinnedByManifest(item.id), .usage) }
      do throws(QueueEdit.Refusal) { _ = try edit.applied(to: item, now: session.job.now) } catch {
        throw Stop(error.words(id: item.id, session.invocation), .usage)
      }
    }
    guard edit == .retry else { return }
    let objections = editor.objectionsToRetry(ids, now: session.job.now)
    for id in ids {
      if let objection = objections[id] { throw Stop(objection.words(retrying: id, session.invocation), .usage) }
    }
  }
}
