// SPDX-License-Identifier: Apache-2.0
import SyncCore

/// The items of a queue file that is laid out as the program writes it: one object a line, with a comma between. Such
/// lines are read independently of each other. A file of another layout, or with a line that is not an item, is read as
/// one document, which finds the place of the problem.
struct WrittenItems {
  struct Line: Sendable {
    let item: HashedItem
    let range: Range<Int>
    let verdict: LineVerdict
  }

  let parts: [[Line]]
  /// The position after the closing bracket.
  let end: Int

  /// The bytes of a part. Less is read faster than it is handed over.
  private static let leastPart = 128 << 10

  /// Returns nil if there is no runner, if the list is short, or if the file is not laid out as the program writes it.
  /// - Parameter start: the position of the opening bracket.
  init?(_ bytes: [UInt8], at start: Int, in runner: (any PartRunner)?) {
    guard let runner, bytes.count - start > 2 * Self.leastPart, bytes[start] == UInt8(ascii: "["),
      bytes[start + 1] == UInt8(ascii: "\n"), let end = Self.lastBracket(bytes), end > start + 2
    else { return nil }
    let text = start + 2..<end - 1
    let count = min(runner.width, text.count / Self.leastPart)
    guard count > 1 else { return nil }
    let read = runner.run(Self.parts(text, count, of: bytes)) { part in Self.lines(of: bytes, in: part, upTo: text) }
    var parts: [[Line]] = []
    for part in read {
      guard let part else { return nil }
      parts.append(part)
    }
    (self.parts, self.end) = (parts, end + 1)
  }

  /// The position of the bracket on a line of its own that ends the list. Only the number of lines and their check
  /// follow.
  static func lastBracket(_ bytes: [UInt8]) -> Int? {
    let tail = bytes.indices.suffix(256)
    return tail.dropFirst().last { bytes[$0] == UInt8(ascii: "]") && bytes[$0 - 1] == UInt8(ascii: "\n") }
  }

  /// Divides a text at the ends of lines into parts of about the same size.
  private static func parts(_ text: Range<Int>, _ count: Int, of bytes: [UInt8]) -> [Range<Int>] {
    var parts: [Range<Int>] = []
    var start = text.lowerBound
    for number in 1...count where start < text.upperBound {
      let middle = max(start, text.lowerBound + text.count / count * number)
      let end = number == count ? text.upperBound : endOfLine(bytes, from: middle, upTo: text.upperBound)
      parts.append(start..<end)
      start = end + 1
    }
    return parts
  }

  private static func endOfLine(_ bytes: [UInt8], from start: Int, upTo end: Int) -> Int {
    let span = bytes.span
    var position = start
    while position < end, span[position] != UInt8(ascii: "\n") { position += 1 }
    return position
  }

  /// Reads the lines of a part; nil if one of them is not an item and nothing else.
  private static func lines(of bytes: [UInt8], in part: Range<Int>, upTo text: Range<Int>) -> [Line]? {
    var lines: [Line] = []
    lines.reserveCapacity(part.count / 384)
    var start = part.lowerBound
    while start < part.upperBound {
      guard let line = line(of: bytes, in: start..<part.upperBound) else { return nil }
      lines.append(line)
      let end = line.range.upperBound
      if end == text.upperBound { break }
      guard bytes[end] == UInt8(ascii: ","), bytes[end + 1] == UInt8(ascii: "\n") else { return nil }
      start = end + 2
    }
    return lines
  }

  /// Reads the item at the start of a part of the text; nil if there is none.
  private static func line(of bytes: [UInt8], in part: Range<Int>) -> Line? {
    guard bytes[part.lowerBound] == UInt8(ascii: "{") else { return nil }
    // The document and its list are around each line.
    var cursor = QueueCursor(JSONReader(bytes, in: part, depth: 2))
    do throws(QueueFileProblem) {
      let item = HashedItem(try cursor.queueItem(position: 1))
      let range = part.lowerBound..<cursor.json.offset
      return Line(item: item, range: range, verdict: LineVerdict(bytes, range))
    } catch {
      // The file is read again as one document, which reports the problem with its place.
      return nil
    }
  }
}
