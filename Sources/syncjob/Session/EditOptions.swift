// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import SyncCore
import SyncFormats
import SyncJob

/// The common options of all commands that edit the queue.
struct EditOptions: ParsableArguments {
  @OptionGroup var manifest: ManifestOption
  @OptionGroup var rehearsal: DryRunOption
  @OptionGroup var clock: ClockOptions
  @OptionGroup var lock: LockOptions
  @OptionGroup var result: ResultOptions
  @OptionGroup var output: OutputOptions

  /// - Parameter argument: a manifest that was named without `-m`.
  func session(_ argument: String? = nil) throws -> Session {
    try Session(.read(manifest.path(besides: argument)), lock: lock, clock: clock, output: output)
  }

  /// Applies one edit to the items that were named: to all or to none.
  func apply(_ edit: QueueEdit, to names: [String]) async throws {
    try await apply(edit, in: try session(names)) { view, session in
      var chosen: Set<ItemID> = []
      return try names.map { try Self.find($0, for: edit, view, session) }.filter { chosen.insert($0).inserted }
    }
  }

  /// Applies one edit to the items that were named, or with `--all` to all that it fits.
  /// - Parameter nothingNamed: The message if there are neither.
  func apply(
    _ edit: QueueEdit, to names: [String], orAll all: Bool, nothingNamed: String,
    fitting fits: (QueueItem) -> Bool
  ) async throws {
    guard all else {
      guard !names.isEmpty else { throw CommandExit(nothingNamed, .usage) }
      return try await apply(edit, to: names)
    }
    try await apply(edit, in: try sessionForAll(names)) { view, _ in view.queue.items.filter(fits).map(\.id) }
  }

  /// The session of an edit of all items. A word is the manifest then.
  func sessionForAll(_ names: [String]) throws -> Session {
    guard names.count < 2 else { throw CommandExit(EditWords.allAndItems(Call.name(of: "--all")), .usage) }
    return try session(names.first)
  }

  /// A session on the default manifest, unless that is missing and one of the words is a manifest instead of an item.
  func session(_ names: [String]) throws -> Session {
    if manifest.manifest == nil, let path = names.first(where: ManifestText.looksLikeManifest) {
      throw UsageProblem.manifestForItem(path)
    }
    return try session()
  }

  /// - Parameter edit: nil when the item is to be removed.
  static func find(
    _ name: String, for edit: QueueEdit?, _ view: some QueueView, _ session: Session
  ) throws -> ItemID {
    let found: FoundItem
    do throws(ItemSelector.Problem) { found = try view.find(name, now: session.context.now) } catch {
      if ManifestText.looksLikeManifest(name) { throw UsageProblem.manifestForItem(name) }
      throw CommandExit(error.words(session.invocation), .usage)
    }
    switch found {
    case .known(let id): return id
    case .unknown(let item) where edit == .pin && item.canBePinned: return item.id
    case .unknown(let item): throw CommandExit(EditWords.notKnown(item.id, item.objection, session.invocation), .usage)
    }
  }

  func apply(
    _ edit: QueueEdit, in session: Session, choosing items: (any QueueView, Session) throws -> [ItemID]
  ) async throws {
    try await apply(in: session) { view, session in EditOrder(edit, try items(view, session)) }
  }

  /// An edit, the items that it is for, and what is added to their lines.
  struct EditOrder {
    var edit: QueueEdit
    var items: [ItemID]
    var notes: [ItemID: String] = [:]

    init(_ edit: QueueEdit, _ items: [ItemID]) { (self.edit, self.items) = (edit, items) }
  }

  /// Applies an edit that depends on the queue.
  func apply(in session: Session, _ order: (any QueueView, Session) throws -> EditOrder) async throws {
    guard !rehearsal.dryRun else { return try await rehearse(in: session, order) }
    let editor = try await session.beginEdit()
    let (edit, chosen, notes): (QueueEdit, [ItemID], [ItemID: String])
    do {
      let ordered = try order(editor, session)
      (edit, chosen, notes) = (ordered.edit, ordered.items, ordered.notes)
      try check(edit, chosen, editor, session)
    } catch {
      try await session.stopping { () async throws(JobError) in try await editor.end() }
      throw error
    }
    let idle = Self.idle(edit, chosen, editor.queue)
    try await session.stopping { () async throws(JobError) in
      try await editor.apply(edit, to: chosen, now: session.context.now)
      try await editor.end()
    }
    if chosen.isEmpty { return showNothing(edit, editor.queue, session) }
    try show(chosen, edit.pastTense, editor.queue, session, notes: notes, idle: idle)
    warn(edit, chosen, editor, session)
  }

