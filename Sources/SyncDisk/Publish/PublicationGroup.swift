// SPDX-License-Identifier: Apache-2.0
package import SyncCore
import SyncFormats

/// Checked partials that move into the library together. Each step is done for all of them before the next begins, so
/// that one flush of the journal and of a folder serves many files; the order of the steps holds for every single file.
package struct PublicationGroup {
  /// The maximum number of files. Later ones wait for the next group, which follows soon.
  package static let maximum = 32

  private let publisher: Publisher
  private var members: [Member]
  /// The folders of the files, each opened once. Nil is the library itself.
  private var folders: [LibraryPath?: FileRoot] = [:]
  private var chosen: Set<NameKey> = []

  private struct Member {
    let publication: Publication
    let source: FilePlace
    var attempt = 0
    var step = Step.partial

    var id: ItemID { publication.download.id }

    /// A member that has a path may have been announced and moved.
    mutating func fail(_ failure: Failure) { step = .over(isPartial ? .failed(failure) : .stopped(failure)) }

    var isPartial: Bool { if case .partial = step { true } else { false } }

    var isOver: Bool { if case .over = step { true } else { false } }

    var placed: StoredFile? { if case .placed(let file) = step { file } else { nil } }

    var moved: StoredFile? { if case .moved(let file) = step { file } else { nil } }

    var found: StoredFile? { if case .found(let file) = step { file } else { nil } }
  }

  private enum Step {
    /// Checked, not on its way. Leaves to `placed`, `over`.
    case partial
    /// Its path was free. Leaves to `moved`, `over`, and back to `partial` if another file took the path first.
    case placed(StoredFile)
    /// Renamed. Leaves to `over`.
    case moved(StoredFile)
    /// A file with the same bytes is at its path. Leaves to `over`.
    case found(StoredFile)
    case over(PublicationResult)
  }

  init(_ publications: [Publication], at publisher: Publisher) {
    self.publisher = publisher
    members = publications.map { publication in
      Member(
        publication: publication, source: publication.source(at: publisher),
        attempt: publication.download.nameAttempt
      )
    }
  }

  /// Publishes all members: flush, announce in the journal, rename into place, flush the folders, record, in this
  /// order.
  mutating func publish() -> [(ItemID, PublicationResult)] {
    forEach { group, member throws(Failure) in try group.flush(&member) }
    forEach { group, member throws(Failure) in try group.lookForTwin(&member) }
    while members.contains(where: \.isPartial) {
      forEach { group, member throws(Failure) in try group.choosePlace(&member) }
      together { group throws(Failure) in try group.announce() }
      forEach { group, member throws(Failure) in try group.move(&member) }
    }
    syncFolders()
    together { group throws(Failure) in try group.record() }
    return members.compactMap { member in
      guard case .over(let result) = member.step else { return nil }
      return (member.id, result)
    }
  }

  /// Runs the step for one member after another. A failure ends that member. One that stops the run ends those behind
  /// it, too: they would flush the same folder again.
  private mutating func forEach(_ body: (inout Self, inout Member) throws(Failure) -> Void) {
    for index in members.indices where !members[index].isOver {
      var member = members[index]
      do throws(Failure) { try body(&self, &member) } catch {
        member.fail(error)
        guard error.disposition.next != .stopRun else {
          for rest in members.indices where rest > index && !members[rest].isOver { members[rest].fail(error) }
          members[index] = member
          return
        }
      }
      members[index] = member
    }
  }

  /// Runs the step once for all members. A failure ends all of them.
  private mutating func together(_ body: (inout Self) throws(Failure) -> Void) {
    guard !members.allSatisfy(\.isOver) else { return }
    do throws(Failure) { try body(&self) } catch {
      for index in members.indices where !members[index].isOver { members[index].fail(error) }
    }
  }
}

// MARK: - The steps

extension PublicationGroup {
  private func flush(_ member: inout Member) throws(Failure) { try member.publication.flush(at: publisher) }

