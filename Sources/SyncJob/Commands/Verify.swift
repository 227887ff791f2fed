// SPDX-License-Identifier: Apache-2.0
package import SyncCore
import SyncDisk
package import SyncFormats
import Synchronization

/// Checks every finished file, without a lock.
package struct Verify: Sendable {
  private let context: JobContext

  package init(_ context: JobContext) { self.context = context }

  /// Checks the files of the scope.
  /// - Parameters:
  ///   - isDeep: also reads and hashes it.
  ///   - emit: called for each file that was read.
  /// - Returns: the verification, and warnings about damage of the state.
  package func perform(
    _ scope: Set<PlaylistName>? = nil, isDeep: Bool,
    emitting emit: @escaping @Sendable (CheckingProgress) -> Void = { _ in }
  ) async throws(JobError) -> (Verification, [Warning]) {
    let recorder = ReportRecorder(context)
    let context = isDeep ? try await self.context.withKeys(recorder.emit) : self.context
    let opener = LibraryOpener(context)
    let view = try opener.look()
    var verification = try await Verifier(library: view.library).verification(
      of: view.queue, scope, isDeep: isDeep, emitting: emit)
    var warnings = recorder.current.warnings + view.state.damage
    if isDeep {
      let (lines, unopened) = try view.openSealed(view.queue, scope, besides: verification.lines)
      verification.lines += lines
      warnings += unopened
    }
    verification.isRecordDamaged = view.state.notes.contains(where: \.isLoss)
    guard !verification.lines.isEmpty else { return (verification, warnings) }
    // Nothing was locked: a file that a run changed in the meantime is not damaged.
    let now = try opener.look().queue
    verification.lines.removeAll { now[$0.id]?.state.storedFile != $0.file }
    return (verification, warnings)
  }
}

extension LibraryView {
  /// Opens every segment of the sealed files that are as recorded.
  /// - Returns: A line for each that does not open, and a warning if there are no keys to open any.
  func openSealed(
    _ queue: Queue, _ scope: Set<PlaylistName>?, besides lines: [Verification.Line]
  ) throws(JobError) -> ([Verification.Line], [Warning]) {
    let known = Set(lines.map(\.id))
    let sealed = queue.items.filter { item in
      item.state.storedFile?.sealed != nil && !known.contains(item.id) && !item.isLockedByKey(at: clock.now())
        && (scope.map { item.isMember(ofAny: $0) } ?? true)
    }
    let settings = try opening()
    let openable = sealed.filter { item in
      let isByContentKey = item.state.storedFile?.sealed?.isByContentKey == true
      // No licence will bring its key, so it never opens again.
      if isByContentKey, item.$license == nil, settings?.contentKeys[item.id] == nil { return true }
      return isByContentKey ? settings?.contentKeys[item.id] != nil : settings?.keys != nil
    }
    let rest = sealed.count - openable.count
    return (
      openable.compactMap { closed($0, settings ?? SealSettings(nil, library: queue.libraryID, minimumFree: .zero)) },
      rest > 0 ? [.sealedFilesNotOpened(rest)] : []
    )
  }

  private func closed(_ item: QueueItem, _ settings: SealSettings) -> Verification.Line? {
    guard let file = item.state.storedFile, let root = library.mediaRoot, !Task.isCancelled else { return nil }
    do throws(SealedFile.Problem) {
      let sealed = try SealedFile(
        root[file.path], in: library.files, settings.openingKeys(of: item.id), settings.associatedData(item.id))
      return try sealed.digest() == file.plainSHA256 ? nil : .init(id: item.id, file: file, finding: .closed)
    } catch {
      switch error {
      case .stopped: return nil
      case .file(let error): return .init(id: item.id, file: file, finding: .unreadable(error.failure))
      case .notOpened, .damaged: return .init(id: item.id, file: file, finding: .closed)
      }
    }
  }
}

extension QueueItem {
  /// True if only the content key of a licence opens the file, and the key is destroyed because the licence is over.
  fileprivate func isLockedByKey(at time: Timestamp) -> Bool {
    state.storedFile?.sealed?.isByContentKey == true && license.map { !$0.isValid(at: time) } ?? false
  }
}

