// SPDX-License-Identifier: Apache-2.0
package import SyncCore
import SyncFormats

/// Observes the disk: finished files, partials, trash, and files at wanted paths that no item owns.
package struct LibraryObserver: Sendable {
  let library: Library
  let manifest: Manifest
  /// True if the machine has not been down since the partials were written.
  let trustsPartialLengths: Bool
  let now: Timestamp

  package init(library: Library, manifest: Manifest, trustsPartialLengths: Bool, now: Timestamp) {
    self.library = library
    self.manifest = manifest
    self.trustsPartialLengths = trustsPartialLengths
    self.now = now
  }

  /// - Parameters:
  ///   - findsStrayed: looks for finished files that are missing from their paths.
  ///   - findsExchanged: also looks for them at the paths of other items, and for files that exchanged their paths.
  ///   - lapse: lost lines of the journal; nil when no loss can be detected.
  package func observe(
    _ queue: Queue, desired: DesiredState, findsStrayed: Bool = false, findsExchanged: Bool = false,
    lapse: StateLoss? = nil
  ) throws(FileError) -> LibraryObservation {
    var seen = LibraryObservation(
      freeSpace: try freeSpace(), fileSystem: library.fileSystem, trustsPartialLengths: trustsPartialLengths)
    let unlike = try lookAtFinished(queue, &seen)
    lookForRetagged(unlike, queue, &seen)
    try lookAtPartials(&seen)
    try lookAtTrash(&seen)
    if findsStrayed { try lookForStrayed(unlike, queue, &seen) }
    if findsExchanged { try lookForExchanged(unlike, queue, &seen) }
    try lookForAdoptable(queue, desired, &seen)
    if let lapse { try lookForForgotten(queue, desired, since: lapse.since, &seen) }
    return seen
  }

  /// The items whose finished file has been replaced by another file.
  package func changedByOthers(_ queue: Queue) throws(FileError) -> Set<ItemID> {
    var files = FilesByFolder()
    queue.forEachFinishedFile { place, path, _ in files.add(path, token: place) }
    var changed: Set<ItemID> = []
    try files.examine(below: library.mediaRoot, library.files) { place, _, status throws(FileError) in
      switch try finding(status) {
      case .missing, .unreachable: break
      case .file(let size) where size == queue.items[place].state.finishedSize: break
      case .file where queue.items[place].state.storedFile.flatMap(RetaggedFiles(library: library).retagged) != nil:
        break
      case .file, .foreign: changed.insert(queue.items[place].id)
      }
    }
    return changed
  }

  /// The bytes of partials and trash, the number of files in the trash, and the free space.
  package func bytes() throws(FileError) -> (partial: ByteCount, trash: ByteCount, trashFiles: Int, free: ByteCount) {
    var seen = LibraryObservation(freeSpace: try freeSpace())
    try lookAtPartials(&seen)
    let trashFiles = try lookAtTrash(&seen)
    return (seen.partials.values.map(\.size).sum(), seen.trashBytes, trashFiles, seen.freeSpace)
  }

  private func freeSpace() throws(FileError) -> ByteCount {
    // Before the library exists, its nearest existing parent directory gives the free space.
    let root =
      if let root = library.mediaRoot { root } else { try library.files.nearestRoot(to: library.settings.path) }
    return try library.files.space(at: root).available
  }

  /// - Returns: The positions of the items whose files are not what was recorded, in their order.
  private func lookAtFinished(_ queue: Queue, _ seen: inout LibraryObservation) throws(FileError) -> [Int] {
    seen.finished = ItemTable(of: queue)
    var files = FilesByFolder()
    var sizes = [ByteCount](repeating: .zero, count: queue.items.count)
    queue.forEachFinishedFile { place, path, size in
      files.add(path, token: place)
      sizes[place] = size
    }
    for place in queue.positions(in: [.downloading]) {
      guard case .downloading(let attempt) = queue.items[place].state,
        let file = attempt.publishing, try finding(file.path) == .file(size: file.size),
        let root = library.mediaRoot,
        FileDigest.isContent(root[file.path], file.sha256, in: library.files)
      else { continue }
      seen.published.insert(queue.items[place].id)
      seen.finished[position: place] = .file(size: file.size)
    }
    var unlike: [Int] = []
    try files.examine(below: library.mediaRoot, library.files) { place, path, status throws(FileError) in
      let finding = try finding(status) { seen.addUnreachable(path, $0) }
      seen.finished[position: place] = finding
      if finding != .file(size: sizes[place]) { unlike.append(place) }
    }
    return unlike.sorted()
  }

  /// Reads the files of another size whose audio is known.
  private func lookForRetagged(_ unlike: [Int], _ queue: Queue, _ seen: inout LibraryObservation) {
    for place in unlike {
      guard case .file? = seen.finished[position: place] else { continue }
      let item = queue.items[place]
      guard let file = item.state.storedFile.flatMap(RetaggedFiles(library: library).retagged) else { continue }
      seen.retagged[item.id] = file
      seen.finished[position: place] = .file(size: file.size)
    }
  }

  private func finding(_ path: LibraryPath) throws(FileError) -> LibraryObservation.Finding {
    guard let root = library.mediaRoot else { return .missing }
    return try finding(Result { () throws(FileError) in try library.files.status(of: root[path]) })
  }

  /// - Parameter refused: Called if the system does not let the program search the folder.
  private func finding(
    _ status: Result<FileStatus?, FileError>, refused: (ErrnoCode) -> Void = { _ in }
  ) throws(FileError) -> LibraryObservation.Finding {
    do throws(FileError) {
      guard let status = try status.get() else { return .missing }
      return status.kind == .file && status.linkCount == 1 ? .file(size: status.size) : .foreign
    } catch {
      // A link or a file has taken the place of a folder: the item's file is missing, and the obstacle is not ours.
      if error.isObstructed { return .missing }
      // No file can have such a name.
      if error.isOfName { return .missing }
      // A folder that may not be searched may still contain the file: it is neither lost nor ours to change.
      guard error.isRefusal || error.isStale, let code = error.code else { throw error }
      refused(code)
      return .unreachable
    }
  }

  private func lookAtPartials(_ seen: inout LibraryObservation) throws(FileError) {
    seen.partials = try library.partialsIfPresent?.list() ?? [:]
  }

  /// - Returns: The number of its files.
  @discardableResult
  private func lookAtTrash(_ seen: inout LibraryObservation) throws(FileError) -> Int {
    let entries = try library.workFolder?.trash.list() ?? []
    for entry in entries {
      seen.trashBytes += entry.size
      if !entry.path.isSealed { seen.clearTrashFiles += 1 }
      if now - entry.trashedAt > manifest.storage.trashKeep { seen.expiredTrashBytes += entry.size }
    }
    return entries.count
  }

  // MARK: Adoption

  /// Finds files at the very paths that wanted items would get, proved by the declared checksum or size, or by the
  /// recorded hash.
  private func lookForAdoptable(
    _ queue: Queue, _ desired: DesiredState, _ seen: inout LibraryObservation
  ) throws(FileError) {
    guard library.mediaRoot != nil else { return }
    let naming = library.rules.naming
    var writer = PathWriter(naming)
    // The set of owned names covers many files and is needed only for items whose file is missing.
    let published = seen.published
    let found = Set((seen.strayed.values.map(\.path) + seen.adoptable.values.map(\.file.path)).map(naming.key))
    lazy var owned = found.union(queue.items.compactMap { $0.ownedPath(published).map(naming.key) })
    var takers: [NameKey: ItemID] = [:]
    for (index, place) in desired.selected(in: queue, except: { seen.finished[position: $0] != .missing }) {
      let item = desired.items[index]
      let id = item.id
      guard seen.strayed[id] == nil, seen.adoptable[id] == nil else { continue }
      let known = place.map { queue.items[$0] }
      let path = writer.path(item.layout, item.fields, fileExtension: item.item.expectedExtension)
      let key = naming.key(path)
      guard known?.state.storedFile?.path == path || !owned.contains(key) else { continue }
      guard let adoptable = try adoptable(item.item, at: path, recorded: known?.recordedHash) else { continue }
      // A file belongs to one item: the one with the better proof or, if both are equal, the one that is named first.
      if let taker = takers[key], let other = seen.adoptable[taker] {
        guard adoptable.proof.isBetter(than: other.proof) else { continue }
        seen.adoptable[taker] = nil
      }
      takers[key] = id
      seen.adoptable[id] = adoptable
    }
    try lookForReturned(queue, &seen, besides: Set(takers.keys), owned)
  }

  /// Finds removed files that are back in their place, wanted or not: an `undo` stopped before it could record them, or
  /// a person took them out of the trash by hand.
  private func lookForReturned(
    _ queue: Queue, _ seen: inout LibraryObservation, besides taken: Set<NameKey>,
    _ owned: @autoclosure () -> Set<NameKey>
  ) throws(FileError) {
    var files = FilesByFolder()
    for place in queue.positions(in: [.removed]) {
      guard case .removed(let removal) = queue.items[place].state, removal.cause != .evicted, let file = removal.file
      else { continue }
      files.add(file.path, token: place)
    }
    guard let root = library.mediaRoot else { return }
    try files.examine(below: root, library.files) { place, path, status throws(FileError) in
      let id = queue.items[place].id
      guard seen.adoptable[id] == nil, seen.strayed[id] == nil,
        case .removed(let removal) = queue.items[place].state, let file = removal.file,
        try finding(status) == .file(size: file.size), case let key = library.rules.naming.key(path),
        !taken.contains(key), !owned().contains(key), FileDigest.isContent(root[path], file.sha256, in: library.files)
      else { return }
      seen.adoptable[id] = Adoptable(file: file.at(path), proof: .recordedHash)
    }
  }

  private func adoptable(
    _ item: Item, at path: LibraryPath, recorded: SHA256Digest?
  ) throws(FileError) -> Adoptable? {
    guard let root = library.mediaRoot, case .file(let size) = try finding(path), size > .zero else { return nil }
    let isDeclaredSize = item.size == .exact(size)
    guard item.checksum != nil || isDeclaredSize || recorded != nil else { return nil }
    let digest: FileDigest
    do throws(Failure) {
      digest = try FileDigest.compute(root[path], in: library.files, also: item.checksum?.algorithm)
    } catch { return nil }
    let proof: AdoptionProof
    if digest.sha256 == recorded {
      // A declared checksum is that of the file before it got its tags.
      proof = .recordedHash
    } else if let checksum = item.checksum {
      guard digest.declared == checksum.hex else { return nil }
      proof = .declaredChecksum
    } else if recorded == nil, isDeclaredSize, digest.content.media != nil {
      proof = .declaredSize
    } else {
      return nil
    }
    return Adoptable(file: StoredFile(path: path, size: size, sha256: digest.sha256, completedAt: now), proof: proof)
  }
}

