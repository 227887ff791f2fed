// SPDX-License-Identifier: Apache-2.0
package import SyncCore
import SyncFormats

/// Turns partials into finished files: hashes and checks them, moves them into the library without overwriting
/// anything, and keeps the order of durable steps (docs/architecture.md).
package struct Publisher: Sendable {
  package let library: Library
  package let journal: JournaledQueue
  let clock: any WallClock
  let naming: FileNaming
  /// Nil if files cannot be examined here, such as those of a file system in memory.
  package let tags: (any TagEditor)?
  /// Nil for a library in clear.
  package let sealing: SealSettings?
  /// The partials folder, opened once for all of them.
  private let partials: FileRoot
  /// Names in the partials folder that belong to folders.
  private let foldersAmongPartials: Set<String>

  package init(
    library: Library, journal: JournaledQueue, clock: any WallClock, naming: FileNaming,
    tags: (any TagEditor)? = nil, sealing: SealSettings? = nil
  ) throws(FileError) {
    self.library = library
    self.journal = journal
    self.clock = clock
    self.naming = naming
    self.tags = tags
    self.sealing = sealing
    partials = try library.files.openRoot(library.partials.folder, making: nil)
    foldersAmongPartials = try library.partials.folders()
  }

  // MARK: Partials

  /// The time by the run's clock, which never goes back.
  package var now: Timestamp { clock.now() }

  var partialFolder: FilePlace { FilePlace(partials) }

  package func newPartialName(for id: ItemID, url: RemoteURL) -> String {
    PartialFolder.name(for: id, url: url, avoiding: foldersAmongPartials)
  }

  func place(of partial: PartialDownload) -> FilePlace {
    guard let place = partialFolder.child(partial.name) else {
      preconditionFailure("\(partial.name) is no name of a partial")
    }
    return place
  }

  package func record(_ download: PlannedDownload, _ transfer: TransferState, told: ByteCount?) throws(Failure) {
    let id = download.id
    guard let goal = download.goal else {
      return try journal.record([(id, transfer)], told: told, at: clock.now())
    }
    try journal.record(upgrade: id, to: goal, transfer, told: told, at: clock.now())
  }

  package func openPartial(
    _ partial: PartialDownload, _ bounds: BodyBounds, rules: TransferRules, pool: BufferPool, checksum: Checksum?
  ) throws(Failure) -> PartialWriter {
    let (offset, limit) = (bounds.offset, bounds.limit)
    let isCap = limit == rules.maxItemSize
    var bounds = bounds
    bounds.keeping = partial.extents?.last?.to ?? .zero
    bounds.total = partial.total
    let place = place(of: partial)
    let prefix = offset > .zero ? BodyDigest.Prefix(files: library.files, place: place, length: offset) : nil
    // Several requests deliver their bytes in no order that could be hashed.
    let digest = partial.extents == nil ? BodyDigest(pool, after: prefix, also: checksum?.algorithm) : nil
    do throws(FileError) {
      return try PartialWriter(
        bounds, pool: pool, digest: digest,
        tooLong: { actual in isCap ? rules.tooLarge : .size(expected: limit, actual: actual) },
        open: { () throws(FileError) in try open(place) })
    } catch { throw error.failure }
  }

  /// Opens a partial. The partials folder belongs to syncjob alone, so a name that is a link, or that has a second
  /// name, is removed.
  private func open(_ place: FilePlace) throws(FileError) -> any OpenFile {
    do throws(FileError) { return try library.files.open(place, for: .writingOrCreating(.sharedFile)) } catch {
      guard error.isObstructed || error.isDenied else { throw error }
      try library.files.removeFile(place)
      return try library.files.open(place, for: .creating(.sharedFile))
    }
  }

  package func syncJournal() async -> Failure? {
    do throws(Failure) { try journal.sync() } catch { return error }
    return nil
  }

  /// Flushes the bytes that were written so far. Call this away from the network's thread, because a disk takes its
  /// time.
  package func flush(_ partial: PartialDownload) async -> Failure? {
    do throws(FileError) { try library.files.flush(place(of: partial)) } catch { return error.failure }
    return nil
  }

  /// Removes a partial that is no longer needed. If that fails, it is a stray that the next run removes.
  package func discard(_ partial: PartialDownload) {
    do throws(FileError) { try library.files.removeFileIfPresent(place(of: partial)) } catch {
      // The stray partial is named in no record, so nothing has to be undone.
    }
  }

  // MARK: Checks

  /// Compares the digest of the whole partial with the declared checksum.
  /// - Parameter pending: Nil if no byte arrived in this run. The partial is then read.
  package func check(
    _ partial: PartialDownload, checksum: Checksum?, _ pending: BodyDigest.Pending?
  ) async -> Result<CheckedFile, Failure> {
    do throws(Failure) {
      let digest =
        if let pending { try await pending.value().get() } else {
          try FileDigest.compute(place(of: partial), in: library.files, also: checksum?.algorithm)
        }
      return .success(try Self.judge(digest, of: partial, checksum))
    } catch { return .failure(error) }
  }

  /// Writes a body that was whole in memory into its partial, and checks it. Call this away from the network's
  /// thread, because a disk takes its time.
  /// - Returns: Also the partial, open for its publication. Nil if it could not be written.
  package func write(
    _ body: SmallBody, into partial: PartialDownload, checksum: Checksum?
  ) -> (Result<CheckedFile, Failure>, (any OpenFile)?) {
    do throws(FileError) {
      let (digest, file) = try body.write()
      return (Result { () throws(Failure) in try Self.judge(digest, of: partial, checksum) }, file)
    } catch { return (.failure(error.failure), nil) }
  }

  /// - Parameter digest: The digest of the whole partial.
  static func judge(
    _ digest: FileDigest, of partial: PartialDownload, _ checksum: Checksum?
  ) throws(Failure) -> CheckedFile {
    if let checksum, digest.declared != checksum.hex {
      throw .checksum(expected: checksum, actual: digest.declared ?? "")
    }
    return CheckedFile(
      size: digest.size, sha256: digest.sha256,
      fileExtension: digest.content.fileExtension ?? fallbackExtension(partial.url))
  }

  /// The file with its playing time. A file that does not tell it has none.
  /// - Parameters:
  ///   - expecting: The declared duration. A file that seems to be far from it is measured exactly.
  ///   - counting: True to measure it exactly in any case.
  package func measure(
    _ file: CheckedFile, _ partial: PartialDownload, expecting: Duration, counting: Bool
  ) async throws(TagProblem) -> CheckedFile {
    guard let tags else { return file }
    let media = MediaFile(path: place(of: partial).text, fileExtension: file.fileExtension)
    var measured = file
    // Only the frames of an MP3 file are counted. The headers of other files tell what they should have.
    measured.isCounted = counting && file.fileExtension == "mp3"
    measured.duration = try await tags.duration(of: media, isExact: measured.isCounted)
    if !measured.isCounted, measured.duration?.isFar(fromDeclared: expecting) ?? false {
      measured.duration = try await tags.duration(of: media, isExact: true)
    }
    return measured
  }

  /// The extension if the content is not checked and may be anything: that of the URL if it is a media extension,
  /// otherwise `bin`.
  private static func fallbackExtension(_ url: RemoteURL) -> String {
    let name = url.lastPathComponent
    let ending = name.lastIndex(of: ".").map { name[name.index(after: $0)...].lowercased() } ?? ""
    return MediaType(fileExtension: ending)?.fileExtension ?? "bin"
  }

  // MARK: Publishing

  /// The failure of the item whose file could not be put at `path`. It is a failure of that item alone unless it concerns
  /// the whole library.
  func failure(_ error: FileError, at path: LibraryPath) -> Failure {
    if error.isObstructed { return .blocked(path: path.text) }
    guard let code = error.code else { return error.failure }
    if error.isOfName { return .nameRefused(path: path.text, code) }
    guard error.isOfOneFolder, let folder = path.parent, acceptsFiles else { return error.failure }
    return .folderClosed(path: folder.text, code)
  }

  /// False if the library itself accepts no files any more.
  private var acceptsFiles: Bool {
    do throws(FileError) { try library.files.checkWritable(FilePlace(library.root)) } catch { return false }
    return true
  }

  /// Moves checked partials into the library. Call this away from the network's thread, because a disk takes its time.
  package func publish(_ publications: [Publication]) async -> [(ItemID, PublicationResult)] {
    let upgrades = publications.filter { $0.download.$replaced != nil }
    guard !upgrades.isEmpty else { return publishNew(publications) }
    let new = publications.filter { $0.download.$replaced == nil }
    return publishNew(new) + upgrades.map { ($0.download.id, Replacement(publication: $0, publisher: self).run()) }
  }

  private func publishNew(_ publications: [Publication]) -> [(ItemID, PublicationResult)] {
    var group = PublicationGroup(publications, at: self)
    return group.publish()
  }
}