extension Verifier {
  func verification(
    of queue: Queue, _ scope: Set<PlaylistName>?, isDeep: Bool,
    emitting emit: @escaping @Sendable (CheckingProgress) -> Void
  ) async throws(JobError) -> Verification {
    do throws(FileError) { return try await check(queue, scope, isDeep: isDeep, emitting: emit) } catch {
      throw .file(error)
    }
  }
}

/// Compares the finished files with the queue file; changes nothing.
struct Verifier {
  let library: Library

  /// - Parameter scope: the playlists whose files are compared; nil for all files.
  func check(
    _ queue: Queue, _ scope: Set<PlaylistName>? = nil, isDeep: Bool,
    emitting emit: @escaping @Sendable (CheckingProgress) -> Void
  ) async throws(FileError) -> Verification {
    var lines: [Verification.Line] = []
    var whole: [(id: ItemID, file: StoredFile)] = []
    var verification = Verification(isDeep: isDeep, checkedFiles: 0, checkedBytes: .zero, lines: [])
    for item in queue.items {
      guard let file = item.state.storedFile, scope.map({ item.isMember(ofAny: $0) }) ?? true else { continue }
      verification.checkedFiles += 1
      verification.checkedBytes += file.size
      if let finding = try finding(file) {
        lines.append(.init(id: item.id, file: file, finding: finding))
      } else {
        whole.append((item.id, file))
      }
    }
    try seekMissing(&lines, queue)
    acceptRetagged(&lines[...])
    var hashes: [ItemID: SHA256Digest] = [:]
    // A file of the right size may have the content of an item whose place has a file of another size.
    let sizes = isDeep ? [] : doubtfulSizes(lines)
    let suspects = isDeep ? whole : whole.filter { sizes.contains($0.file.size) }
    let examined = lines.count
    if !suspects.isEmpty { lines += await damaged(suspects, &hashes, emit) }
    acceptRetagged(&lines[examined...])
    if scope == nil {
      seekExchanged(&lines, isDeep ? [] : whole.filter { !sizes.contains($0.file.size) }, hashes)
      try seekMissing(&lines, queue)
    } else {
      spareFilesOfOthers(&lines, hashes, queue)
    }
    let order = Dictionary(uniqueKeysWithValues: queue.items.enumerated().map { ($1.id, $0) })
    verification.lines = lines.sorted { order[$0.id] ?? 0 < order[$1.id] ?? 0 }
    return verification
  }

  /// Nil when a file of the right size is there.
  private func finding(_ file: StoredFile) throws(FileError) -> Verification.Finding? {
    guard let root = library.mediaRoot else { return .missing }
    do throws(FileError) {
      guard let status = try library.files.status(of: root[file.path]) else { return .missing }
      guard status.kind == .file, status.linkCount == 1 else { return .foreign }
      return status.size == file.size ? nil : .wrongSize(status.size)
    } catch {
      // Something that is not a folder is in the way.
      if error.isObstructed { return .foreign }
      // A folder that may not be searched: the other folders can be checked all the same.
      guard error.isOfOneFile else { throw error }
      return .unreadable(error.failure)
    }
  }

  /// Recognises the files of which only the tags have changed.
  private func acceptRetagged(_ lines: inout ArraySlice<Verification.Line>) {
    for index in lines.indices where lines[index].finding.isDamage {
      guard let file = RetaggedFiles(library: library).retagged(lines[index].file) else { continue }
      lines[index].finding = .retagged(file)
    }
  }

  /// Looks for missing files under names that nobody owns, as a run does.
  private func seekMissing(_ lines: inout [Verification.Line], _ queue: Queue) throws(FileError) {
    let missing = lines.filter { $0.finding == .missing }.map { (id: $0.id, file: $0.file) }
    let known = lines.compactMap { if case .elsewhere(let path) = $0.finding { path } else { nil } }
    let found = try StrayedFiles(library: library).find(missing, in: queue, besides: known)
    for index in lines.indices {
      if let file = found[lines[index].id] { lines[index].finding = .elsewhere(file.path) }
    }
  }

  /// The sizes of files that have another size than recorded, and the sizes recorded for their items. Empty if there is
  /// none.
  private func doubtfulSizes(_ lines: [Verification.Line]) -> Set<ByteCount> {
    var sizes: Set<ByteCount> = []
    for line in lines {
      if case .wrongSize(let size) = line.finding { sizes.formUnion([size, line.file.size]) }
    }
    guard !sizes.isEmpty else { return [] }
    return sizes.union(lines.filter { $0.finding == .missing }.map(\.file.size))
  }

