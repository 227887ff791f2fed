// SPDX-License-Identifier: Apache-2.0
package import SyncCore

/// The contents of a journal, whatever the damage to its bytes.
package struct JournalReading: Equatable, Sendable {
  /// Nil when the first line was damaged.
  package private(set) var header: JournalHeader?
  /// The changes of all undamaged lines, in their order.
  package private(set) var changes: [QueueChange] = []
  /// Numbers, from 1, of damaged lines before the last undamaged one.
  package private(set) var damagedLines: [Int] = []
  /// The number of records that are missing between others, beyond the damaged lines.
  package private(set) var missingRecords = 0
  /// The bytes after the last undamaged line: a record that was being written when the machine stopped.
  package private(set) var tornTail: [UInt8] = []
  /// The number of changes up to the last record that closed the journal: they are of commands that ended in good order.
  package private(set) var closedChanges = 0
  /// The machine's uptime in which the latest of them began to write; nil or empty where the system has no such id.
  package private(set) var bootID: String?
  /// False when the end of the last line is missing.
  private var endsWithLine = false

  private var lastSequence = 0
  private var lostRecords = 0

  /// The changes of a run or a command that did not end in good order.
  package var openChanges: ArraySlice<QueueChange> { changes[closedChanges...] }

  /// True if every command that wrote here ended in good order, and every line is as it was written.
  package var isClosed: Bool {
    header != nil && !changes.isEmpty && openChanges.isEmpty && damagedLines.isEmpty && missingRecords == 0
      && tornTail.isEmpty && endsWithLine
  }

  /// The number of the next record.
  package var nextSequence: Int { lastSequence + 1 }

  /// - Throws: only `newerVersion`; everything else is part of the result.
  package init(_ bytes: [UInt8]) throws(QueueFileProblem) {
    var lines = JournalLines(bytes)
    var doubtful: [Int] = []
    while let line = lines.next() {
      if try !take(bytes, line.range, isFirst: line.number == 1) {
        doubtful.append(line.number)
        // The damage may be in a line end, so that two lines look like one.
        var hasWhole = false
        for part in lines.recordsInside(line.range) where try take(bytes, part, isFirst: false) { hasWhole = true }
        guard hasWhole else { continue }
      }
      damagedLines += doubtful
      doubtful = []
      lines.keep()
    }
    missingRecords = max(0, lostRecords - damagedLines.count { $0 > 1 })
    tornTail = Array(bytes[lines.kept...])
    endsWithLine = bytes.last == UInt8(ascii: "\n")
  }

  private enum Line {
    case header(JournalHeader)
    case record(JournalRecord)
  }

  /// Returns false when the line is damaged, or a record is out of order.
  private mutating func take(_ bytes: [UInt8], _ range: Range<Int>, isFirst: Bool) throws(QueueFileProblem) -> Bool {
    switch try line(bytes, range, isFirst: isFirst) {
    case nil: return false
    case .header(let header)?:
      self.header = header
      bootID = header.bootID
    case .record(let record)?:
      guard record.sequence > lastSequence else { return false }
      lostRecords += record.sequence - lastSequence - 1
      lastSequence = record.sequence
      bootID = record.bootID ?? bootID
      changes.append(record.change)
      if record.isClosing { closedChanges = changes.count }
    }
    return true
  }

  /// Nil when the line is damaged.
  private func line(_ bytes: [UInt8], _ range: Range<Int>, isFirst: Bool) throws(QueueFileProblem) -> Line? {
    guard LineCheck.isWhole(bytes, range) else { return nil }
    var cursor = QueueCursor(JSONReader(bytes, in: range))
    do throws(QueueFileProblem) {
      return isFirst ? .header(try cursor.journalHeader()) : try cursor.journalRecord().map { .record($0) }
    } catch {
      if case .newerVersion = error { throw error }
      return nil
    }
  }
}

