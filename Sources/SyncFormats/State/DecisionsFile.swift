// SPDX-License-Identifier: Apache-2.0
package import SyncCore

/// The file `decisions.json`: a person's decisions about items, one item on each line, with the same checks as the
/// queue file.
///
///     {"format":"syncjob-decisions","version":1,
///     "decisions":[
///     {"id":"night-drive","pinned":true,"crc":"4f1c09aa"}
///     ],
///     "count":1,"crc":"93a5f20c"}
package enum DecisionsFile {
  package static let format = "syncjob-decisions"
  package static let version = 1

  package static func encode(_ decisions: Decisions) -> [UInt8] {
    var writer = JSONWriter()
    var check = FileCheck()
    writer.object { writer in
      writer.field("format", format)
      writer.field("version", version)
      writer.unknown(decisions.unknownFields)
      writer.startLine()
      let entries = decisions.entries.values.sorted { $0.id < $1.id }
      writer.checkedLines("decisions", entries, &check) { writer, entry in writer.decision(entry) }
    }
    writer.endLine()
    return writer.bytes
  }

  /// The contents of the file.
  package struct Reading: Equatable, Sendable {
    /// The decisions. Those of a damaged file come from its intact lines only.
    package var decisions: Decisions
    /// The reason why the file cannot be trusted as it is. Nil if it can.
    package var problem: QueueFileProblem?

    package init(decisions: Decisions, problem: QueueFileProblem?) {
      self.decisions = decisions
      self.problem = problem
    }
  }

  /// - Throws: `newerVersion` only, for a file whose version is undamaged. Everything else is in the result.
  package static func read(_ bytes: [UInt8]) throws(QueueFileProblem) -> Reading {
    do throws(QueueFileProblem) {
      guard bytes.contains(where: { ![0x00, 0x20, 0x09, 0x0A, 0x0D].contains($0) }) else { throw .blank }
      var cursor = QueueCursor(JSONReader(bytes))
      return Reading(decisions: try cursor.decisions(), problem: nil)
    } catch {
      if case .newerVersion = error {
        guard let decisions = decisionsOfDamagedVersion(bytes) else { throw error }
        return Reading(decisions: decisions, problem: .wrongCheck(.file))
      }
      return Reading(decisions: Decisions(wholeEntries(bytes)), problem: error)
    }
  }

  /// Nil unless the file is of this version and only its version is damaged.
  private static func decisionsOfDamagedVersion(_ bytes: [UInt8]) -> Decisions? {
    guard let mended = VersionField.saying(version, in: bytes) else { return nil }
    var cursor = QueueCursor(JSONReader(mended))
    do throws(QueueFileProblem) { return try cursor.decisions() } catch { return nil }
  }

  /// The entries that are intact, whatever is around them.
  private static func wholeEntries(_ bytes: [UInt8]) -> [Decisions.Entry] {
    WholeEntries.ranges(of: bytes).compactMap { range in
      var cursor = QueueCursor(JSONReader(bytes, in: range))
      do throws(QueueFileProblem) { return try cursor.decision() } catch { return nil }
    }
  }
}

private enum DecisionsField: String, CaseIterable {
  case format, version, decisions, count, crc
  static let keys = JSONKeys<Self>()
}

private enum DecisionField: String, CaseIterable {
  case id, pinned, paused, cancelled, choice, removed, crc
  static let keys = JSONKeys<Self>()
}

extension JSONWriter {
  fileprivate mutating func decision(_ entry: Decisions.Entry) {
    object { writer in
      writer.field(DecisionField.id.rawValue, entry.id.text)
      writer.flag(DecisionField.pinned.rawValue, entry.isPinned)
      writer.flag(DecisionField.paused.rawValue, entry.isPaused)
      writer.field(DecisionField.cancelled.rawValue, entry.cancelledAt)
      writer.choice(DecisionField.choice.rawValue, entry.choice)
      if let removal = entry.removal {
        writer.object(DecisionField.removed.rawValue) { writer in
          writer.field("at", removal.at)
          writer.field("turn", removal.turn == 1 ? nil : removal.turn)
          writer.file("file", removal.file)
        }
      }
      writer.unknown(entry.unknownFields)
    }
  }
}

