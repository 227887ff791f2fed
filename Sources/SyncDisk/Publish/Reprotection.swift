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
    var lacksRoom = false
    for step in steps {
      guard let old = journal.item(step.id)?.state.storedFile else { continue }
      let failure: ProtectionFailure?
      switch make(step, old, at: work(for: step)) {
      case .success(let new):
        failure = try exchange(step.id, old, new, work(for: step))
        if failure == nil { emit(.moved(step.id, from: old.path, new)) }
      case .failure(let error): failure = error
      }
      guard !Task.isCancelled else { return }
      guard let failure else { continue }
      if case .io(let error) = failure, error.endsTheRun { throw error.failure }
      // A smaller file may fit. The lack is told once.
      if case .noRoom = failure, lacksRoom { continue }
      if case .noRoom = failure { lacksRoom = true }
      emit(.warned(.notProtected(path: old.path, failure)))
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
      new.path = try free(step, old)
      return new
    } catch {
      discard(place)
      switch error {
      case .file(let error): throw .io(error)
      case .stopped: throw .stopped
      case .notOpened, .damaged: throw old.sealed == nil ? .changed : .damaged
      }
    }
  }

  private var key: SealingKey {
    guard let keys = settings.keys else { preconditionFailure("nothing is sealed in a library without keys") }
    return keys.primary
  }

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
    try SealedFile(library.root[old.path], in: library.files, settings.openingKeys(of: id), settings.associatedData(id))
  }

  /// The path, or one like it that is free: with the item's tag, as a publication names it.
  private func free(_ step: ProtectStep, _ old: StoredFile) throws(SealedFile.Problem) -> LibraryPath {
    guard step.change != .reseal else { return old.path }
    for attempt in 0..<10 {
      let path = step.path.marked(for: step.id, attempt: attempt, library.rules.naming)
      do throws(FileError) {
        if !journal.isTaken(path), try library.files.status(of: library.root[path]) == nil { return path }
      } catch { throw .file(error) }
    }
    throw .file(FileError(.move, old.path.text, to: step.path.text, code: .eexist))
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
    let upgrade = journal.item(id)?.upgrade
    let attempt = Attempt(candidate: old.candidate, attempts: 0, partial: work, publishing: new)
    try journal.record(upgrade: id, to: .protection, .downloading(attempt), told: nil, at: clock.now())
    try journal.sync()
    if let failure = try move(place, old, new) {
      try journal.replaceFile(of: id, by: old, at: clock.now())
      discard(place)
      try restore(upgrade, of: id)
      return failure
    }
    try journal.replaceFile(of: id, by: new, at: clock.now())
    try restore(upgrade, of: id)
    return nil
  }

  /// Records the upgrade to another quality again, with its partial or its failure.
  private func restore(_ upgrade: Upgrade?, of id: ItemID) throws(Failure) {
    guard let upgrade, upgrade.goal != .protection else { return }
    try journal.record(upgrade: id, to: upgrade.goal, upgrade.state, told: upgrade.size, at: clock.now())
  }

  /// - Returns: The reason why the new file is not in its place, and the old one is.
  /// - Throws: A failure after which nobody knows how far it came. The announcement stays, and the next opening of the
  ///   library finds out.
  private func move(_ place: FilePlace, _ old: StoredFile, _ new: StoredFile) throws(Failure) -> ProtectionFailure? {
    let target = library.root[new.path]
    do throws(FileError) { try library.files.move(place, to: target, replacing: new.path == old.path) } catch {
      guard !error.endsTheRun else { throw error.failure }
      return .io(error)
    }
    do throws(FileError) {
      try library.files.syncFolder(target.parent)
      try library.files.syncFolder(place.parent)
    } catch { throw error.failure }
    guard new.path != old.path else { return nil }
    do throws(FileError) { try library.removeReplaced(old, by: new, from: place) } catch {
      // The old file may not be removed, and the new one is the work file again.
      guard error.isRefusal else { throw error.failure }
      return .io(error)
    }
    return nil
  }

  /// The reason why the file is not the one that was made. Nil if it is.
  private func change(of old: StoredFile) -> ProtectionFailure? {
    do throws(FileError) {
      let removal = FileRemoval(library: library, trashKeep: .zero, now: clock.now())
      return try removal.look(at: old) == .taken ? nil : .changed
    } catch { return .io(error) }
  }
}

extension FileError {
  /// True if the disk, and not this file, is in trouble.
  fileprivate var endsTheRun: Bool { isStorageFull || code == .eio }
}