extension AdoptionProof {
  /// A size is the weaker proof, since two files may have the same size.
  fileprivate func isBetter(than other: AdoptionProof) -> Bool {
    (other == .declaredSize || other == .name) && self != .declaredSize && self != .name
  }
}

// MARK: - Known files in unknown places

extension LibraryObserver {
  /// Finds finished files that are missing from their paths, and those that an earlier run missed and would fetch
  /// again. A file that an earlier run missed and that is back at its path is adopted.
  private func lookForStrayed(
    _ unlike: [Int], _ queue: Queue, _ seen: inout LibraryObservation
  ) throws(FileError) {
    var missing: [(id: ItemID, file: StoredFile)] = []
    let vacant = unlike.filter { seen.finished[position: $0] == .missing }
    let unfinished = queue.positions(in: Set(ItemState.Name.allCases).subtracting([.completed]))
    for place in (unfinished + vacant).sorted() {
      let id = queue.items[place].id
      switch queue.items[place].state {
      case .completed(let file): missing.append((id, file))
      case .removed(let removal) where removal.cause == .lost && manifest.storage.onMissing == .refetch:
        if let file = removal.file { missing.append((id, file)) }
      case .queued, .failed, .retrying, .paused: queue.items[place].lostFile.map { missing.append((id, $0)) }
      case .downloading where !seen.published.contains(id):
        queue.items[place].lostFile.map { missing.append((id, $0)) }
      default: break
      }
    }
    guard !missing.isEmpty else { return }
    let published = seen.published
    let away = Set(missing.map(\.id))
    let owned = queue.items.filter { !away.contains($0.id) }.compactMap { $0.ownedPath(published) }
    for (id, file) in try StrayedFiles(library: library).find(
      missing, besides: Set(owned.map(library.rules.naming.key)))
    {
      if let item = queue[id], item.state.storedFile == nil, item.lastFile?.path == file.path {
        seen.adoptable[id] = Adoptable(file: file, proof: .recordedHash)
      } else {
        seen.strayed[id] = file
      }
    }
  }

