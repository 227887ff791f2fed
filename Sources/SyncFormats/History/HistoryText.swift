// SPDX-License-Identifier: Apache-2.0
import SyncCore

/// The lines of a history that is a text. Of a log with a million of them no more is held than a piece and a line.
struct HistoryText {
  /// Nobody writes longer ones: of such a line the middle is cut out, and it is no record.
  private static let longestLine = 1 << 20

  /// What the ranges of lines are in.
  private(set) var bytes: [UInt8] = []
  private var position = 0
  private var isAtEnd = false
  private let pieces: TextPieces

  /// - Throws: when its first bytes say that it is of another kind.
  init(_ kind: HistorySource.Kind, beginningAs expected: HistoryProblem.FileContent, _ pieces: TextPieces)
    throws(HistoryProblem)
  {
    self.pieces = pieces
    while bytes.count < HistoryProblem.FileContent.headLength, !isAtEnd { try refill() }
    let content = HistoryProblem.FileContent(head: bytes)
    if content == .nothing {
      // Whatever comes behind so much of nothing.
      (bytes, isAtEnd) = ([], true)
    } else if content != expected {
      throw .wrongKind(found: content, expected: kind)
    }
    position = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
  }

  /// The next line that is not blank, without its end: where it is in `bytes`, until the next call.
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
