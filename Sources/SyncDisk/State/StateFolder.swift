// SPDX-License-Identifier: Apache-2.0
package import SyncCore

/// The directory of the state, `.syncjob` in the library unless `library.state` names another. Its mode is 0700, and
/// that of its files 0600, whatever the umask.
package struct StateFolder: Sendable {
  /// The name of the folder inside a library.
  package static let name = ".syncjob"

  package enum File: String, CaseIterable, Sendable {
    case queue = "download_queue.json"
    case previous = "download_queue.prev.json"
    case journal = "download_queue.journal"
    /// The journal between `previous` and `queue`: the two reproduce the third.
    case previousJournal = "download_queue.prev.journal"
    case newQueue = "download_queue.json.tmp"
    case newPrevious = "download_queue.prev.json.tmp"
    case newPreviousJournal = "download_queue.prev.journal.tmp"
    case lock = "lock"
    case clock = "clock"
    /// The decisions of a person about items.
    case decisions = "decisions.json"
    /// This device, and the content keys of licences.
    case licenses = "licenses.json"
    case damagedLicenses = "licenses.json.corrupt"
    /// The plays that were counted.
    case plays = "plays.jsonl"
    /// The plays to push to servers.
    case outbox = "outbox.jsonl"
    /// The list that `play` works through.
    case playList = "play_queue.json"
    /// Locked while that list is changed.
    case playListLock = "play_queue.lock"
    /// The place that `play` has reached in it.
    case playPlace = "playing.json"
    /// Locked by the command that plays.
    case playLock = "playing.lock"
    /// The totals over all runs.
    case totals = "totals.json"
    /// Exists from the loss of the state until a rebuild from the library's files is complete.
    case rebuilding = "download_queue.rebuilding"
  }

  package let files: any FileSystem
  package let root: FileRoot

  package init(_ files: any FileSystem, root: FileRoot) {
    self.files = files
    self.root = root
  }

  /// Opens the folder by a path that a person wrote.
  /// - Parameter making: makes the folder if it is missing; otherwise a missing folder is an error that `isMissing`.
  package static func open(_ files: any FileSystem, path: String, making: Bool) throws(FileError) -> StateFolder {
    StateFolder(files, root: try files.openRoot(path, making: making ? .privateFolder : nil))
  }

  /// Opens the folder inside a library. A symbolic link in its place is refused.
  package static func open(
    _ files: any FileSystem, inLibrary library: FileRoot, making: Bool
  ) throws(FileError) -> StateFolder {
    let place = FilePlace(library, LibraryPath(name))
    return StateFolder(files, root: try files.openRoot(place, making: making ? .privateFolder : nil))
  }

  package func place(_ file: File) -> FilePlace { FilePlace(root, LibraryPath(file.rawValue)) }

  package var partials: PartialFolder { PartialFolder(files, FilePlace(root, LibraryPath("partial"))) }
  package var trash: TrashFolder { TrashFolder(files, FilePlace(root, LibraryPath("trash"))) }

  func move(_ file: File, to target: File) throws(FileError) {
    try files.move(place(file), to: place(target), replacing: true)
  }

  func sync() throws(FileError) { try files.syncFolder(FilePlace(root)) }
}

extension StateFolder {
  /// No line is longer: an id has at most 512 bytes, a path 4096.
  private static let tailSize = 64 << 10

  /// Adds lines to the end of a file, behind its last complete line, and flushes them.
  /// - Parameters:
  ///   - pieces: The bytes of whole lines, written piece by piece.
  ///   - limit: A larger file is not one of ours: it is neither shortened nor continued.
  func appendLines(_ pieces: some Sequence<[UInt8]>, to file: File, limit: ByteCount) throws(FileError) {
    let place = place(file)
    let isNew = try files.status(of: place) == nil
    let open = try files.open(place, for: .writingOrCreating(.privateFile))
    var end = try Self.endOfLastLine(open, place.text, limit: limit)
    try open.truncate(to: ByteCount(end))
    for bytes in pieces {
      try open.write(bytes, at: end)
      end += Int64(bytes.count)
    }
    try open.sync()
    try open.close()
    if isNew { try sync() }
  }

  /// The end of the last complete line. A line that was being written when the machine stopped is void, and would
  /// corrupt the one after it.
  private static func endOfLastLine(
    _ file: any OpenFile, _ path: String, limit: ByteCount
  ) throws(FileError) -> Int64 {
    let size = try file.status().size.bytes
    guard size <= limit.bytes else { throw FileError(.read, path, .tooLarge(limit: limit)) }
    let start = max(0, size - Int64(tailSize))
    var tail: [UInt8] = []
    try file.readChunks(of: tailSize, from: start) { chunk throws(FileError) in tail.append(contentsOf: chunk) }
    guard let last = tail.lastIndex(of: UInt8(ascii: "\n")) else { return start }
    return start + Int64(last) + 1
  }
}
