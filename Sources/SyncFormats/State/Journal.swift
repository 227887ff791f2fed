// SPDX-License-Identifier: Apache-2.0
package import SyncCore

/// The journal, `download_queue.journal`: a header line, then one line for each change since the queue file was
/// written. A record holds the whole entry, so that a later one replaces any earlier one that was damaged.
///
/// A command that leaves its changes in the journal closes it: the last record says the last change once more, with
/// `closed`. An earlier version of the program finds nothing new in that record, and takes the command for interrupted.
package enum Journal {
  package static let format = "syncjob-journal"
  package static let version = 1
}

/// The first line of a journal, which describes it.
package struct JournalHeader: Hashable, Sendable {
  /// The generation of the queue file that the records change.
  package var generation: Int
  package var libraryID: String
  /// The machine's uptime in which it was written; nil where the system has no such id.
  package var bootID: String?

  package init(generation: Int, libraryID: String, bootID: String?) {
    self.generation = generation
    self.libraryID = libraryID
    self.bootID = bootID
  }
}

/// Makes the lines of a journal, and collects them for one write.
package struct JournalWriter: Sendable {
  private var writer = JSONWriter()
  /// Lines that wait to be written.
  package private(set) var bytes: [UInt8] = []
  /// The number of the next record.
  package private(set) var nextSequence: Int

  /// - Parameter nextSequence: greater than 1 to continue a journal.
  package init(nextSequence: Int = 1) { self.nextSequence = nextSequence }

  package mutating func append(_ header: JournalHeader) {
    line { writer in
      writer.field("format", Journal.format)
      writer.field("version", Journal.version)
      writer.field("generation", header.generation)
      writer.field("library_id", header.libraryID)
      writer.field("boot_id", header.bootID)
    }
  }

  /// - Parameters:
  ///   - bootID: the machine's uptime, in the first record after one that closed the journal; empty where the system has
  ///     no such id.
  ///   - isClosing: true if the command that wrote the journal ends in good order.
  package mutating func append(_ change: QueueChange, bootID: String? = nil, isClosing: Bool = false) {
    let sequence = nextSequence
    nextSequence += 1
    line { writer in
      writer.field("seq", sequence)
      writer.field("boot_id", bootID)
      switch change {
      case .item(let item):
        writer.key("item")
        writer.queueItem(item)
      case .itemDropped(let id): writer.field("dropped", id.text)
      case .source(let name, let memory):
        writer.field("source", name.text)
        writer.key("memory")
        writer.sourceState(memory)
      case .sourceDropped(let name): writer.field("source_dropped", name.text)
      }
      if isClosing { writer.field("closed", true) }
    }
  }

  /// Drops the lines that were written, and keeps their capacity.
  package mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }

  private mutating func line(_ members: (inout JSONWriter) -> Void) {
    writer.removeAll()
    writer.object(members)
    writer.sealLine(from: 0)
    writer.endLine()
    bytes.append(contentsOf: writer.bytes)
  }
}
