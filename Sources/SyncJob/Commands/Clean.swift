// SPDX-License-Identifier: Apache-2.0
package import SyncCore
import SyncDisk
package import SyncFormats

/// Removes files that are no longer needed.
package struct Clean: Sendable {
  private let context: JobContext

  package init(_ context: JobContext) { self.context = context }

  /// - Parameter isDryRun: only looks; then nothing is locked.
  package func perform(isDryRun: Bool) async throws(JobError) -> (CleanResult, [Warning]) {
    let before = try LibraryOpener(context).look()
    // The opening removes them: they are noted now, to be reported later.
    let temporaries: [Cleaner.Find]
    do throws(FileError) {
      temporaries = try cleaner(before).temporaries()
      if isDryRun { return (cleaning(try cleaner(before).survey(before.queue), before, isDryRun: true), []) }
    } catch { throw .file(error) }
    let library = try await LibraryOpener(context).open(for: .makeRoom)
    let (view, cleaner) = (library.view, cleaner(library.view))
    do throws(Failure) {
      let finds: [Cleaner.Find]
      do throws(FileError) { finds = try cleaner.survey(view.queue) } catch { throw error.failure }
      try cleaner.remove(finds, library.journal)
      try library.journal.close(orStopping: context.now, closingJournalFrom: context.options.longQueue)
      let found = Set(finds.map(\.piece.path))
      let all = temporaries.filter { !found.contains($0.piece.path) } + finds
      return (cleaning(all, view, isDryRun: false), view.state.allWarnings)
    } catch { throw .failed(error) }
  }

  private func cleaner(_ view: LibraryView) -> Cleaner {
    Cleaner(
      library: view.library, manifest: context.manifest, now: context.now, isClockPlausible: view.clockDoubt == nil)
  }

  private func cleaning(_ finds: [Cleaner.Find], _ view: LibraryView, isDryRun: Bool) -> CleanResult {
    CleanResult(pieces: finds.map(\.piece), isDryRun: isDryRun, clockDoubt: view.clockDoubt)
  }
}

/// Finds leftovers and removes them.
struct Cleaner {
  let library: Library
  let manifest: Manifest
  let now: Timestamp
  /// If false, nothing is judged by its age.
  let isClockPlausible: Bool

  /// The time for which damaged files are kept for inspection.
  private static let asideKeep = Duration.days(30)

  /// One thing to remove, and how a person finds it.
  struct Find {
    var piece: CleanResult.Piece
    var what: Target
  }

  enum Target {
    case file(FilePlace)
    case trashed(TrashFolder.Entry)
    case partial(String, ItemID?)
  }

  func survey(_ queue: Queue) throws(FileError) -> [Find] {
    try trashed() + partials(queue) + temporaries() + aside() + cached()
  }

  private func trashed() throws(FileError) -> [Find] {
    guard isClockPlausible, let trash = library.workFolder?.trash else { return [] }
    return try trash.list().filter { now - $0.trashedAt > manifest.storage.trashKeep }.map { entry in
      Find(.trash, "\(trash.folder.text)/\(entry.batch)/\(entry.path)", entry.size, .trashed(entry))
    }
  }

  private func partials(_ queue: Queue) throws(FileError) -> [Find] {
    guard let partials = library.partialsIfPresent else { return [] }
    let owners = Dictionary(
      queue.items.lazy.compactMap { item in item.partial.map { ($0.name, (id: item.id, state: item.state.name)) } },
      uniquingKeysWith: { first, _ in first })
    return try partials.list().sorted { $0.key < $1.key }.compactMap { name, file in
      let path = "\(partials.folder.text)/\(name)"
      guard let (owner, state) = owners[name] else {
        return Find(.orphanPartial, path, file.size, .partial(name, nil))
      }
      // A person who pauses an item decides when it goes on.
      guard isClockPlausible, state != .paused, now - file.modifiedAt > manifest.downloads.partialsKeep else {
        return nil
      }
      return Find(.oldPartial, path, file.size, .partial(name, owner))
    }
  }

  /// The files that opening a library removes without a message.
  func temporaries() throws(FileError) -> [Find] {
    try UnfinishedFiles(library: library).list().map { Find(.temporary, $0.place.text, $0.size, .file($0.place)) }
  }

  private func aside() throws(FileError) -> [Find] {
    guard isClockPlausible, let folder = library.stateFolder else { return [] }
    return try AsideFiles(folder, now: now).list().filter { now - $0.keptAt > Self.asideKeep }.map { file in
      Find(.aside, file.place.text, file.size, .file(file.place))
    }
  }

  private func cached() throws(FileError) -> [Find] {
    guard let folder = library.stateFolder.flatMap({ FilePlace($0.root).child("cache") }) else { return [] }
    let known = Set(manifest.playlists.flatMap(\.copyNames))
    return try library.files.listIfPresent(folder).compactMap { entry in
      guard entry.isNameExact, entry.status.kind == .file, Playlist.isCopyName(entry.name), !known.contains(entry.name),
        let place = folder.child(entry.name)
      else { return nil }
      return Find(.cache, place.text, entry.status.size, .file(place))
    }
  }

  // MARK: Removing

  /// Deletes first the files that need no record, which may free the room for one. Then deletes the record of a partial
  /// before its bytes: bytes without a record are a stray, but a record without bytes is wrong.
  func remove(_ finds: [Find], _ journal: JournaledQueue) throws(Failure) {
    try delete(finds.filter { !$0.hasRecord })
    let recorded = finds.filter(\.hasRecord)
    guard !recorded.isEmpty else { return }
    try forget(recorded, journal)
    try delete(recorded)
  }

  private func forget(_ finds: [Find], _ journal: JournaledQueue) throws(Failure) {
    for case .partial(_, let id?) in finds.map(\.what) {
      guard var item = journal.item(id) else { continue }
      item.updatePartial { _ in nil }
      item.updatedAt = now
      try journal.apply([.item(item)])
    }
    try journal.sync()
  }

  private func delete(_ finds: [Find]) throws(Failure) {
    do throws(FileError) {
      for find in finds {
        switch find.what {
        case .file(let place): try library.files.removeFileIfPresent(place)
        case .partial(let name, _): try library.partials.remove(name)
        case .trashed(let entry): _ = try library.trash.remove([entry])
        }
      }
    } catch { throw error.failure }
  }
}

extension Cleaner.Find {
  /// True if the queue names the file.
  fileprivate var hasRecord: Bool {
    if case .partial(_, _?) = what { true } else { false }
  }

  fileprivate init(_ kind: CleanResult.Kind, _ path: String, _ size: ByteCount, _ what: Cleaner.Target) {
    self.init(piece: CleanResult.Piece(kind: kind, path: path, size: size), what: what)
  }
}
