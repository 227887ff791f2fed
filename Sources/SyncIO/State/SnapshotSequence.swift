// SPDX-License-Identifier: Apache-2.0
import SyncCore

/// The order of steps in which a new queue file takes the place of the old one. After each of them the folder can be
/// read (`StateReading`), whether the process or the machine stops there.
struct SnapshotSequence {
  /// What becomes the previous queue file.
  enum Previous {
    /// The one that is there now.
    case current
    /// There is none worth keeping, and the journals do not lead up to the new one without a gap: the new one itself.
    case copy
    /// Nothing: this is the first.
    case none
  }

  let folder: StateFolder

  /// - Parameter journal: the bytes that say what the journal says, in fewer words; nil: the journal itself is kept.
  func run(_ bytes: [UInt8], keeping previous: Previous, journal: [UInt8]? = nil) throws(FileError) {
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
    if let journal { try replaceJournal(by: journal) } else { try retireJournal() }
  }

  /// Until the last step the journal itself is there; from the first rename on both say the same.
  private func replaceJournal(by bytes: [UInt8]) throws(FileError) {
    try write(bytes, .newPreviousJournal)
    try folder.move(.newPreviousJournal, to: .previousJournal)
    try folder.sync()
    try folder.files.removeFileIfPresent(folder.place(.journal))
    try folder.sync()
  }

  /// Puts the journal of a generation that is written beside the queue file that it began at.
  func retireJournal() throws(FileError) {
    do throws(FileError) { try folder.move(.journal, to: .previousJournal) } catch {
      if error.isMissing { return }
      throw error
    }
    try folder.sync()
  }

  /// Removes what a run that was killed left half written.
  func clearUnfinished() throws(FileError) {
    try folder.files.removeFileIfPresent(folder.place(.newQueue))
    try folder.files.removeFileIfPresent(folder.place(.newPrevious))
    try folder.files.removeFileIfPresent(folder.place(.newPreviousJournal))
  }

  private func write(_ bytes: [UInt8], _ file: StateFolder.File) throws(FileError) {
    try folder.files.removeFileIfPresent(folder.place(file))
    try folder.files.create(folder.place(file), bytes, mode: .privateFile)
  }

  /// By a second name where the file system has such, else by a copy: the queue file itself never goes away.
  private func keepCurrent() throws(FileError) {
    try folder.files.removeFileIfPresent(folder.place(.newPrevious))
    if try !folder.files.link(folder.place(.queue), to: folder.place(.newPrevious)) {
      let bytes = try folder.files.read(folder.place(.queue), limit: ByteCount(4 << 30)) ?? []
      try folder.files.create(folder.place(.newPrevious), bytes, mode: .privateFile)
    }
    try folder.move(.newPrevious, to: .previous)
    // A move between two names of one file changes nothing (rename(2)), so that the first may still be there.
    try folder.files.removeFileIfPresent(folder.place(.newPrevious))
  }
}
