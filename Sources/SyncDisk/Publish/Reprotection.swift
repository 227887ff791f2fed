// SPDX-License-Identifier: Apache-2.0
package import SyncCore
import SyncFormats

/// Seals files of the library, brings sealed ones back in clear, or seals them with another key.
///
/// The order of writes is that of `Replacement`: the new file is made beside the present one and flushed, announced in
/// the journal, renamed into its place, and recorded. The present file is removed last. `InterruptedUpgrades` finds out
/// how far a killed run came. At every moment the item has a whole file.
package struct Reprotection {
  let library: Library
  let journal: JournaledQueue
  let clock: any WallClock
  let settings: SealSettings
  /// False if files come back in clear.
  let seals: Bool
  let emit: @Sendable (RunEvent) -> Void

  package init(
    library: Library, journal: JournaledQueue, clock: any WallClock, settings: SealSettings, seals: Bool,
    emit: @escaping @Sendable (RunEvent) -> Void
  ) {
    (self.library, self.journal, self.clock) = (library, journal, clock)
    (self.settings, self.seals, self.emit) = (settings, seals, emit)
  }

  /// A file that cannot be changed stays as it is, with a warning.
  package func run(_ steps: [ProtectStep]) throws(Failure) {
    for step in steps {
      guard !Task.isCancelled else { return }
      guard let old = journal.item(step.id)?.state.storedFile else { continue }
      let work = work(for: step)
      let failure: ProtectionFailure?
      switch make(step, old, at: work) {
      case .success(let new):
        failure = try exchange(step.id, old, new, work)
        if failure == nil { emit(.moved(step.id, from: old.path, new)) }
      case .failure(let error): failure = error
      }
      guard let failure else { continue }
      if case .io(let error) = failure, error.isStorageFull || error.code == .eio { throw error.failure }
      emit(.warned(.notProtected(path: old.path, failure)))
      if case .noRoom = failure { return }
    }
  }

  // MARK: The new file

  private func work(for step: ProtectStep) -> PartialDownload {
    let item = step.item.queued.item
    return PartialDownload(
      name: PartialFolder.name(for: item.id, url: item.main.url), received: .zero, url: item.main.url)
  }

  private func make(
    _ step: ProtectStep, _ old: StoredFile, at work: PartialDownload
  ) -> Result<StoredFile, ProtectionFailure> {
    Result { () throws(ProtectionFailure) in try made(step, old, at: work) }
  }

  private func made(
    _ step: ProtectStep, _ old: StoredFile, at work: PartialDownload
  ) throws(ProtectionFailure) -> StoredFile {
    var new = old
    new.sealed = seals ? SealedContent(sha256: old.plainSHA256, size: old.plainSize, key: key.id) : nil
    let place = new.workPlace(work.name, in: library)
    try checkRoom(seals ? key.layout.sealedSize(of: old.plainSize) : old.plainSize)
    do throws(SealedFile.Problem) {
      if seals {
        let result = try seal(step.id, old, into: place)
        guard result.plainSHA256 == old.plainSHA256 else { throw .damaged(at: .zero) }
        (new.size, new.sha256) = (result.size, result.sha256)
      } else {
        (new.size, new.sha256) = (old.plainSize, old.plainSHA256)
        guard try open(step.id, old, into: place) == new.sha256 else { throw .damaged(at: .zero) }
      }
      new.path = try free(step.change == .reseal ? old.path : step.path, of: old)
      return new
    } catch {
      discard(place)
      switch error {
      case .file(let error): throw .io(error)
      case .notOpened, .damaged, .stopped: throw old.sealed == nil ? .changed : .damaged
      }
    }
  }

  private var key: SealingKey { settings.keys.primary }

  private func checkRoom(_ size: ByteCount) throws(ProtectionFailure) {
    let free: ByteCount
    do throws(FileError) { free = try library.files.space(at: library.root).available } catch { throw .io(error) }
    let needed = size + settings.minimumFree
    guard needed <= free else { throw .noRoom(lacking: needed - free) }
  }

  private func seal(
    _ id: ItemID, _ old: StoredFile, into place: FilePlace
  ) throws(SealedFile.Problem) -> FileSealer.Result {
    let sealer = FileSealer(library.files, key)
    guard old.sealed != nil else {
      return try sealer.seal(library.root[old.path], into: place, settings.associatedData(id))
    }
    return try sealer.seal(try sealed(id, old), into: place, settings.associatedData(id))
  }

  /// - Returns: The hash of the file in clear.
  private func open(
    _ id: ItemID, _ old: StoredFile, into place: FilePlace
  ) throws(SealedFile.Problem) -> SHA256Digest {
    try sealed(id, old).write(to: place, in: library.files, mode: .sharedFile)
  }

  private func sealed(_ id: ItemID, _ old: StoredFile) throws(SealedFile.Problem) -> SealedFile {
    try SealedFile(library.root[old.path], in: library.files, settings.keys, settings.associatedData(id))
  }

  /// The path, or one like it that is free.
  private func free(_ wanted: LibraryPath, of old: StoredFile) throws(SealedFile.Problem) -> LibraryPath {
    if wanted == old.path { return wanted }
    do throws(FileError) {
      if !journal.isTaken(wanted), try library.files.status(of: library.root[wanted]) == nil { return wanted }
    } catch { throw .file(error) }
    throw .file(FileError(.move, old.path.text, to: wanted.text, code: .eexist))
  }

  private func discard(_ place: FilePlace) {
    do throws(FileError) { try library.files.removeFileIfPresent(place) } catch {
      // It is a stray that the next run removes.
    }
  }

  // MARK: The exchange

  /// - Returns: The reason why the old file is still the item's.
  private func exchange(
    _ id: ItemID, _ old: StoredFile, _ new: StoredFile, _ work: PartialDownload
  ) throws(Failure) -> ProtectionFailure? {
    let place = new.workPlace(work.name, in: library)
    if let failure = change(of: old) {
      discard(place)
      return failure
    }
    let attempt = Attempt(candidate: old.candidate, attempts: 0, partial: work, publishing: new)
    try journal.record(upgrade: id, to: .protection, .downloading(attempt), told: nil, at: clock.now())
    try journal.sync()
    do throws(FileError) { try move(place, old, new) } catch {
      try journal.replaceFile(of: id, by: old, at: clock.now())
      discard(place)
      return .io(error)
    }
    try journal.replaceFile(of: id, by: new, at: clock.now())
    return nil
  }

  private func move(_ place: FilePlace, _ old: StoredFile, _ new: StoredFile) throws(FileError) {
    let target = library.root[new.path]
    try library.files.move(place, to: target, replacing: new.path == old.path)
    try library.files.syncFolder(target.parent)
    try library.files.syncFolder(place.parent)
    if new.path != old.path { try library.removeReplaced(old, by: new, from: place) }
  }

  /// The reason why the file is not the one that was made. Nil if it is.
  private func change(of old: StoredFile) -> ProtectionFailure? {
    do throws(FileError) {
      let removal = FileRemoval(library: library, trashKeep: .zero, now: clock.now())
      return try removal.look(at: old) == .taken ? nil : .changed
    } catch { return .io(error) }
  }
}
