// SPDX-License-Identifier: Apache-2.0
package import SyncCore

/// The queue file, `download_queue.json` (SPEC §3): one item per line, so that diff, grep and jq serve. The same queue
/// gives the same bytes.
package enum QueueFile {
  package static let format = "syncjob-queue"
  package static let version = 1

  package static func encode(_ queue: Queue) -> [UInt8] {
    var writer = JSONWriter(capacity: 1024 + queue.items.count * 512)
    writer.object { writer in
      writer.field("format", format)
      writer.field("version", version)
      writer.field("generation", queue.generation)
      writer.field("library_id", queue.libraryID)
      writer.field("saved_at", queue.savedAt)
      for unknown in queue.unknownFields {
        writer.startLine()
        writer.field(unknown.name, verbatim: unknown.json)
      }
      writer.startLine()
      writer.object("sources") { writer in
        for (name, memory) in queue.sources.sorted(by: { $0.key < $1.key }) {
          writer.key(name.text)
          writer.sourceMemory(memory)
        }
      }
      writer.startLine()
      writer.array("items") { writer in
        for item in queue.items {
          writer.startLine()
          writer.queueItem(item)
        }
        writer.endLine()
      }
    }
    writer.endLine()
    return writer.bytes
  }

  package static func decode(_ bytes: [UInt8]) throws(QueueFileProblem) -> Queue {
    guard bytes.contains(where: { !isBlank($0) }) else { throw .blank }
    do throws(QueueFileProblem) {
      var cursor = QueueCursor(JSONReader(bytes))
      return try cursor.queue()
    } catch {
      // What a later version means by a field is not for us to judge.
      if let found = versionAlone(bytes), found > version { throw .newerVersion(found: found, known: version) }
      throw error
    }
  }

  /// The version of a document that is JSON; nil when there is none to be found.
  private static func versionAlone(_ bytes: [UInt8]) -> Int? {
    var json = JSONReader(bytes)
    var version: Int?
    var format: String?
    do throws(JSONError) {
      try json.beginObject()
      while let key = try json.nextKey() {
        switch key {
        case "format": format = try json.readString()
        case "version": version = try json.readInt()
        default: try json.skipValue()
        }
      }
    } catch { return nil }
    return format == Self.format ? version : nil
  }

  private static func isBlank(_ byte: UInt8) -> Bool { [0x00, 0x20, 0x09, 0x0A, 0x0D].contains(byte) }
}

private enum QueueField: String, CaseIterable {
  case format, version, generation
  case libraryID = "library_id"
  case savedAt = "saved_at"
  case sources, items

  static let keys = JSONKeys<Self>()
}

/// What a queue is made of, as far as it was read.
private struct QueueDraft {
  var format: String?
  var version: Int?
  var generation: Int?
  var libraryID: String?
  var savedAt: Timestamp?
  var sources: [PlaylistName: SourceMemory] = [:]
  var items: [QueueItem]?
  var unknownFields: [UnknownField] = []
}

extension QueueCursor {
  fileprivate mutating func queue() throws(QueueFileProblem) -> Queue {
    var draft = QueueDraft()
    guard try read({ json throws(JSONError) in try json.peekKind() }) == .object else { throw .wrongFormat(found: nil) }
    try object(QueueField.keys) { cursor, key throws(QueueFileProblem) in
      switch key {
      case .known(let field):
        cursor.field = field.rawValue
        try cursor.read(field, into: &draft)
      case .unknown(let name): draft.unknownFields.append(try cursor.unknown(name))
      }
    }
    try finish()
    return try queue(draft)
  }

  private mutating func read(_ field: QueueField, into draft: inout QueueDraft) throws(QueueFileProblem) {
    switch field {
    case .format:
      draft.format = try string()
      if draft.format != QueueFile.format { throw .wrongFormat(found: draft.format) }
    case .version:
      let version = try count()
      if version > QueueFile.version { throw .newerVersion(found: version, known: QueueFile.version) }
      if version < 1 { throw .impossibleVersion(version) }
      draft.version = version
    case .generation: draft.generation = try generation()
    case .libraryID: draft.libraryID = try string()
    case .savedAt: draft.savedAt = try timestamp()
    case .sources: draft.sources = try sources()
    case .items: draft.items = try items()
    }
  }

  private func queue(_ draft: QueueDraft) throws(QueueFileProblem) -> Queue {
    guard draft.format != nil else { throw .wrongFormat(found: nil) }
    guard draft.version != nil else { throw missing("version") }
    guard let generation = draft.generation else { throw missing("generation") }
    guard let libraryID = draft.libraryID else { throw missing("library_id") }
    guard let savedAt = draft.savedAt else { throw missing("saved_at") }
    guard let items = draft.items else { throw missing("items") }
    return Queue(
      libraryID: libraryID, generation: generation, savedAt: savedAt, sources: draft.sources, items: items,
      unknownFields: draft.unknownFields)
  }

  private mutating func sources() throws(QueueFileProblem) -> [PlaylistName: SourceMemory] {
    var sources: [PlaylistName: SourceMemory] = [:]
    try read { json throws(JSONError) in try json.beginObject() }
    while let key = try read({ json throws(JSONError) in try json.nextKey() }) {
      field = "sources"
      guard let name = PlaylistName(key) else { throw bad }
      sources[name] = try sourceMemory(of: key)
    }
    return sources
  }

  private mutating func items() throws(QueueFileProblem) -> [QueueItem] {
    var items: [QueueItem] = []
    var ids: Set<ItemID> = []
    var owners: [LibraryPath: ItemID] = [:]
    try array { cursor throws(QueueFileProblem) in
      let item = try cursor.queueItem(position: items.count + 1)
      guard ids.insert(item.id).inserted else { throw .duplicateID(item.id) }
      // Who removed one of them would lose the other.
      if let path = item.state.storedFile?.path, let other = owners.updateValue(item.id, forKey: path) {
        throw .duplicatePath(other, item.id, path)
      }
      items.append(item)
    }
    return items
  }
}