  private func rehearse(in session: Session, _ order: (any QueueView, Session) throws -> EditOrder) async throws {
    var view = try await session.beginRehearsal()
    let ordered = try order(view, session)
    let (edit, chosen) = (ordered.edit, ordered.items)
    try check(edit, chosen, view, session)
    let idle = Self.idle(edit, chosen, view.queue)
    view.apply(edit, to: chosen, now: session.context.now)
    if chosen.isEmpty { return showNothing(edit, view.queue, session) }
    try show(chosen, edit.conditional, view.queue, session, notes: ordered.notes, idle: idle)
    warn(edit, chosen, view, session)
  }

  /// The lines for items that the edit leaves as they are: those without the pin or the pause that it takes back.
  private static func idle(_ edit: QueueEdit, _ ids: [ItemID], _ queue: Queue) -> [ItemID: String] {
    let idle = ids.filter { id in
      switch edit {
      case .unpin: queue[id]?.pinned == false
      case .resume: queue[id]?.state.name != .paused
      default: false
      }
    }
    return Dictionary(idle.map { ($0, EditWords.unaffected($0, by: edit)) }, uniquingKeysWith: { first, _ in first })
  }

  /// Shows that an edit for all items found none.
  private func showNothing(_ edit: QueueEdit, _ queue: Queue, _ session: Session) {
    guard !result.json, !session.isQuiet else { return }
    Terminal.standardOutput.write(Self.words(ofNothing: edit, queue, session) + "\n")
  }

  private static func words(ofNothing edit: QueueEdit, _ queue: Queue, _ session: Session) -> String {
    // Failed items that were left out have messages of their own.
    guard edit == .retry, !queue.items.contains(where: { $0.state.name == .failed || $0.hasFailedUpgrade }) else {
      return EditWords.nothingToDo
    }
    let removed = queue.items.count { item in
      if case .removed(let removal) = item.state { removal.cause != .evicted } else { false }
    }
    return EditWords.nothingToRetry(removed: removed, session.invocation)
  }

  /// Shows the edit: a line for people, or the edited items as JSON.
  /// - Parameters:
  ///   - notes: added to the lines of these items.
  ///   - idle: the whole lines of items that the edit leaves as they are.
  func show(
    _ ids: [ItemID], _ done: String, _ queue: Queue, _ session: Session, notes: [ItemID: String] = [:],
    idle: [ItemID: String] = [:]
  ) throws {
    if result.json {
      let list = ItemList(ids.compactMap { queue[$0] }, of: queue, manifest: session.manifest, now: session.context.now)
      return Terminal.standardOutput.write(list.jsonLines())
    }
    guard !session.isQuiet else { return }
    for id in ids {
      let line = idle[id] ?? "\(done) \(id.text.quoted)\(notes[id].map { "; \($0)" } ?? "")"
      Terminal.standardOutput.write(line + "\n")
    }
    if ids.isEmpty { Terminal.standardOutput.write(EditWords.nothingToDo + "\n") }
  }

  private func check(_ edit: QueueEdit, _ ids: [ItemID], _ view: some QueueView, _ session: Session) throws {
    let queue = view.queue
    let pinned = edit == .unpin ? session.manifest.pinned(in: queue) : []
    for item in ids.compactMap({ queue[$0] }) {
      if !item.pinned, pinned.contains(item.id) { throw CommandExit(EditWords.pinnedByManifest(item.id), .usage) }
      do throws(QueueEdit.Refusal) { _ = try edit.applied(to: item, now: session.context.now) } catch {
        throw CommandExit(error.words(id: item.id, time: Call.name(of: "--at"), session.invocation), .usage)
      }
    }
    guard edit == .retry else { return }
    let objections = view.objectionsToRetry(ids, now: session.context.now)
    for id in ids {
      if let objection = objections[id] { throw CommandExit(objection.words(retrying: id, session.invocation), .usage) }
    }
  }

  /// Warns if a pin alone does not cause an item to be fetched.
  private func warn(_ edit: QueueEdit, _ ids: [ItemID], _ view: some QueueView, _ session: Session) {
    guard edit == .pin else { return }
    let objections = view.objectionsToPin(ids, now: session.context.now)
    for id in ids {
      if let objection = objections[id] { session.warn(objection.words(pinning: id, session.invocation)) }
    }
  }
}
