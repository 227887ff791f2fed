// SPDX-License-Identifier: Apache-2.0
import SyncCore
import SyncFormats

/// A journal that commands left behind in good order, to be continued by the next one.
struct ClosedJournal {
  var reading: JournalReading
  /// In bytes.
  var length: Int64

  /// True if it is so short beside the queue file that a command need not write a new one.
  /// - Parameter queueSize: in bytes.
  static func isShort(_ length: Int64, besides queueSize: Int) -> Bool { length <= max(64 << 10, queueSize / 32) }
}

/// The journal while a run or a command writes it.
struct OpenJournal {
  let file: any OpenFile
  private var writer: JournalWriter
  /// In bytes.
  private(set) var length: Int64
  /// True once the file's name is on the disk.
  var isNameDurable: Bool
  /// Written with the next record if this journal was closed before.
  private var bootID: String?
  private var last: QueueChange?

  /// Creates the journal that follows a queue file.
  static func creating(_ header: JournalHeader, in folder: StateFolder) throws(FileError) -> OpenJournal {
    let file = try folder.files.open(folder.place(.journal), for: .creating(.privateFile))
    var journal = OpenJournal(file: file, writer: JournalWriter(), length: 0, isNameDurable: false)
    journal.writer.append(header)
    return journal
  }

  /// Opens a closed journal, to append to it.
  static func continuing(
    _ closed: ClosedJournal, in folder: StateFolder, bootID: String?
  ) throws(FileError) -> OpenJournal {
    let file = try folder.files.open(folder.place(.journal), for: .writing)
    return OpenJournal(
      file: file, writer: JournalWriter(nextSequence: closed.reading.nextSequence), length: closed.length,
      isNameDurable: true, bootID: bootID ?? "")
  }

  /// Appends the changes by one write.
  mutating func append(_ changes: [QueueChange]) throws(FileError) {
    for change in changes {
      writer.append(change, bootID: bootID)
      bootID = nil
    }
    last = changes.last ?? last
    try write()
  }

  /// Says that the command ended in good order. Everything else that it changed is on the disk by now.
  mutating func seal() throws(FileError) {
    guard let last else { return }
    writer.append(last, isClosing: true)
    try write()
    try file.sync()
  }

  private mutating func write() throws(FileError) {
    try file.write(writer.bytes, at: length)
    length += Int64(writer.bytes.count)
    writer.removeAll()
  }
}
