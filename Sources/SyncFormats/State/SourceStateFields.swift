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
  mutating func sourceState(_ state: SourceState) {
    object { writer in
      writer.field(SourceField.etag.rawValue, state.etag)
      writer.field(SourceField.lastModified.rawValue, state.lastModified)
      writer.field(SourceField.checkedAt.rawValue, state.checkedAt)
      writer.field(SourceField.changedAt.rawValue, state.changedAt)
      writer.field(SourceField.itemCount.rawValue, state.itemCount > 0 ? state.itemCount : nil)
      writer.field(SourceField.initialBefore.rawValue, state.initialBefore)
      if !state.initialSkipped.isEmpty {
        writer.array(SourceField.initialSkipped.rawValue) { writer in
          for id in state.initialSkipped { writer.value(id.text) }
        }
      }
      writer.unknown(state.unknownFields)
    }
  }
}

extension QueueCursor {
  mutating func sourceState(of name: String) throws(QueueFileProblem) -> SourceState {
    let outer = owner
    defer { owner = outer }
    owner = .source(name)
    var changedAt: Timestamp?
    var checkedAt: Timestamp?
    let never = Timestamp(secondsSince1970: 0)
    var state = SourceState(changedAt: never, checkedAt: never, itemCount: 0)
    try object(SourceField.keys) { cursor, key throws(QueueFileProblem) in
      if case .known(let field) = key { cursor.field = field.rawValue }
      switch key {
      case .known(.etag): state.etag = try cursor.string()
      case .known(.lastModified): state.lastModified = try cursor.string()
      case .known(.checkedAt): checkedAt = try cursor.timestamp()
      case .known(.changedAt): changedAt = try cursor.timestamp()
      case .known(.itemCount): state.itemCount = try cursor.count()
      case .known(.initialBefore): state.initialBefore = try cursor.timestamp()
      case .known(.initialSkipped):
        try cursor.array { cursor throws(QueueFileProblem) in
          state.initialSkipped.append(try cursor.parsed { ItemID($0) })
        }
      case .unknown(let name): state.unknownFields.append(try cursor.unknown(name))
      }
    }
    guard let checkedAt else { throw missing(SourceField.checkedAt.rawValue) }
    state.checkedAt = checkedAt
    state.changedAt = changedAt ?? checkedAt
    return state
  }
}
