// SPDX-License-Identifier: Apache-2.0
import SyncCore

/// The order of steps in which a new queue file replaces the old one. The folder can be read (`StateReading`) after
/// each of them, whether the process or the machine stops there.
struct SnapshotSequence {
  /// The file that becomes the previous queue file.
  enum Previous {
    /// The present queue file.
    case current
    /// The new queue file itself: there is no old one worth keeping, and the journals do not lead up to the new one
    /// without a gap.
    case copy
    /// None: this is the first queue file.
    case none
  }

  let folder: StateFolder

  /// - Parameter hasShortJournal: `newPreviousJournal` holds the contents of the journal in fewer lines, and is on the
  ///   disk.
  func run(_ bytes: [UInt8], keeping previous: Previous, hasShortJournal: Bool = false) throws(FileError) {
    try write(bytes, .newQueue)
    switch previous {
    case .current: try keepCurrent()
    case .copy:
      try write(bytes, .newPrevious)
      try folder.move(.newPrevious, to: .previous)
    case .none: break
    }
    try folder.move(.newQueue, to: .queue)
    try folder.sync()
    if hasShortJournal { try replaceJournal() } else { try retireJournal() }
  }

  /// The journal itself remains until the last step; from the first rename on, both have the same contents.
  private func replaceJournal() throws(FileError) {
    try folder.move(.newPreviousJournal, to: .previousJournal)
    try folder.sync()
    try folder.files.removeFileIfPresent(folder.place(.journal))
    try folder.sync()
  }

  /// Moves the journal of a completed generation beside the queue file from which it starts.
  func retireJournal() throws(FileError) {
    do throws(FileError) { try folder.move(.journal, to: .previousJournal) } catch {
      if error.isMissing { return }
      throw error
    }
    try folder.sync()
  }

  /// Removes the half-written files of a run that was killed.
  func clearUnfinished() throws(FileError) {
    try folder.files.removeFileIfPresent(folder.place(.newQueue))
    try folder.files.removeFileIfPresent(folder.place(.newPrevious))
    try folder.files.removeFileIfPresent(folder.place(.newPreviousJournal))
  }

  private func write(_ bytes: [UInt8], _ file: StateFolder.File) throws(FileError) {
    try folder.files.removeFileIfPresent(folder.place(file))
    try folder.files.create(folder.place(file), bytes, mode: .privateFile)
  }

  /// Keeps the queue file by a second name if the file system supports it, else by a copy: the queue file itself never
  /// disappears.
  private func keepCurrent() throws(FileError) {
    try folder.files.removeFileIfPresent(folder.place(.newPrevious))
    if try !folder.files.link(folder.place(.queue), to: folder.place(.newPrevious)) {
      let bytes = try folder.files.read(folder.place(.queue), limit: ByteCount(4 << 30)) ?? []
      try folder.files.create(folder.place(.newPrevious), bytes, mode: .privateFile)
    }
    try folder.move(.newPrevious, to: .previous)
    // A move between two names of one file does nothing (rename(2)), so the first name may still be there.
    try folder.files.removeFileIfPresent(folder.place(.newPrevious))
  }
}
