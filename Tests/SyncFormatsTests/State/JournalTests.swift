// SPDX-License-Identifier: Apache-2.0
import SyncCore
import SyncFormats
import Testing

@Suite("the journal")
struct JournalTests {
  private let header = JournalHeader(generation: 12, libraryID: "lib", bootID: "boot")

  private func changes(_ count: Int) throws -> [QueueChange] {
    var generator = QueueGenerator(seed: 5)
    return try (0..<count).compactMap { index in
      let id = try #require(ItemID("item-\(index)"))
      let name = try #require(PlaylistName("list"))
      switch index % 5 {
      case 3: return .source(name, generator.sourceState())
      case 4: return index % 2 == 0 ? .itemDropped(id) : .sourceDropped(name)
      default: return generator.queueItem(id).map { .item($0) }
      }
    }
  }

  private func journal(_ changes: [QueueChange]) -> [UInt8] {
    var writer = JournalWriter()
    writer.append(header)
    for change in changes { writer.append(change) }
    return writer.bytes
  }

  /// Where each line ends.
  private func ends(_ bytes: [UInt8]) -> [Int] {
    bytes.indices.filter { bytes[$0] == UInt8(ascii: "\n") }.map { $0 + 1 }
  }

  @Test("what is written is read back in order")
  func roundTrip() throws {
    let changes = try changes(20)
    let reading = try JournalReading(journal(changes))
    #expect(reading.header == header)
    #expect(reading.changes == changes)
    #expect(reading.tornTail.isEmpty && reading.damagedLines.isEmpty && reading.missingRecords == 0)
  }

  @Test("each line is JSON and ends with the checksum of what is before it")
  func form() throws {
    let text = String(decoding: journal([.itemDropped(try #require(ItemID("a")))]), as: UTF8.self)
    let lines = text.split(separator: "\n")
    #expect(lines.map { $0.hasPrefix("{") && $0.hasSuffix("\"}") } == [true, true])
    #expect(lines[1].hasPrefix(#"{"seq":1,"dropped":"a","crc":""#))
    for line in lines { #expect(throws: Never.self) { try JSONValue(parsing: Array(line.utf8)) } }
  }

  @Test("the checksum is that of gzip and PNG")
  func checksum() {
    #expect(CRC32.checksum(Array("123456789".utf8).span) == 0xCBF4_3926)
    #expect(CRC32.checksum([UInt8]().span) == 0)
  }

  @Test("cut at every byte, all earlier records are there and the rest is handed out")
  func torn() throws {
    let changes = try changes(6)
    let bytes = journal(changes)
    let ends = ends(bytes)
    for length in 0...bytes.count {
      let reading = try JournalReading(Array(bytes[..<length]))
      // A line that lacks nothing but its end is whole.
      let whole = ends.count { $0 - 1 <= length }
      #expect(reading.changes == Array(changes.prefix(max(0, whole - 1))), "cut at \(length)")
      #expect(reading.tornTail.count == length - (whole == 0 ? 0 : min(length, ends[whole - 1])), "cut at \(length)")
      #expect(reading.damagedLines.isEmpty)
    }
  }

  @Test("one flipped byte anywhere costs one record, and later ones are applied")
  func flipped() throws {
    let changes = try changes(5)
    let bytes = journal(changes)
    let ends = ends(bytes)
    for position in 0..<ends[ends.count - 2] {
      var damaged = bytes
      damaged[position] ^= 0x04
      let reading = try JournalReading(damaged)
      #expect(reading.changes.last == changes.last, "byte \(position)")
      #expect(reading.damagedLines.count >= 1, "byte \(position)")
      #expect(reading.changes.count >= changes.count - 2, "byte \(position)")
      #expect(reading.tornTail.isEmpty)
    }
  }

  @Test("records that are missing between others are noticed")
  func gap() throws {
    let bytes = journal(try changes(5))
    let ends = ends(bytes)
    let reading = try JournalReading(Array(bytes[..<ends[1]] + bytes[ends[3]...]))
    #expect(reading.missingRecords == 2)
    #expect(reading.changes.count == 3)
  }

  @Test("a tail of NUL, as a power cut leaves it, is a torn tail")
  func zeros() throws {
    let changes = try changes(3)
    let reading = try JournalReading(journal(changes) + [UInt8](repeating: 0, count: 500))
    #expect(reading.changes == changes)
    #expect(reading.tornTail.count == 500)
  }

  @Test("a closed journal can be continued, and its records are those of commands that ended in good order")
  func closed() throws {
    let changes = try changes(6)
    var writer = JournalWriter()
    writer.append(header)
    for change in changes[..<4] { writer.append(change) }
    #expect(try !JournalReading(writer.bytes).isClosed)
    writer.append(changes[3], isClosing: true)
    let closed = try JournalReading(writer.bytes)
    #expect(closed.isClosed && closed.openChanges.isEmpty)
    #expect(closed.changes == changes[..<4] + [changes[3]])
    #expect(closed.bootID == "boot" && closed.nextSequence == 6)

    var next = JournalWriter(nextSequence: closed.nextSequence)
    next.append(changes[4], bootID: "later")
    next.append(changes[5])
    let open = try JournalReading(writer.bytes + next.bytes)
    #expect(!open.isClosed && Array(open.openChanges) == Array(changes[4...]))
    #expect(open.bootID == "later" && open.header == header && open.missingRecords == 0)
    next.append(changes[5], isClosing: true)
    #expect(try JournalReading(writer.bytes + next.bytes).isClosed)
  }

  @Test("a journal that is damaged, torn or without its last line end does not count as closed")
  func notClosed() throws {
    let changes = try changes(3)
    var writer = JournalWriter()
    writer.append(header)
    for change in changes { writer.append(change) }
    writer.append(changes[2], isClosing: true)
    for length in 0..<writer.bytes.count {
      #expect(try !JournalReading(Array(writer.bytes[..<length])).isClosed, "cut at \(length)")
    }
    for position in writer.bytes.indices {
      var damaged = writer.bytes
      damaged[position] ^= 0x04
      #expect(try !JournalReading(damaged).isClosed, "byte \(position)")
    }
    #expect(try !JournalReading(writer.bytes + [0]).isClosed)
  }

  @Test("a newer version is refused whole")
  func newer() throws {
    var line = Array(#"{"format":"syncjob-journal","version":2,"generation":1,"library_id":"l""#.utf8)
    let digits = String(CRC32.checksum(line.span), radix: 16)
    line += Array(",\"crc\":\"\(String(repeating: "0", count: 8 - digits.count))\(digits)\"}\n".utf8)
    #expect(throws: QueueFileProblem.newerVersion(found: 2, known: 1)) { try JournalReading(line) }
  }

  @Test("an empty journal says nothing")
  func empty() throws {
    let reading = try JournalReading([])
    #expect(reading.header == nil && reading.changes.isEmpty && reading.tornTail.isEmpty)
  }
}