/// One change, and its place among the others.
private struct JournalRecord {
  var sequence: Int
  var change: QueueChange
  /// Present in the first record of a command that continues a journal.
  var bootID: String?
  var isClosing: Bool
}

/// The lines of a journal, and the end of the last good one.
private struct JournalLines {
  private let bytes: [UInt8]
  private var position = 0
  private var number = 0
  /// The position up to which bytes are good, or damage that good lines follow.
  private(set) var kept = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  mutating func next() -> (number: Int, range: Range<Int>)? {
    guard position < bytes.count else { return nil }
    let start = position
    let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
    position = min(end + 1, bytes.count)
    number += 1
    return (number, start..<end)
  }

  /// The ranges inside a damaged line that may be records: from each beginning of a record to the byte before the next.
  func recordsInside(_ line: Range<Int>) -> [Range<Int>] {
    let beginning = Array("{\"seq\":".utf8)
    // These bytes can otherwise occur only in a field that a later version wrote: quotes inside strings are escaped.
    let starts = line.filter { bytes[$0] == beginning[0] && bytes[$0..<line.upperBound].starts(with: beginning) }
    return starts.indices.map { index in
      starts[index]..<(index + 1 < starts.count ? starts[index + 1] - 1 : line.upperBound)
    }
  }

  /// Notes that the last line read is good.
  mutating func keep() { kept = position }
}

private enum HeaderField: String, CaseIterable {
  case format, version, generation
  case libraryID = "library_id"
  case bootID = "boot_id"
  static let keys = JSONKeys<Self>()
}

private enum RecordField: String, CaseIterable {
  case sequence = "seq"
  case bootID = "boot_id"
  case item, dropped, source, memory
  case sourceDropped = "source_dropped"
  case closed
  static let keys = JSONKeys<Self>()
}

extension QueueCursor {
  fileprivate mutating func journalHeader() throws(QueueFileProblem) -> JournalHeader {
    var format: String?
    var generation: Int?
    var libraryID: String?
    var bootID: String?
    try object(HeaderField.keys) { cursor, key throws(QueueFileProblem) in
      switch key {
      case .known(.format): format = try cursor.string()
      case .known(.version):
        let version = try cursor.count()
        if version > Journal.version { throw .newerVersion(found: version, known: Journal.version) }
      case .known(.generation): generation = try cursor.generation()
      case .known(.libraryID): libraryID = try cursor.string()
      case .known(.bootID): bootID = try cursor.string()
      case .unknown: try cursor.skip()
      }
    }
    guard format == Journal.format else { throw .wrongFormat(found: format) }
    guard let generation else { throw missing("generation") }
    guard let libraryID else { throw missing("library_id") }
    return JournalHeader(generation: generation, libraryID: libraryID, bootID: bootID)
  }

  /// Nil for a kind of record that this version does not know.
  fileprivate mutating func journalRecord() throws(QueueFileProblem) -> JournalRecord? {
    var sequence: Int?
    var bootID: String?
    var change: QueueChange?
    var isClosing = false
    var source: PlaylistName?
    try object(RecordField.keys) { cursor, key throws(QueueFileProblem) in
      switch key {
      case .known(.sequence): sequence = try cursor.count()
      case .known(.bootID): bootID = try cursor.string()
      case .known(.closed): isClosing = try cursor.bool()
      case .known(.item): change = .item(try cursor.queueItem(position: 1))
      case .known(.dropped): change = .itemDropped(try cursor.parsed { ItemID($0) })
      case .known(.source): source = try cursor.parsed { PlaylistName($0) }
      case .known(.memory):
        guard let name = source else { throw cursor.bad }
        change = .source(name, try cursor.sourceState(of: name.text))
      case .known(.sourceDropped): change = .sourceDropped(try cursor.parsed { PlaylistName($0) })
      case .unknown: try cursor.skip()
      }
    }
    guard let sequence, let change else { return nil }
    return JournalRecord(sequence: sequence, change: change, bootID: bootID, isClosing: isClosing)
  }
}
