// SPDX-License-Identifier: Apache-2.0
package import SyncCore
import SyncFormats

/// The files of `play` in the state folder: the list, the place in it, and the records of playbacks that are not counted
/// yet. The library's lock is not needed for them.
package struct PlayStore: Sendable {
  private let folder: StateFolder

  /// Room for a list of a million items.
  private static let limit = ByteCount(1 << 30)
  private static let noteEnding = ".json"

  package init(_ folder: StateFolder) { self.folder = folder }

  // MARK: The list and the place

  /// Nil if there is none. A damaged one counts as missing: it can be made again.
  package func list() throws(FileError) -> PlayList? {
    try folder.files.read(folder.place(.playList), limit: Self.limit).flatMap(PlayListFile.read)
  }

  /// The facts that change with the list.
  package func listStatus() throws(FileError) -> FileStatus? { try folder.files.status(of: folder.place(.playList)) }

  /// Changes the list. Another process that changes it waits.
  /// - Parameter change: Gets the present list, and returns the new one, or nil to leave it.
  /// - Returns: False if another process holds it for too long.
  package func change(_ change: (PlayList?) -> PlayList?) async throws(FileError) -> Bool {
    guard let lock = try await waitForLock(.playListLock) else { return false }
    if let list = change(try list()) {
      try replace(folder.place(.playList), PlayListFile.encode(list))
    }
    try lock.close()
    return true
  }

  /// Nil if there is none. A damaged one counts as missing.
  package func place() throws(FileError) -> PlayPlace? {
    try folder.files.read(folder.place(.playPlace), limit: ByteCount(1 << 20)).flatMap(PlayPlaceFile.read)
  }

  package func replace(_ place: PlayPlace) throws(FileError) {
    try replace(folder.place(.playPlace), PlayPlaceFile.encode(place))
  }

  /// A run may open the library meanwhile, which removes files that end in `.tmp`.
  private func replace(_ place: FilePlace, _ bytes: [UInt8]) throws(FileError) {
    try folder.files.replace(place, bytes, mode: .privateFile, temporary: "\(place.path?.name ?? "").new")
  }

  // MARK: Locks

  /// The right to play, which ends with its holder. Nil if another process plays.
  package func lockToPlay() throws(FileError) -> PlayLock? { try lock(.playLock).map { PlayLock(file: $0) } }

  private func lock(_ file: StateFolder.File) throws(FileError) -> (any OpenFile)? {
    let opened = try folder.files.open(folder.place(file), for: .locking(.privateFile))
    return try opened.tryLock() ? opened : nil
  }

  /// Waits for a second at most.
  private func waitForLock(_ file: StateFolder.File) async throws(FileError) -> (any OpenFile)? {
    for _ in 0..<50 {
      if let lock = try lock(file) { return lock }
      // Cancelled: nobody waits any more.
      do { try await Task.sleep(for: .milliseconds(20)) } catch { return nil }
    }
    return nil
  }

  // MARK: Records

  private var notesFolder: FilePlace { FilePlace(folder.root, LibraryPath("played")) }

  /// Makes the record of a playback durable. The same playback again replaces it.
  package func add(_ note: PlaybackNote) throws(FileError) {
    guard let place = notesFolder.child(Self.name(of: note)) else { return }
    try folder.files.makeFolders(notesFolder, mode: .privateFolder)
    try replace(place, PlaybackNoteFile.encode(note))
  }

  /// The records, in the order of their times.
  package func notes() throws(FileError) -> [PlaybackNote] {
    var notes: [PlaybackNote] = []
    for entry in try folder.files.listIfPresent(notesFolder) where entry.name.hasSuffix(Self.noteEnding) {
      guard let place = notesFolder.child(entry.name), entry.status.kind == .file,
        let bytes = try folder.files.read(place, limit: ByteCount(1 << 20))
      else { continue }
      // It was not written here, or a bad disk changed it: there is nothing in it to count.
      if let note = PlaybackNoteFile.read(bytes) { notes.append(note) }
    }
    return notes.sorted { ($0.began, $0.item) < ($1.began, $1.item) }
  }

  /// True if there is no record, and no playback of a process that was killed.
  package func isSettled() throws(FileError) -> Bool {
    guard try notes().isEmpty else { return false }
    guard try place()?.playback != nil else { return true }
    return try lockToPlay() == nil
  }

  /// Removes the record of a playback that is counted.
  package func remove(_ note: PlaybackNote) throws(FileError) {
    guard let place = notesFolder.child(Self.name(of: note)) else { return }
    try folder.files.removeFileIfPresent(place)
  }

  /// The name follows from the playback: the item's id may have any characters.
  private static func name(of note: PlaybackNote) -> String {
    "\(note.began.secondsSince1970)-\(SHA256Digest(of: note.item.text.utf8).hex.prefix(32))\(noteEnding)"
  }

  /// Turns the playback that a killed process has left into a record, for which no process may play.
  /// - Parameter durations: The declared duration of an item.
  package func settle(_ lock: PlayLock, _ duration: (ItemID) -> Duration?) throws(FileError) {
    guard var place = try place(), let playback = place.playback else { return }
    let note = playback.note(place.ending ?? .stopped, ended: place.seenAt, duration: duration(playback.item))
    if let note { try add(note) }
    (place.playback, place.ending) = (nil, nil)
    try replace(place)
  }
}

/// Held by the process that plays.
package final class PlayLock: Sendable {
  private let file: any OpenFile

  fileprivate init(file: any OpenFile) { self.file = file }

  package func release() throws(FileError) { try file.close() }
}
