// SPDX-License-Identifier: Apache-2.0
import SyncCore
import SyncFormats

/// Where partials become finished files: hashes and checks them, moves them into the library without overwriting anything,
/// and keeps the order of durable steps (docs/architecture.md).
struct PublishingDesk: Sendable {
  let library: Library
  let ledger: Ledger
  let clock: any WallClock
  let naming: FileNaming

  // MARK: Partials

  func record(_ id: ItemID, _ state: ItemState) throws(Failure) { try ledger.record(id, state, at: clock.now()) }

  func openPartial(
    _ partial: PartialDownload, offset: ByteCount, limit: ByteCount, comparing: ByteCount, rules: TransferRules,
    pool: BufferPool, checksum: Checksum?
  ) throws(Failure) -> PartialWriter {
    let isCap = limit == rules.maxItemSize
    let place = library.partial(partial.name)
    let prefix = offset > .zero ? BodyDigest.Prefix(files: library.files, place: place, length: offset) : nil
    let digest = BodyDigest(pool, after: prefix, also: checksum?.algorithm)
    do throws(FileError) {
      let file = try open(place)
      return try PartialWriter(
        file, offset: offset, comparing: comparing, total: partial.total, limit: limit, pool: pool, digest: digest
      ) { actual in
        isCap ? .tooLarge(limit: limit) : .size(expected: limit, actual: actual)
      }
    } catch { throw error.failure }
  }

  /// The folder is ours alone: a name in it that somebody gave a second one, or made a link, is taken away.
  private func open(_ place: FilePlace) throws(FileError) -> any OpenFile {
    do throws(FileError) { return try library.files.open(place, for: .writingOrCreating(.sharedFile)) } catch {
      guard error.isObstructed else { throw error }
      try library.files.removeFile(place)
      return try library.files.open(place, for: .creating(.sharedFile))
    }
  }

  func syncJournal() async -> Failure? {
    do throws(Failure) { try ledger.syncIfDue() } catch { return error }
    return nil
  }

  /// Has what was handed to the system so far on the disk. Away from the network's thread: a disk takes its time.
  func flush(_ partial: PartialDownload) async -> Failure? {
    do throws(FileError) { try library.files.flush(library.partial(partial.name)) } catch { return error.failure }
    return nil
  }

  /// A partial that is of no use any more. What cannot be removed now is a stray that the next run removes.
  func discard(_ partial: PartialDownload) {
    do throws(FileError) { try library.files.removeFileIfPresent(library.partial(partial.name)) } catch {}
  }

  // MARK: Checks

  /// Compares the whole partial's digest with what was declared.
  /// - Parameter pending: nil when no byte of it came in this run: it is read.
  func check(
    _ partial: PartialDownload, checksum: Checksum?, _ pending: BodyDigest.Pending?
  ) async -> Result<CheckedFile, Failure> {
    do throws(Failure) {
      let place = library.partial(partial.name)
      let digest =
        if let pending { try await pending.value().get() } else {
          try FileDigest.compute(place, in: library.files, also: checksum?.algorithm)
        }
      if let checksum, digest.declared != checksum.hex {
        throw .checksum(expected: checksum, actual: digest.declared ?? "")
      }
      return .success(
        CheckedFile(
          size: digest.size, sha256: digest.sha256,
          fileExtension: digest.content.media?.fileExtension ?? Self.fallbackExtension(partial.url)))
    } catch { return .failure(error) }
  }

  /// Without sniffing anything may come: the URL's ending counts if it is one of ours, else `bin`.
  private static func fallbackExtension(_ url: RemoteURL) -> String {
    let name = url.lastPathComponent
    let ending = name.lastIndex(of: ".").map { name[name.index(after: $0)...].lowercased() } ?? ""
    return MediaType(fileExtension: ending)?.fileExtension ?? "bin"
  }

  // MARK: Publishing

  /// Flushed, announced in the journal, renamed into place, the folder flushed, recorded: in this order.
  func publish(_ publication: Publication) async -> Result<StoredFile, Failure> {
    do throws(Failure) { return .success(try publishNow(publication)) } catch { return .failure(error) }
  }

  private func publishNow(_ publication: Publication) throws(Failure) -> StoredFile {
    let source = library.partial(publication.partial.name)
    do throws(FileError) { try library.files.flush(source) } catch { throw error.failure }
    for attempt in 0..<100 {
      let path = publication.path(naming, attempt: attempt)
      let stored = publication.storedFile(at: path, completedAt: clock.now())
      guard try isFree(path) else { continue }
      try announce(stored, publication)
      guard try move(source, to: path) else { continue }
      try ledger.record(publication.download.task.id, .completed(stored), at: clock.now())
      return stored
    }
    let path = publication.path(naming, attempt: 0)
    throw .io(operation: "find a free name for", path: path.text, .eexist)
  }

  /// Written down before the rename: a run that dies between rename and record leaves a file that is known for ours.
  private func announce(_ stored: StoredFile, _ publication: Publication) throws(Failure) {
    let attempt = Attempt(
      candidate: publication.candidate, attempts: publication.attempts, partial: publication.partial, publishing: stored
    )
    try ledger.record(publication.download.task.id, .downloading(attempt), at: clock.now())
    try ledger.sync()
  }

  private func isFree(_ path: LibraryPath) throws(Failure) -> Bool {
    do throws(FileError) {
      if let parent = path.parent { try library.files.makeFolders(library.root[parent], mode: .sharedFolder) }
      return try library.files.status(of: library.root[path]) == nil && !ledger.isTaken(path)
    } catch {
      throw error.isObstructed ? .blocked(path: path.text) : error.failure
    }
  }

  /// False when somebody has put a file there meanwhile.
  private func move(_ source: FilePlace, to path: LibraryPath) throws(Failure) -> Bool {
    let target = library.root[path]
    do throws(FileError) {
      try library.files.move(source, to: target, replacing: false)
      try library.files.syncFolder(target.parent)
      try library.files.syncFolder(source.parent)
      return true
    } catch {
      if error.isPresent { return false }
      throw error.failure
    }
  }
}

/// A checked partial on its way into the library.
struct Publication: Sendable {
  var download: PlannedDownload
  var partial: PartialDownload
  var file: CheckedFile
  var candidate: Int
  var confidence: StoredFile.Confidence
  /// Requests made so far.
  var attempts: Int

  func path(_ naming: FileNaming, attempt: Int) -> LibraryPath {
    download.layout.path(download.fields, fileExtension: file.fileExtension, naming: naming, attempt: attempt)
  }

  func storedFile(at path: LibraryPath, completedAt: Timestamp) -> StoredFile {
    StoredFile(
      path: path, size: file.size, sha256: file.sha256, completedAt: completedAt, candidate: candidate,
      confidence: confidence)
  }
}
