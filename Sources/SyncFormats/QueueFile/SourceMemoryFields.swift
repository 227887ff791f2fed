// SPDX-License-Identifier: Apache-2.0
import SyncCore

private enum SourceField: String, CaseIterable {
  case etag
  case lastModified = "last_modified"
  case checkedAt = "checked_at"
  case changedAt = "changed_at"
  case itemCount = "item_count"
  case initialBefore = "initial_before"
  case initialSkipped = "initial_skipped"

  static let keys = JSONKeys<Self>()
}

extension JSONWriter {
  /// Writes the state of a source as one object without line breaks.
  mutating func sourceMemory(_ memory: SourceMemory) {
    object { writer in
      writer.field(SourceField.etag.rawValue, memory.etag)
      writer.field(SourceField.lastModified.rawValue, memory.lastModified)
      writer.field(SourceField.checkedAt.rawValue, memory.checkedAt)
      writer.field(SourceField.changedAt.rawValue, memory.changedAt)
      writer.field(SourceField.itemCount.rawValue, memory.itemCount > 0 ? memory.itemCount : nil)
      writer.field(SourceField.initialBefore.rawValue, memory.initialBefore)
      if !memory.initialSkipped.isEmpty {
        writer.array(SourceField.initialSkipped.rawValue) { writer in
          for id in memory.initialSkipped { writer.value(id.text) }
        }
      }
      writer.unknown(memory.unknownFields)
    }
  }
}

extension QueueCursor {
  mutating func sourceMemory(of name: String) throws(QueueFileProblem) -> SourceMemory {
    let outer = owner
    defer { owner = outer }
    owner = .source(name)
    var changedAt: Timestamp?
    var checkedAt: Timestamp?
    let never = Timestamp(secondsSince1970: 0)
    var memory = SourceMemory(changedAt: never, checkedAt: never, itemCount: 0)
    try object(SourceField.keys) { cursor, key throws(QueueFileProblem) in
      if case .known(let field) = key { cursor.field = field.rawValue }
      switch key {
      case .known(.etag): memory.etag = try cursor.string()
      case .known(.lastModified): memory.lastModified = try cursor.string()
      case .known(.checkedAt): checkedAt = try cursor.timestamp()
      case .known(.changedAt): changedAt = try cursor.timestamp()
      case .known(.itemCount): memory.itemCount = try cursor.count()
      case .known(.initialBefore): memory.initialBefore = try cursor.timestamp()
      case .known(.initialSkipped):
        try cursor.array { cursor throws(QueueFileProblem) in
          memory.initialSkipped.append(try cursor.parsed { ItemID($0) })
        }
      case .unknown(let name): memory.unknownFields.append(try cursor.unknown(name))
      }
    }
    guard let checkedAt else { throw missing(SourceField.checkedAt.rawValue) }
    memory.checkedAt = checkedAt
    memory.changedAt = changedAt ?? checkedAt
    return memory
  }
}
