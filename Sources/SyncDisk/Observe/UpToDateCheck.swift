// SPDX-License-Identifier: Apache-2.0
package import SyncCore
package import SyncFormats

/// Looks whether everything is as it was when a run found nothing to do: the same looks that a plan is made of, without
/// the plan.
package struct UpToDateCheck {
  let library: Library
  let minimumFree: ByteCount
  let now: Timestamp

  package init(library: Library, minimumFree: ByteCount, now: Timestamp) {
    self.library = library
    self.minimumFree = minimumFree
    self.now = now
  }

  /// The free space of the library's file system; nil when anything changed, or there is too little of it.
  package func freeSpaceIfNothingChanged(_ reader: RunFingerprintReader) throws(FileError) -> ByteCount? {
    guard let root = library.mediaRoot, reader.fingerprint.isTimely(now), try hasOnlyFinishedFiles,
      try isQueueTheSame(reader.fingerprint), try arePlaylistsTheSame(reader.fingerprint, root),
      try PlayLogStore(library.state).isWhole(), try PlayStore(library.state).isSettled(),
      try !ClockMark(library.state).isDamaged(),
      try areFilesInPlace(reader, root)
    else { return nil }
    let free = try library.files.space(at: root).available
    return free >= minimumFree ? free : nil
  }

  private var hasOnlyFinishedFiles: Bool {
    get throws(FileError) {
      guard let work = library.workFolder else { return false }
      guard try library.files.listIfPresent(work.partials.folder).isEmpty,
        try library.partialsIfPresent?.list().isEmpty ?? true,
        try UnfinishedFiles(library: library).list().isEmpty
      else { return false }
      return try work.trash.list().isEmpty
    }
  }

  private func isQueueTheSame(_ fingerprint: RunFingerprint) throws(FileError) -> Bool {
    guard let state = library.stateFolder, try library.files.status(of: state.place(.journal)) == nil,
      try isPrivate(state), try markedID == fingerprint.libraryID
    else { return false }
    return try SHA256Digest(of: state.place(.queue), in: library.files) == fingerprint.queue
  }

  /// A state that others may write is worth a word, which the whole road has; one that they may look into is closed.
  private func isPrivate(_ state: StateFolder) throws(FileError) -> Bool {
    guard let status = try library.files.status(of: FilePlace(state.root)) else { return false }
    guard !status.mode.isPrivate else { return true }
    guard !status.mode.isWritableByOthers else { return false }
    return try library.files.makePrivate(state.root) != .isOpen
  }

  private var markedID: String? {
    get throws(FileError) {
      guard let root = library.mediaRoot else { return nil }
      // The whole road has the words for what is wrong with a marker.
      do throws(StateError) { return try LibraryMarker.read(library.files, in: root)?.id } catch { return nil }
    }
  }

  private func arePlaylistsTheSame(_ fingerprint: RunFingerprint, _ root: FileRoot) throws(FileError) -> Bool {
    for (name, digest) in fingerprint.playlistFiles {
      guard let place = FilePlace(root).child(name), let status = try library.files.status(of: place),
        status.kind == .file, status.linkCount == 1, try SHA256Digest(of: place, in: library.files) == digest
      else { return false }
    }
    return true
  }

  /// Each finished file is there, is no other kind of thing, and has its size.
  private func areFilesInPlace(_ reader: RunFingerprintReader, _ root: FileRoot) throws(FileError) -> Bool {
    var reader = reader
    var folder = root
    do throws(QueueFileProblem) {
      while let line = try reader.next() {
        switch line {
        case .folder(let path):
          guard let next = open(path, root) else { return false }
          folder = next
        case .file(let name, let size):
          guard isInPlace(folder[name], size) else { return false }
        }
      }
      return true
    } catch { return false }
  }

  /// Nil when there is no such folder any more.
  private func open(_ path: LibraryPath?, _ root: FileRoot) -> FileRoot? {
    guard let path else { return root }
    do throws(FileError) { return try library.files.openRoot(root[path], making: nil) } catch { return nil }
  }

  private func isInPlace(_ place: FilePlace, _ size: ByteCount) -> Bool {
    do throws(FileError) {
      guard let status = try library.files.status(of: place) else { return false }
      return status.kind == .file && status.linkCount == 1 && status.size == size
    } catch { return false }
  }
}

extension LibraryObservation {
  /// A digest of everything that was observed, except the free space, which changes with anything that happens on the
  /// disk, and the ages of partials.
  package var digest: SHA256Digest {
    var digest = RunningDigest()
    func add(_ parts: String...) {
      let line = Array((parts.joined(separator: "\u{0}") + "\n").utf8)
      line.withUnsafeBytes { digest.update($0) }
    }
    for (id, finding) in finished.sorted { add("finished", id.text, finding.word) }
    for id in published.sorted() { add("published", id.text) }
    for (id, found) in adoptable.sorted(by: { $0.key < $1.key }) {
      add("adoptable", id.text, found.file.path.text, "\(found.file.size.bytes)", found.file.sha256.hex)
    }
    for (id, file) in strayed.sorted(by: { $0.key < $1.key }) { add("strayed", id.text, file.path.text) }
    for (id, file) in retagged.sorted(by: { $0.key < $1.key }) { add("retagged", id.text, file.sha256.hex) }
    for (name, partial) in partials.sorted(by: { $0.key < $1.key }) {
      add("partial", name, "\(partial.size.bytes)")
    }
    add("trash", "\(trashBytes.bytes)", "\(expiredTrashBytes.bytes)")
    return digest.finishHash()
  }
}

extension LibraryObservation.Finding {
  fileprivate var word: String {
    switch self {
    case .missing: "missing"
    case .foreign: "foreign"
    case .unreachable: "unreachable"
    case .file(let size): "\(size.bytes)"
    }
  }
}
