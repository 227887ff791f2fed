// SPDX-License-Identifier: Apache-2.0
package import SyncCore

/// What a journal's bytes tell, whatever happened to them.
package struct JournalReading: Equatable, Sendable {
  /// Nil when the first line was damaged.
  package private(set) var header: JournalHeader?
  /// Of all lines that are whole, in their order.
  package private(set) var changes: [QueueChange] = []
  /// Numbers, from 1, of lines that are not whole although whole ones follow.
  package private(set) var damagedLines: [Int] = []
  /// Records that are missing between others, beyond the damaged lines.
  package private(set) var missingRecords = 0
  /// What follows the last whole line: a record that was being written when the machine stopped.
  package private(set) var tornTail: [UInt8] = []

  private var lastSequence = 0
  private var lostRecords = 0

  /// - Throws: `newerVersion` alone; everything else is reported in the result.
  package init(_ bytes: [UInt8]) throws(QueueFileProblem) {
    var lines = JournalLines(bytes)
    var doubtful: [Int] = []
    while let line = lines.next() {
      if try !take(bytes, line.range, isFirst: line.number == 1) {
        doubtful.append(line.number)
        // The damage may be the end of a line, so that two look like one.
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
  }

  private enum Record {
    case header(JournalHeader)
    case change(sequence: Int, QueueChange)
  }

  /// False when the line is damaged, or a record comes out of its order.
  private mutating func take(_ bytes: [UInt8], _ range: Range<Int>, isFirst: Bool) throws(QueueFileProblem) -> Bool {
    switch try record(bytes, range, isFirst: isFirst) {
    case nil: return false
    case .header(let header)?: self.header = header
    case .change(let sequence, let change)?:
      guard sequence > lastSequence else { return false }
      lostRecords += sequence - lastSequence - 1
      lastSequence = sequence
      changes.append(change)
    }
    return true
  }

  /// Nil when the line is damaged.
  private func record(
    _ bytes: [UInt8], _ range: Range<Int>, isFirst: Bool
  ) throws(QueueFileProblem) -> Record? {
    guard LineCheck.isWhole(bytes, range) else { return nil }
    var cursor = QueueCursor(JSONReader(bytes, in: range))
    do throws(QueueFileProblem) {
      return isFirst
        ? .header(try cursor.journalHeader()) : try cursor.journalRecord().map { .change(sequence: $0, $1) }
    } catch {
      if case .newerVersion = error { throw error }
      return nil
    }
  }
}

/// The lines of a journal, and where the last good one ends.
private struct JournalLines {
  private let bytes: [UInt8]
  private var position = 0
  private var number = 0
  /// Bytes up to here are good, or damage that good lines follow.
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

  /// What may be records inside a damaged line: from each place where one begins to the byte before the next.
  func recordsInside(_ line: Range<Int>) -> [Range<Int>] {
    let beginning = Array("{\"seq\":".utf8)
    // Nowhere else in a line can these bytes stand but in a field that a later version wrote: quotes inside strings
    // are escaped.
    let starts = line.filter { bytes[$0] == beginning[0] && bytes[$0..<line.upperBound].starts(with: beginning) }
    return starts.indices.map { index in
      starts[index]..<(index + 1 < starts.count ? starts[index + 1] - 1 : line.upperBound)
    }
  }

  /// The line that was read last is good.
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
  case item, dropped, source, memory
  case sourceDropped = "source_dropped"
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
  fileprivate mutating func journalRecord() throws(QueueFileProblem) -> (Int, QueueChange)? {
    var sequence: Int?
    var change: QueueChange?
    var source: PlaylistName?
    try object(RecordField.keys) { cursor, key throws(QueueFileProblem) in
      switch key {
      case .known(.sequence): sequence = try cursor.count()
      case .known(.item): change = .item(try cursor.queueItem(position: 1))
      case .known(.dropped): change = .itemDropped(try cursor.parsed { ItemID($0) })
      case .known(.source): source = try cursor.parsed { PlaylistName($0) }
      case .known(.memory):
        guard let name = source else { throw cursor.bad }
        change = .source(name, try cursor.sourceMemory(of: name.text))
      case .known(.sourceDropped): change = .sourceDropped(try cursor.parsed { PlaylistName($0) })
      case .unknown: try cursor.skip()
      }
    }
    guard let sequence, let change else { return nil }
    return (sequence, change)
  }
}
