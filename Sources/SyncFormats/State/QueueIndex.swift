// SPDX-License-Identifier: Apache-2.0
package import SyncCore

/// Where the items are in a long queue file that was read whole and found sound
/// (docs/decisions/0074-an-index-of-the-queue-file.md). It is kept outside of the library, with the digest of the file:
/// whoever has both need not read the file again.
package struct QueueIndex: Equatable, Sendable {
  private static let opening = "syncjob-queue-index 2"

  /// The start of each item's line, in their order.
  private let starts: [Int]
  /// The position of the bracket that ends the list.
  let end: Int
  package let latestUpdate: Timestamp?
  /// The numbers of the lines of notable items.
  package let notable: [Int]
  /// Sorted by hash.
  private let hashes: [Entry]

  private struct Entry: Equatable, Sendable {
    let hash: UInt32
    let line: Int
  }

  /// Makes the index of a file. Nil if it is not laid out as the program writes it.
  /// - Parameters:
  ///   - bytes: The file.
  ///   - items: Its items. The caller compares them with the lines.
  package init?(_ bytes: [UInt8], _ items: BoxedArray<QueueItem>) {
    guard let end = WrittenItems.lastBracket(bytes) else { return nil }
    var starts: [Int] = []
    starts.reserveCapacity(items.count)
    let text = bytes.span
    // No other line begins with a brace.
    for position in 1..<end where text[position] == UInt8(ascii: "{") && text[position - 1] == UInt8(ascii: "\n") {
      starts.append(position)
    }
    guard starts.count == items.count, !starts.isEmpty else { return nil }
    (self.starts, self.end) = (starts, end)
    latestUpdate = items.reduce(nil) { max($0 ?? $1.updatedAt, $1.updatedAt) }
    notable = items.indices.filter { items[$0].isNotable }
    hashes = items.indices.map { Entry(hash: Self.hash(items[$0].id), line: $0) }.sorted { $0.hash < $1.hash }
  }

  /// The number of the items.
  package var count: Int { starts.count }

  /// The range of an item's object.
  package func range(ofLine number: Int) -> Range<Int> {
    // Before the next line are a comma and the end of this line, before the bracket only that end.
    starts[number]..<(number + 1 < starts.count ? starts[number + 1] - 2 : end - 1)
  }

  /// The lines of the items whose ids have the same hash.
  package func lines(of id: ItemID) -> [Int] {
    let hash = Self.hash(id)
    var (low, high) = (0, hashes.count)
    while low < high {
      let middle = (low + high) / 2
      if hashes[middle].hash < hash { low = middle + 1 } else { high = middle }
    }
    return hashes[low...].prefix { $0.hash == hash }.map(\.line)
  }

  /// The same in every process, unlike `hashValue`.
  private static func hash(_ id: ItemID) -> UInt32 { CRC32.checksum(Array(id.text.utf8).span) }
}

extension QueueIndex {
  /// - Parameter key: The digest of the file, and of everything else that determines how it is read.
  package func encode(key: SHA256Digest) -> [UInt8] {
    var rows = RowWriter()
    rows.text(Self.opening)
    rows.text(key.hex)
    var last = 0
    rows.list(starts) { rows, start in
      rows.integer(start - last)
      last = start
    }
    rows.integer(end)
    rows.optional(latestUpdate) { $0.time($1) }
    rows.list(notable) { $0.integer($1) }
    for entry in hashes {
      rows.integer(entry.hash)
      rows.integer(entry.line)
    }
    let check = CRC32.checksum(rows.bytes.span)
    rows.integer(check)
    return rows.bytes
  }

  /// - Returns: Nil for damaged bytes, and for those of another key.
  package init?(_ bytes: [UInt8], key: SHA256Digest, fileSize: Int) {
    var rows = RowReader(bytes[...])
    do throws(RowReader.Malformed) {
      guard try rows.text() == Self.opening, try rows.text() == key.hex else { return nil }
      var last = 0
      starts = try rows.list { rows throws(RowReader.Malformed) in
        let length = try rows.integer(Int.self)
        guard length > 2, length <= fileSize else { throw RowReader.Malformed() }
        last += length
        return last
      }
      end = try rows.integer()
      latestUpdate = try rows.optional { rows throws(RowReader.Malformed) in try rows.time() }
      notable = try rows.list { rows throws(RowReader.Malformed) in try rows.integer() }
      var hashes: [Entry] = []
      hashes.reserveCapacity(starts.count)
      for _ in starts { hashes.append(Entry(hash: try rows.integer(), line: try rows.integer())) }
      self.hashes = hashes
      let check = CRC32.checksum(bytes.span.extracting(..<rows.offset))
      let lines = starts.indices
      guard try rows.integer(UInt32.self) == check, rows.isAtEnd, last < end, end < fileSize,
        notable.allSatisfy(lines.contains), hashes.allSatisfy({ lines.contains($0.line) })
      else { return nil }
    } catch { return nil }
  }
}