extension QueueCursor {
  fileprivate mutating func decisions() throws(QueueFileProblem) -> Decisions {
    var (format, version, entries): (String?, Int?, [Decisions.Entry]?) = (nil, nil, nil)
    var unknownFields: [UnknownField] = []
    var lines = CheckedLines()
    guard try read({ json throws(JSONError) in try json.peekKind() }) == .object else { throw .wrongFormat(found: nil) }
    try object(DecisionsField.keys) { cursor, key throws(QueueFileProblem) in
      if case .known(let field) = key { cursor.field = field.rawValue }
      switch key {
      case .known(.format):
        format = try cursor.string()
        if format != DecisionsFile.format { throw .wrongFormat(found: format) }
      case .known(.version):
        let found = try cursor.count()
        if found > DecisionsFile.version { throw .newerVersion(found: found, known: DecisionsFile.version) }
        version = found
      case .known(.decisions): entries = try cursor.decisionLines(&lines)
      case .known(.count): lines.count = try cursor.count()
      case .known(.crc): lines.crc = try cursor.string()
      case .unknown(let name): unknownFields.append(try cursor.unknown(name))
      }
    }
    let end = json.offset
    try finish()
    guard format != nil else { throw .wrongFormat(found: nil) }
    guard version != nil else { throw missing("version") }
    guard let entries else { throw missing("decisions") }
    guard lines.isWhole(json.bytes, endingAt: end) else { throw .wrongCheck(.file) }
    return Decisions(entries, unknownFields: unknownFields)
  }

  private mutating func decisionLines(_ lines: inout CheckedLines) throws(QueueFileProblem) -> [Decisions.Entry] {
    var entries: [Decisions.Entry] = []
    try array { cursor throws(QueueFileProblem) in
      let (entry, range) = try cursor.line { cursor throws(QueueFileProblem) in try cursor.decision() }
      let found = try entry.get()
      let owner = QueueFileOwner.item(id: found.id.text, position: entries.count + 1)
      guard lines.pass(range, of: cursor.json.bytes) else { throw .wrongCheck(owner) }
      entries.append(found)
    }
    return entries
  }

  fileprivate mutating func decision() throws(QueueFileProblem) -> Decisions.Entry {
    let outer = owner
    defer { owner = outer }
    owner = .item(id: nil, position: 1)
    var id: ItemID?
    var (isPinned, isPaused, unknownFields): (Bool, Bool, [UnknownField]) = (false, false, [])
    var (choice, removal, cancelledAt): (ItemChoice?, Removal?, Timestamp?) = (nil, nil, nil)
    try object(DecisionField.keys) { cursor, key throws(QueueFileProblem) in
      if case .known(let field) = key { cursor.field = field.rawValue }
      switch key {
      case .known(.id): id = try cursor.parsed { ItemID($0) }
      case .known(.pinned): isPinned = try cursor.bool()
      case .known(.paused): isPaused = try cursor.bool()
      case .known(.cancelled): cancelledAt = try cursor.timestamp()
      case .known(.choice): choice = try cursor.choice()
      case .known(.removed): removal = try cursor.removalByHand()
      case .known(.crc): _ = try cursor.string()
      case .unknown(let name): unknownFields.append(try cursor.unknown(name))
      }
    }
    guard let id else { throw missing("id") }
    var entry = Decisions.Entry(id: id)
    (entry.isPinned, entry.isPaused, entry.choice) = (isPinned, isPaused, choice)
    (entry.removal, entry.cancelledAt, entry.unknownFields) = (removal, cancelledAt, unknownFields)
    return entry
  }

  private mutating func removalByHand() throws(QueueFileProblem) -> Removal {
    var (at, turn, file): (Timestamp?, Int, StoredFile?) = (nil, 1, nil)
    try object(RemovalByHandField.keys) { cursor, key throws(QueueFileProblem) in
      switch key {
      case .known(.at): at = try cursor.timestamp()
      case .known(.turn): turn = max(1, try cursor.count())
      case .known(.file): file = try cursor.storedFile()
      case .unknown: try cursor.skip()
      }
    }
    guard let at else { throw bad }
    return Removal(cause: .user, at: at, turn: turn, file: file)
  }
}

private enum RemovalByHandField: String, CaseIterable {
  case at, turn, file
  static let keys = JSONKeys<Self>()
}
