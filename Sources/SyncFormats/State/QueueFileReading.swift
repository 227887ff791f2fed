// SPDX-License-Identifier: Apache-2.0
package import SyncCore

/// The contents of a queue file, and how far they are credible.
package struct QueueFileReading: Equatable, Sendable {
  /// The queue without the lines that are not valid items.
  package internal(set) var queue: Queue
  /// Items whose lines differ from what was written: damaged, or edited by a person.
  package internal(set) var doubtful: Set<ItemID> = []
  /// The first reason why a line is not a valid item.
  package internal(set) var problem: QueueFileProblem?
  /// True if there is no check in the file, because an earlier version of the program wrote it.
  package internal(set) var isUnchecked = false
  /// True if the number of lines, their order and the text outside of them are as they were written.
  package internal(set) var isWhole = false
  /// The size of the file in bytes.
  package internal(set) var size = 0
  /// The key of the index of the file. Nil if it has none.
  package var indexKey: SHA256Digest?

  /// True if everything is credible.
  package var isSound: Bool { problem == nil && (isUnchecked || isWhole && doubtful.isEmpty) }

  /// The reason why it is not credible as it is; nil when it is.
  package var firstProblem: QueueFileProblem? { problem ?? failedCheck }

  /// The first check that fails.
  private var failedCheck: QueueFileProblem? {
    if isUnchecked { return nil }
    if !doubtful.isEmpty, let position = queue.items.firstIndex(where: { doubtful.contains($0.id) }) {
      return .wrongCheck(.item(id: queue.items[position].id.text, position: position + 1))
    }
    return isWhole ? nil : .wrongCheck(.file)
  }
}

private enum QueueField: String, CaseIterable {
  case format, version, generation
  case libraryID = "library_id"
  case savedAt = "saved_at"
  case sources, items, count, crc

  static let keys = JSONKeys<Self>()
}

/// The parts of a queue while it is read.
private struct QueueDraft {
  var format: String?
  var version: Int?
  var generation: Int?
  var libraryID: String?
  var savedAt: Timestamp?
  var sources: [PlaylistName: SourceState] = [:]
  var items: ItemLines?
  var unknownFields: [UnknownField] = []
  var lines = CheckedLines()
}

extension QueueCursor {
  mutating func queueFile() throws(QueueFileProblem) -> QueueFileReading {
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
    let end = json.offset
    try finish()
    return try reading(draft, endingAt: end)
  }

  private mutating func read(_ field: QueueField, into draft: inout QueueDraft) throws(QueueFileProblem) {
    switch field {
    case .format:
      draft.format = try string()
      if draft.format != QueueFile.format { throw .wrongFormat(found: draft.format) }
    case .version: draft.version = try version(upTo: QueueFile.version)
    case .generation: draft.generation = try generation()
    case .libraryID: draft.libraryID = try string()
    case .savedAt: draft.savedAt = try timestamp()
    case .sources: draft.sources = try sources()
    case .items: draft.items = try items(&draft.lines)
    case .count: draft.lines.count = try count()
    case .crc: draft.lines.crc = try string()
    }
  }

  private func reading(_ draft: QueueDraft, endingAt end: Int) throws(QueueFileProblem) -> QueueFileReading {
    guard draft.format != nil else { throw .wrongFormat(found: nil) }
    guard draft.version != nil else { throw missing("version") }
    guard let generation = draft.generation else { throw missing("generation") }
    guard let libraryID = draft.libraryID else { throw missing("library_id") }
    guard let savedAt = draft.savedAt else { throw missing("saved_at") }
    guard let items = draft.items else { throw missing("items") }
    let queue =
      if let stored {
        Queue(libraryID: libraryID, generation: generation, savedAt: savedAt, stored: stored.items)
      } else {
        Queue(libraryID: libraryID, generation: generation, savedAt: savedAt, items: items.positioned)
      }
    var reading = QueueFileReading(queue: queue)
    reading.queue.sources = draft.sources
    reading.queue.unknownFields = draft.unknownFields
    reading.size = json.bytes.count
    guard stored == nil else {
      reading.isWhole = true
      return reading
    }
    var lines = draft.lines
    reading.isUnchecked = lines.isUnchecked
    reading.isWhole = lines.isWhole(json.bytes, endingAt: end)
    reading.problem = items.problem
    reading.doubtful = lines.isUnchecked ? [] : items.doubtful
    return reading
  }

  private mutating func sources() throws(QueueFileProblem) -> [PlaylistName: SourceState] {
    var sources: [PlaylistName: SourceState] = [:]
    try read { json throws(JSONError) in try json.beginObject() }
    while let key = try read({ json throws(JSONError) in try json.nextKey() }) {
      field = "sources"
      guard let name = PlaylistName(key) else { throw bad }
      guard sources[name] == nil else { throw .repeatedField(.file, field: key) }
      sources[name] = try sourceState(of: key)
    }
    return sources
  }

  private mutating func items(_ lines: inout CheckedLines) throws(QueueFileProblem) -> ItemLines {
    var items = ItemLines()
    if let stored {
      passValue(endingAt: stored.index.end + 1)
      return items
    }
    if let written = WrittenItems(json.bytes, at: json.offset, in: parts) {
      for line in written.parts.joined() {
        items.add(line.item, isWhole: lines.pass(line.range, of: json.bytes, line.verdict))
      }
      passValue(endingAt: written.end)
      return items
    }
    try array { cursor throws(QueueFileProblem) in
      let position = items.items.count + 1
      let (item, range) = try cursor.line { cursor throws(QueueFileProblem) in
        HashedItem(try cursor.queueItem(position: position))
      }
      let isWhole = lines.pass(range, of: cursor.json.bytes)
      switch item {
      case .success(let item): items.add(item, isWhole: isWhole)
      case .failure(.newerVersion(let found, let known)): throw .newerVersion(found: found, known: known)
      case .failure(let problem): items.problem = items.problem ?? problem
      }
    }
    return items
  }
}
