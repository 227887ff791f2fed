// SPDX-License-Identifier: Apache-2.0
package import SyncCore

/// The queue file, `download_queue.json` (docs/manual/queue-file.md), with one item per line for the use of diff, grep and jq. Each of
/// these lines ends with its check, and the file ends with their number and a check of the whole. The same queue always
/// gives the same bytes.
package enum QueueFile {
  package static let format = "syncjob-queue"
  package static let version = 1

  package static func encode(_ queue: Queue) -> [UInt8] { encode(queue, copying: nil).bytes }

  /// The same bytes, made faster.
  /// - Parameter earlier: The lines to copy instead of writing them anew.
  package static func encode(_ queue: Queue, copying earlier: consuming EarlierLines?) -> EncodedQueue {
    var rewritten: [Int] = []
    var writer = JSONWriter(capacity: 1024 + queue.items.count * 512)
    var check = FileCheck()
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
          writer.sourceState(memory)
        }
      }
      writer.startLine()
      let items = queue.items
      let copy = { (position: Int) in earlier?.line(of: items[position].id) }
      writer.checkedLines("items", items.indices, &check, copy: copy) { writer, position in
        writer.queueItem(items[position])
        rewritten.append(position)
      }
    }
    writer.endLine()
    return EncodedQueue(bytes: writer.bytes, rewritten: rewritten)
  }

  /// Reads a file whose lines are all intact, or a file of an earlier version of the program, which had no checks.
  package static func decode(_ bytes: [UInt8]) throws(QueueFileProblem) -> Queue {
    let reading = try read(bytes)
    if let problem = reading.firstProblem { throw problem }
    return reading.queue
  }

  /// Reads the intact part of a file.
  /// - Parameter parts: reads the lines of a long file at once; nil if they are read one after another.
  /// - Throws: Problems that concern more than single items.
  package static func read(
    _ bytes: [UInt8], in parts: (any PartRunner)? = nil
  ) throws(QueueFileProblem) -> QueueFileReading {
    guard bytes.contains(where: { !isBlank($0) }) else { throw .blank }
    do throws(QueueFileProblem) {
      var cursor = QueueCursor(JSONReader(bytes))
      cursor.parts = parts
      return try cursor.queueFile()
    } catch {
      // The meaning of fields in a later version is unknown here.
      guard let found = versionAlone(bytes), found > version else { throw error }
      if let reading = readingOfDamagedVersion(bytes) { return reading }
      throw .newerVersion(found: found, known: version)
    }
  }

  /// Reads a file that is known to be sound, without its items.
  /// - Parameters:
  ///   - index: the index of these bytes.
  ///   - items: the items of the file.
  package static func read(
    _ bytes: [UInt8], by index: QueueIndex, items: any StoredItems
  ) throws(QueueFileProblem) -> QueueFileReading {
    var cursor = QueueCursor(JSONReader(bytes))
    cursor.stored = (index, items)
    return try cursor.queueFile()
  }

  /// Reads the item in a line. Nil if the line is not an item and nothing else.
  package static func item(_ bytes: [UInt8], in line: Range<Int>) -> QueueItem? {
    var reader = QueueLineReader(bytes)
    return reader.item(in: line)
  }

  /// Nil unless the file is of this version and only its version is damaged.
  private static func readingOfDamagedVersion(_ bytes: [UInt8]) -> QueueFileReading? {
    guard let mended = VersionField.saying(version, in: bytes) else { return nil }
    do throws(QueueFileProblem) {
      var cursor = QueueCursor(JSONReader(mended))
      var reading = try cursor.queueFile()
      guard reading.isSound, !reading.isUnchecked else { return nil }
      reading.isWhole = false
      return reading
    } catch { return nil }
  }

  /// The version of a JSON document. Nil if there is none.
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

/// A damaged digit in the field `version` looks like a file of a later version, which would stop every run. The check of
/// the whole file tells the two apart: with the known version in its place, the check of a damaged file is right.
enum VersionField {
  private static let name = Array("\"version\":".utf8)
  /// The field is the second of a file.
  private static let reach = 64

  /// The same bytes with that version; nil without a version among the first bytes.
  static func saying(_ version: Int, in bytes: [UInt8]) -> [UInt8]? {
    let head = bytes.prefix(reach)
    guard let start = head.indices.first(where: { head[$0...].starts(with: name) }).map({ $0 + name.count }) else {
      return nil
    }
    let digits = head[start...].prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    var mended = bytes
    mended.replaceSubrange(digits.startIndex..<digits.endIndex, with: String(version).utf8)
    return mended
  }
}

/// Reads the items in the lines of a queue file, whichever are asked for.
package struct QueueLineReader {
  private var cursor: QueueCursor

  /// - Parameter finder: Finds known items; an item shares what is declared with the known one, if that is the same.
  package init(_ bytes: [UInt8], sharing finder: KnownItemFinder? = nil) {
    cursor = QueueCursor(JSONReader(bytes))
    cursor.finder = finder
  }

  /// Nil if the line is not an item and nothing else.
  package mutating func item(in line: Range<Int>) -> QueueItem? {
    cursor.begin(line)
    do throws(QueueFileProblem) {
      let item = try cursor.queueItem(position: 1)
      return cursor.json.offset == line.upperBound ? item : nil
    } catch {
      return nil
    }
  }
}