  private mutating func lookForTwin(_ member: inout Member) throws(Failure) {
    let twin = Twin(publisher: publisher, publication: member.publication)
    guard member.isPartial, let file = try twin.file(besides: chosen) else { return }
    chosen.insert(publisher.naming.key(file.path))
    member.step = .found(file)
  }

  private mutating func choosePlace(_ member: inout Member) throws(Failure) {
    guard member.isPartial else { return }
    while member.attempt < 1000 {
      let path = member.publication.path(publisher.naming, attempt: member.attempt)
      if try isFree(path) {
        chosen.insert(publisher.naming.key(path))
        member.step = .placed(member.publication.storedFile(at: path, completedAt: publisher.clock.now()))
        return
      }
      member.attempt += 1
    }
    let path = member.publication.path(publisher.naming, attempt: 0)
    throw .io(operation: "find a free name for", path: path.text, .eexist)
  }

  private mutating func isFree(_ path: LibraryPath) throws(Failure) -> Bool {
    guard !chosen.contains(publisher.naming.key(path)), !publisher.journal.isTaken(path) else { return false }
    do throws(FileError) { return try publisher.library.files.status(of: try target(path)) == nil } catch {
      throw publisher.failure(error, at: path)
    }
  }

  /// The place of a path in its folder, which is made if it is missing.
  private mutating func target(_ path: LibraryPath) throws(FileError) -> FilePlace {
    let files = publisher.library.files
    let folder: FileRoot
    if let open = folders[path.parent] {
      folder = open
    } else if let parent = path.parent {
      folder = try files.openRoot(publisher.library.root[parent], making: .sharedFolder)
    } else {
      folder = publisher.library.root
    }
    folders[path.parent] = folder
    guard let place = FilePlace(folder).child(path.name) else { throw FileError(.open, path.text, code: .eexist) }
    return place
  }

  /// Recorded before the renames: if a run dies between rename and record, its files are still known to be ours.
  private func announce() throws(Failure) {
    try publisher.journal.record(
      placed.map { ($0.id, $0.publication.announcement($1)) }, at: publisher.clock.now())
    try publisher.journal.sync()
  }

  private mutating func move(_ member: inout Member) throws(Failure) {
    guard case .placed(let stored) = member.step else { return }
    do throws(FileError) {
      try publisher.library.files.move(member.source, to: try target(stored.path), replacing: false)
      member.step = .moved(stored)
    } catch {
      // Another file was put there in the meantime.
      if error.isPresent {
        member.step = .partial
        return
      }
      let failure = publisher.failure(error, at: stored.path)
      guard failure.disposition.next == .giveUp else { throw failure }
      // The rename was refused: the file is still the partial.
      member.step = .over(.failed(failure))
    }
  }

  private mutating func syncFolders() {
    let files = publisher.library.files
    together { group throws(Failure) in
      do throws(FileError) {
        let used = Set(group.members.compactMap { $0.moved.map(\.path.parent) })
        for parent in used { if let folder = group.folders[parent] { try files.syncFolder(FilePlace(folder)) } }
        for folder in group.sourceFolders { try files.syncFolder(folder) }
      } catch { throw error.failure }
    }
  }

  private mutating func record() throws(Failure) {
    try publisher.journal.complete(placed.map { ($0.id, $1) } + found, at: publisher.clock.now())
    if !found.isEmpty { try publisher.journal.sync() }
    for index in members.indices {
      if let stored = members[index].moved {
        members[index].publication.discardOriginals(at: publisher)
        members[index].step = .over(.published(stored))
      }
      guard let stored = members[index].found else { continue }
      // The partial is now a second copy of the file.
      members[index].publication.discard(at: publisher)
      members[index].step = .over(.adopted(stored))
    }
  }

  /// The folders that the files left, each once.
  private var sourceFolders: [FilePlace] {
    let folders = members.filter { $0.moved != nil }.map(\.source.parent)
    return Dictionary(folders.map { ($0.text, $0) }) { first, _ in first }.values.sorted { $0.text < $1.text }
  }

  private var found: [(ItemID, StoredFile)] {
    members.compactMap { member in member.found.map { (member.id, $0) } }
  }