  /// Finds finished files at the paths of other items. The file of an item whose path is taken is missing.
  private func lookForExchanged(
    _ unlike: [Int], _ queue: Queue, _ seen: inout LibraryObservation
  ) throws(FileError) {
    var missing: [(id: ItemID, file: StoredFile)] = []
    var replaced: [ExchangedFiles.Place] = []
    for place in unlike {
      let item = queue.items[place]
      guard seen.retagged[item.id] == nil, let file = item.state.storedFile else { continue }
      switch seen.finished[position: place] {
      case .missing? where seen.strayed[item.id] == nil: missing.append((item.id, file))
      case .file(let size)?: replaced.append(ExchangedFiles.Place(id: item.id, file: file, size: size))
      case .missing, .foreign, .unreachable, nil: break
      }
    }
    guard !missing.isEmpty || replaced.count > 1 else { return }
    let finds = ExchangedFiles(library: library).find(missing, replaced: replaced, intact: intact(queue, seen))
    seen.strayed.merge(finds.found) { $1 }
    for id in finds.displaced { seen.finished[id] = .missing }
    try lookForDisplaced(finds, queue, &seen)
  }

  /// Finds files whose places other items' files took, and that are at paths that nobody owns.
  private func lookForDisplaced(
    _ finds: ExchangedFiles.Finds, _ queue: Queue, _ seen: inout LibraryObservation
  ) throws(FileError) {
    let displaced = finds.displaced.filter { finds.found[$0] == nil }
    guard !displaced.isEmpty else { return }
    let published = seen.published
    let owned = queue.items.filter { !displaced.contains($0.id) }.compactMap { $0.ownedPath(published) }
    let sought = displaced.sorted().compactMap { id in queue[id]?.state.storedFile.map { (id: id, file: $0) } }
    let found = try StrayedFiles(library: library).find(
      sought, besides: Set((owned + seen.strayed.values.map(\.path)).map(library.rules.naming.key)))
    seen.strayed.merge(found) { $1 }
  }

