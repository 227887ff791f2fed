// SPDX-License-Identifier: Apache-2.0
package import SyncCore

/// A library's state as one file, to be moved to another machine: the queue, with the journal applied, and its origin.
package struct StateExport: Equatable, Sendable {
  package static let format = "syncjob-state"
  package static let version = 1

  /// The name of the manifest, for people.
  package var name: String
  package var exportedAt: Timestamp
  package var queue: Queue
  /// The log of plays.
  package var plays: [PlayLog.Line]

  package init(name: String, exportedAt: Timestamp, queue: Queue, plays: [PlayLog.Line] = []) {
    self.name = name
    self.exportedAt = exportedAt
    self.queue = queue
    self.plays = plays
  }

  package func encode() -> [UInt8] {
    var writer = JSONWriter(capacity: 1024 + queue.items.count * 512)
    writer.object { writer in
      writer.field("format", Self.format)
      writer.field("version", Self.version)
      writer.field("name", name)
      writer.field("exported_at", exportedAt)
      writer.startLine()
      writer.field("queue", verbatim: QueueFile.encode(queue).dropLast())
      if !plays.isEmpty {
        writer.array("plays") { writer in
          for line in plays {
            writer.startLine()
            writer.write(line)
          }
        }
      }
      writer.endLine()
    }
    writer.endLine()
    return writer.bytes
  }

  /// The contents of an export, and the changes made to it since it was written.
  package struct Reading: Equatable, Sendable {
    package var export: StateExport
    /// Items whose lines were changed, in the order of the file.
    package var edited: [ItemID] = []
    /// True if something outside the items was changed, or if an item was added or removed.
    package var isEditedOutside = false
  }

  /// Reads an export. Refuses bytes that no export can contain, but accepts the edits of a person.
  package static func read(_ bytes: [UInt8]) throws(QueueFileProblem) -> Reading {
    guard bytes.contains(where: { ![0x00, 0x20, 0x09, 0x0A, 0x0D].contains($0) }) else { throw .blank }
    var cursor = QueueCursor(JSONReader(bytes))
    guard try cursor.read({ json throws(JSONError) in try json.peekKind() }) == .object else {
      throw .wrongFormat(found: nil)
    }
    return try cursor.stateExport()
  }
}

private enum ExportField: String, CaseIterable {
  case format, version, name
  case exportedAt = "exported_at"
  case queue, plays
  static let keys = JSONKeys<Self>()
}

extension QueueCursor {
  fileprivate mutating func stateExport() throws(QueueFileProblem) -> StateExport.Reading {
    var format: String?
    var version: Int?
    var name = ""
    var exportedAt: Timestamp?
    var queue: QueueFileReading?
    var plays: [PlayLog.Line] = []
    try object(ExportField.keys) { cursor, key throws(QueueFileProblem) in
      if case .known(let field) = key { cursor.field = field.rawValue }
      switch key {
      case .known(.format):
        format = try cursor.string()
        if format != StateExport.format { throw .wrongFormat(found: format) }
      case .known(.version): version = try cursor.version(upTo: StateExport.version)
      case .known(.name): name = try cursor.string()
      case .known(.exportedAt): exportedAt = try cursor.timestamp()
      case .known(.queue):
        queue = try QueueFile.read(try cursor.read { json throws(JSONError) in try json.readVerbatim() })
        if let problem = queue?.problem { throw problem }
      case .known(.plays):
        try cursor.array { cursor throws(QueueFileProblem) in
          if let line = try cursor.playLogLine() { plays.append(line) }
        }
      case .unknown: try cursor.skip()
      }
    }
    try finish()
    guard format != nil else { throw .wrongFormat(found: nil) }
    guard version != nil else { throw missing("version") }
    guard let exportedAt else { throw missing("exported_at") }
    guard let queue else { throw missing("queue") }
    var reading = StateExport.Reading(
      export: StateExport(name: name, exportedAt: exportedAt, queue: queue.queue, plays: plays))
    reading.edited = queue.queue.items.map(\.id).filter(queue.doubtful.contains)
    reading.isEditedOutside = !queue.isUnchecked && !queue.isWhole && queue.doubtful.isEmpty
    return reading
  }
}