  /// The members that have a path, and their files.
  private var placed: [(Member, StoredFile)] {
    members.compactMap { member in (member.placed ?? member.moved).map { (member, $0) } }
  }
}

/// The result of a publication.
package enum PublicationResult: Sendable {
  case published(StoredFile)
  /// The file was in its place already. It belongs to the item now.
  case adopted(StoredFile)
  /// The file is a partial as before.
  case failed(Failure)
  /// The journal has announced the publication or tried to. The next run finds out how far it came.
  case stopped(Failure)
}

/// A checked partial on its way into the library.
package struct Publication: Sendable {
  package var download: PlannedDownload
  package var partial: PartialDownload
  /// The partial as it was written, open. Nil if no byte of it arrived in this run.
  package var body: (any OpenFile)?
  /// The place of a file that moves into the library without becoming a partial first. Nil for a partial.
  var origin: FilePlace?
  var file: CheckedFile
  var candidate: Int
  var confidence: StoredFile.Confidence
  /// The number of requests so far.
  var attempts: Int

  /// True if the file to publish is not the partial, but was made of it.
  package var isCopy: Bool { file.isCopy }

  package init(
    download: PlannedDownload, partial: PartialDownload, body: (any OpenFile)? = nil, file: CheckedFile, candidate: Int,
    confidence: StoredFile.Confidence, attempts: Int
  ) {
    self.download = download
    self.partial = partial
    self.body = body
    self.file = file
    self.candidate = candidate
    self.confidence = confidence
    self.attempts = attempts
  }

  /// The file that moves into the library.
  func source(at publisher: Publisher) -> FilePlace {
    if file.sealed != nil { return publisher.library.sealedCopy(of: partial.name) }
    return origin ?? (file.isCopy ? publisher.copy(of: partial) : publisher.place(of: partial))
  }

  /// Removes the files of which the published one was made.
  func discardOriginals(at publisher: Publisher) {
    guard file.isCopy else { return }
    publisher.discard(partial)
    if file.sealed != nil, file.isTaggedCopy { publisher.discardCopy(of: partial) }
  }

  /// Removes the partial and everything that was made of it.
  func discard(at publisher: Publisher) {
    publisher.discard(partial)
    discardCopies(at: publisher)
  }

  /// Removes the files that were made of the partial.
  package func discardCopies(at publisher: Publisher) {
    if file.isTaggedCopy { publisher.discardCopy(of: partial) }
    if file.sealed != nil { publisher.discardSealed(partial) }
  }

  /// Flushes the file that moves into the library, and the partial on which the announcement relies.
  func flush(at publisher: Publisher) throws(Failure) {
    do throws(FileError) {
      if let body {
        try body.sync()
        try body.close()
      } else if origin == nil {
        try publisher.library.files.flush(publisher.place(of: partial))
      }
      let source = source(at: publisher)
      if origin == nil ? file.isCopy : body == nil { try publisher.library.files.flush(source) }
    } catch { throw error.failure }
  }

  func path(_ naming: FileNaming, attempt: Int) -> LibraryPath {
    download.layout.path(download.fields, fileExtension: file.fileExtension, naming: naming, attempt: attempt)
  }

  func storedFile(at path: LibraryPath, completedAt: Timestamp) -> StoredFile {
    var stored = StoredFile(
      path: path, size: file.size, sha256: file.sha256, completedAt: completedAt, candidate: candidate,
      confidence: confidence, quality: download.quality, verifiedBy: download.task.checksum?.unlessSHA256)
    (stored.tagged, stored.sealed) = (file.tagged, file.sealed)
    // The item's own candidates come before all others.
    if candidate >= download.task.candidates.count || download.task.isChosenAlternative { stored.origin = partial.url }
    return stored
  }

  /// The state that the journal records while the file moves to its place.
  func announcement(_ stored: StoredFile) -> TransferState {
    .downloading(Attempt(candidate: candidate, attempts: attempts, partial: partial, publishing: stored))
  }
}
