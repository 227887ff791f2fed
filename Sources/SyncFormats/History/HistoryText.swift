// SPDX-License-Identifier: Apache-2.0
import SyncCore

/// The lines of a history that is a text. Even of a log with a million lines, only one piece and one line are in
/// memory.
struct HistoryText {
  /// No program writes longer lines: such a line loses its middle, and is not a record.
  private static let longestLine = 1 << 20

  /// The bytes that the ranges of lines refer to.
  private(set) var bytes: [UInt8] = []
  private var position = 0
  private var isAtEnd = false
  private let pieces: TextPieces

  /// - Throws: an error when its first bytes show another kind.
  init(_ kind: HistorySource.Kind, beginningAs expected: HistoryProblem.FileContent, _ pieces: TextPieces)
    throws(HistoryProblem)
  {
    self.pieces = pieces
    while bytes.count < HistoryProblem.FileContent.headLength, !isAtEnd { try refill() }
    let content = HistoryProblem.FileContent(head: bytes)
    if content == .nothing {
      // The rest of a text that begins with so many blanks is ignored.
      (bytes, isAtEnd) = ([], true)
    } else if content != expected {
      throw .wrongKind(found: content, expected: kind)
    }
    position = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
  }

  /// The next line that is not blank, without its end. The range refers to `bytes` and is valid until the next call.
  mutating func next() throws(HistoryProblem) -> Range<Int>? {
    while true {
      let start = position
      if let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) {
        position = end + 1
        if let line = line(start..<end) { return line }
      } else if isAtEnd {
        position = bytes.count
        return line(start..<bytes.count)
      } else {
        try refill()
      }
    }
  }

  /// Nil for a blank one.
  private func line(_ range: Range<Int>) -> Range<Int>? {
    var end = range.upperBound
    while end > range.lowerBound, bytes[end - 1] == UInt8(ascii: "\r") { end -= 1 }
    return end > range.lowerBound ? range.lowerBound..<end : nil
  }

  private mutating func refill() throws(HistoryProblem) {
    bytes.removeFirst(position)
    position = 0
    if bytes.count > Self.longestLine { bytes.removeLast(bytes.count - Self.longestLine) }
    if let piece = try pieces.next() { bytes += piece } else { isAtEnd = true }
  }
}
