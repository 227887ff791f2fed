// SPDX-License-Identifier: Apache-2.0
import SyncCore

// An item as one object, and the objects in it that have fields of an item. Each reader is beside its writer.

extension QueueCursor {
  /// Reads the next value as an item.
  /// - Parameter position: The position counted from 1, for the error about an item without an id.
  mutating func queueItem(position: Int) throws(QueueFileProblem) -> QueueItem {
    let outer = owner
    defer { owner = outer }
    owner = .item(id: nil, position: position)
    field = "items"
    var draft = QueueItemDraft()
    try object(QueueItemField.keys) { cursor, key throws(QueueFileProblem) in
      switch key {
      case .known(let field):
        cursor.field = field.name
        draft.present.insert(field)
        try cursor.read(field, into: &draft)
        if field == .id { cursor.owner = .item(id: draft.item.id.text, position: position) }
      case .unknown(let name): draft.unknownFields.append(try cursor.unknown(name))
      }
    }
    return try item(&draft)
  }
}

extension JSONWriter {
  /// Writes one item as one object without line breaks.
  mutating func queueItem(_ queued: QueueItem) {
    let draft = QueueItemDraft(queued)
    object { writer in
      writer.write(.allowed(in: queued.state.name), of: draft)
      writer.unknown(queued.unknownFields)
    }
  }

  fileprivate mutating func write(_ fields: QueueItemFields, of draft: QueueItemDraft) {
    fields.forEach { field in write(field, of: draft) }
  }
}

// MARK: - The objects inside

extension QueueCursor {
  mutating func upgrade() throws(QueueFileProblem) -> Upgrade {
    var draft = QueueItemDraft()
    try object(QueueItemField.keys) { cursor, key throws(QueueFileProblem) in
      switch key {
      // An upgrade inside an upgrade would make the nesting unlimited. Only the item itself has a lost file.
      case .known(.upgrade), .known(.lost), .unknown: try cursor.skip()
      case .known(let field):
        draft.present.insert(field)
        try cursor.read(field, into: &draft)
      }
    }
    return try upgrade(draft)
  }

  mutating func storedFile() throws(QueueFileProblem) -> StoredFile {
    var draft = QueueItemDraft()
    try object(QueueItemField.keys) { cursor, key throws(QueueFileProblem) in
      guard case .known(let field) = key, QueueItemFields.file.contains(field) else { return try cursor.skip() }
      try cursor.read(field, into: &draft)
    }
    do throws(QueueFileProblem) { return try file(draft) } catch { throw bad }
  }

  /// Reads a path. Only media is moved, replaced and removed, never syncjob's own files, however a file system spells
  /// their folder. Media whose licence is over are in a folder of their own there.
  mutating func mediaPath() throws(QueueFileProblem) -> LibraryPath {
    let path = try libraryPath()
    guard path.text.utf8.first != UInt8(ascii: ".") || path.components.first?.lowercased() != ".syncjob" else {
      guard path.isLocked else { throw bad }
      return path
    }
    return path
  }
}

extension JSONWriter {
  mutating func upgrade(_ name: String, _ upgrade: Upgrade?) {
    guard let upgrade else { return }
    let draft = QueueItemDraft(upgrade)
    object(name) { writer in
      for field in [QueueItemField.state, .quality, .choice, .size] { writer.write(field, of: draft) }
      writer.write(.transfer, of: draft)
    }
  }

  mutating func file(_ name: String, _ file: StoredFile?) {
    guard let file else { return }
    let draft = QueueItemDraft(file)
    object(name) { writer in writer.write(.file, of: draft) }
  }
}