  private func intact(_ queue: Queue, _ seen: LibraryObservation) -> [ExchangedFiles.Place] {
    queue.items.enumerated().compactMap { place, item in
      guard let file = item.state.storedFile, seen.finished[item.id, guess: place] == .file(size: file.size) else {
        return nil
      }
      return ExchangedFiles.Place(id: item.id, file: file, size: file.size)
    }
  }

  /// Finds files at the paths of wanted items that the queue does not know to be there, because the line that recorded
  /// them is lost. The rules of a rebuild apply to what was written since the queue file.
  private func lookForForgotten(
    _ queue: Queue, _ desired: DesiredState, since: Timestamp?, _ seen: inout LibraryObservation
  ) throws(FileError) {
    guard let root = library.mediaRoot else { return }
    let naming = library.rules.naming
    let known = queue.items.compactMap { $0.ownedPath(seen.published) } + seen.adoptable.values.map(\.file.path)
    let owned = Set((known + seen.strayed.values.map(\.path)).map(naming.key))
    let files = try LibraryWalk(library: library, since: since).media().media.filter {
      !owned.contains(naming.key($0.key))
    }
    guard !files.isEmpty else { return }
    let wanted = desired.items.filter { item in
      let id = item.id
      return item.isSelected && seen.adoptable[id] == nil && queue[id]?.state.storedFile == nil
        && !seen.published.contains(id)
    }
    for candidate in RebuildMatch(wanted, files: files, naming: naming).candidates where candidate.isInPlace {
      let digest: FileDigest
      do throws(Failure) {
        digest = try FileDigest.compute(
          root[candidate.path], in: library.files, also: candidate.item.checksum?.algorithm)
      } catch { continue }
      seen.adoptable[candidate.item.id] = candidate.adoptable(digest, at: now)
    }
  }
}

extension QueueItem {
  /// The path of the item's file, or the path to which a run moved it without recording the move.
  fileprivate func ownedPath(_ published: Set<ItemID>) -> LibraryPath? {
    if case .downloading(let attempt) = state, published.contains(id) { return attempt.publishing?.path }
    return state.storedFile?.path
  }

  fileprivate var recordedHash: SHA256Digest? {
    switch state {
    case .completed(let file): file.sha256
    case .removed(let removal): removal.file?.sha256
    case .downloading(let attempt): attempt.publishing?.sha256 ?? lostFile?.sha256
    default: lostFile?.sha256
    }
  }
}
