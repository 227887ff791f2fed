// SPDX-License-Identifier: Apache-2.0
package import SyncCore
import SyncDisk
package import SyncFormats

/// The queue while a person edits it. It is locked from `begin` to `end`.
package struct QueueEditor: QueueView {
  let opened: OpenLibrary
  /// Nil if the clock can be trusted.
  let clockDoubt: Warning?

  /// The purpose of an edit, which decides what a full disk means for it.
  package enum Purpose: Sendable {
    /// To change the queue. A full disk prevents it.
    case change
    /// To move files back into the library.
    case undo
    /// To remove files from the library.
    case makeRoom

    fileprivate var opening: OpeningPurpose {
      switch self {
      case .change: .edit
      case .undo: .undo
      case .makeRoom: .makeRoom
      }
    }
  }

  /// Locks the library for edits of its queue.
  /// - Parameter opensFiles: True if sealed files are opened, for which the keys are read.
  package static func begin(
    _ context: JobContext, _ purpose: Purpose = .change, opensFiles: Bool = false
  ) async throws(JobError) -> QueueEditor {
    let context = opensFiles ? try await context.withKeys { _ in } : context
    let opened = try await LibraryOpener(context, decodesAll: false).open(for: purpose.opening)
    return QueueEditor(opened: opened, clockDoubt: opened.view.clockDoubt)
  }

  var library: Library { opened.view.library }
  var journal: JournaledQueue { opened.journal }
  var manifest: Manifest { opened.view.context.manifest }
  var clock: SteadyClock { opened.view.clock }

  /// The defects found when it was opened.
  package var warnings: [Warning] { opened.view.state.allWarnings }

  package var queue: Queue { journal.queue }

  package var copies: SourceCopyReading {
    SourceCopyReading(library: library, manifest: manifest, clockDoubt: clockDoubt)
  }

  /// Applies an edit that fits all of the items.
  package func apply(_ edit: QueueEdit, to ids: [ItemID], now: Timestamp) async throws(JobError) {
    let passedOver = edit == .pin ? passedOver(ids, now: now) : [:]
    for id in ids {
      guard let item = journal.item(id) ?? passedOver[id] else { continue }
      let edited: QueueItem?
      do throws(QueueEdit.Refusal) { edited = try edit.applied(to: item, now: now) } catch { continue }
      guard let edited else { continue }
      if case .played(let at, let count) = edit { try log(edited, at: at, count: count) }
      do throws(Failure) { try journal.apply([.item(edited)]) } catch { throw .failed(error) }
      if let partial = item.partial, edited.partial == nil { try drop(partial) }
    }
  }

  /// Writes a play to the log before it is counted, as for an imported one.
  private func log(_ item: QueueItem, at: Timestamp, count: Int) throws(JobError) {
    let play = PlayLog.Play(at: at, source: .played, count: count)
    do throws(FileError) {
      try PlayLogStore(library.state).append([.play(item.id, play, total: item.plays.count)]) {
        // Only the last of the plays from before the log existed is known.
        journal.queue.items.compactMap(\.countedPlays)
      }
    } catch { throw .file(error) }
  }

  /// Records the change first: bytes without a record are a stray that the next run removes, but a record without bytes
  /// is wrong.
  private func drop(_ partial: PartialDownload) throws(JobError) {
    do throws(Failure) { try journal.sync() } catch { throw .failed(error) }
    do throws(FileError) { try library.partials.remove(partial.name) } catch { throw .file(error) }
  }

  /// Removes finished items from the library, also those whose files a person renamed or moved inside it.
  /// - Parameter emit: Receives an event for each item as soon as it is removed.
  /// - Returns: The files that stay, and the files that are not in their places.
  package func remove(
    _ ids: [ItemID], emitting emit: (RunEvent) -> Void = { _ in }
  ) async throws(JobError) -> RemovalOutcome {
    var outcome = RemovalOutcome(displaced: try displaced(ids))
    var removals = Removals(
      library: library, journal: journal, trashKeep: manifest.storage.trashKeep, clock: clock)
    for id in ids {
      do throws(Failure) {
        if case .found(let file)? = outcome.displaced[id] { try journal.complete([(id, file)], at: clock.now()) }
        switch try removals.remove(id, cause: .user) {
        case .freed(let freed)?: emit(.removed(id, .user, freed: freed))
        case .notOurs(let path)?: outcome.kept[id] = .notOurs(path)
        case .refused(let path, let error)?: outcome.kept[id] = .refused(path, error)
        case nil: break
        }
      } catch { throw .failed(error) }
    }
    return outcome
  }

  /// Saves the changes, updates the playlists and releases the lock.
  package func end() async throws(JobError) {
    if PlaylistFiles.show(journal.changes) {
      do throws(FileError) {
        for format in manifest.report.playlistFormats {
          try PlaylistFiles(
            library: library, playlists: manifest.playlists, format: format,
            listsSealed: manifest.report.sealedInPlaylists
          ).write(journal.queue)
        }
      } catch {
        throw .file(error)
      }
    }
    try journal.close(at: clock.now(), closingJournalFrom: opened.view.context.options.longQueue)
  }
}