  /// Within some playlists, a file that has the content of another item is left alone, since that item may have no other
  /// copy of it.
  private func spareFilesOfOthers(
    _ lines: inout [Verification.Line], _ hashes: [ItemID: SHA256Digest], _ queue: Queue
  ) {
    guard let root = library.mediaRoot, !lines.isEmpty else { return }
    let stored = queue.items.compactMap(\.state.storedFile)
    let known = Set(stored.map(\.sha256))
    let sizes = Set(stored.map(\.size))
    for index in lines.indices {
      var hash = hashes[lines[index].id]
      if case .wrongSize(let size) = lines[index].finding, sizes.contains(size) {
        do throws(Failure) {
          hash = try FileDigest.compute(root[lines[index].file.path], in: library.files).sha256
        } catch {
          lines[index].finding = .unreadable(error)
        }
      }
      if let hash, known.contains(hash), !lines[index].finding.isRetagged { lines[index].finding = .ofAnotherItem }
    }
  }

  /// Looks for missing and damaged files at the paths of other items.
  /// - Parameters:
  ///   - whole: Files that have their sizes and were not read.
  ///   - hashes: The hashes of the damaged files that were read.
  private func seekExchanged(
    _ lines: inout [Verification.Line], _ whole: [(id: ItemID, file: StoredFile)], _ hashes: [ItemID: SHA256Digest]
  ) {
    let missing = lines.filter { $0.finding == .missing }.map { (id: $0.id, file: $0.file) }
    let replaced = lines.compactMap { line -> ExchangedFiles.Place? in
      switch line.finding {
      case .wrongSize(let size): .init(id: line.id, file: line.file, size: size)
      case .wrongContent: .init(id: line.id, file: line.file, size: line.file.size, sha256: hashes[line.id])
      case .missing, .elsewhere, .retagged, .foreign, .ofAnotherItem, .closed, .unreadable: nil
      }
    }
    guard !missing.isEmpty || replaced.count > 1 else { return }
    let intact = whole.map { ExchangedFiles.Place(id: $0.id, file: $0.file, size: $0.file.size) }
    let finds = ExchangedFiles(library: library).find(missing, replaced: replaced, intact: intact)
    // A run moves such files only together, and it does not see those of the right size.
    let isHidden = lines.contains { $0.finding == .wrongContent && finds.found[$0.id] != nil }
    for index in lines.indices {
      if let file = finds.found[lines[index].id] {
        lines[index].finding = .elsewhere(file.path)
        lines[index].isHidden = isHidden
      } else if finds.displaced.contains(lines[index].id) {
        lines[index].finding = .missing
      }
    }
    for item in whole where finds.displaced.contains(item.id) {
      let finding = finds.found[item.id].map { Verification.Finding.elsewhere($0.path) }
      lines.append(.init(id: item.id, file: item.file, finding: finding ?? .missing))
    }
  }

  private func damaged(
    _ whole: [(id: ItemID, file: StoredFile)], _ hashes: inout [ItemID: SHA256Digest],
    _ emit: @escaping @Sendable (CheckingProgress) -> Void
  ) async -> [Verification.Line] {
    guard let root = library.mediaRoot else { return [] }
    let progress = Mutex(CheckingProgress(allFiles: whole.count, allBytes: whole.map(\.file.size).sum()))
    let digests = await ParallelHasher(files: library.files).digests(
      of: whole.map { ParallelHasher.Order(place: root[$0.file.path], algorithm: nil) }
    ) { result in
      let now = progress.withLock { progress in
        progress.files += 1
        if case .success(let digest) = result { progress.bytes += digest.size }
        return progress
      }
      emit(now)
    }
    return zip(whole, digests).compactMap { item, digest in
      switch digest {
      case .success(let digest)?:
        guard digest.sha256 != item.file.sha256 else { return nil }
        hashes[item.id] = digest.sha256
        return .init(id: item.id, file: item.file, finding: .wrongContent)
      case .failure(let failure)?: return .init(id: item.id, file: item.file, finding: .unreadable(failure))
      case nil: return nil
      }
    }
  }
}
