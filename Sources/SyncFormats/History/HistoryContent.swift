// SPDX-License-Identifier: Apache-2.0
package import SyncCore

extension HistoryProblem.FileContent {
  /// The number of bytes that are enough to detect the kind.
  package static let headLength = 256

  /// Detects the kind of a file from its first bytes. They do not show the tables of a database.
  package init(head: some Sequence<UInt8>) {
    var bytes = Array(head.prefix(Self.headLength))
    if bytes.starts(with: Array("SQLite format 3".utf8) + [0]) {
      self = .database([])
      return
    }
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes.removeFirst(3) }
    let text = bytes.drop { [0x20, 0x09, 0x0A, 0x0D].contains($0) }
    switch text.first {
    case nil: self = .nothing
    case UInt8(ascii: "{"): self = .jsonLines
    case _ where text.starts(with: Array("#AUDIOSCROBBLER/1.".utf8)): self = .scrobblerLog
    case _ where text.starts(with: Array("#AUDIOSCROBBLER/".utf8)): self = .otherScrobblerLog
    default: self = ScrobblerLog.isTrack(text) ? .scrobblerLines : .other
    }
  }
}

/// Facts about a history besides its records.
package struct HistoryRemarks: Equatable, Sendable {
  /// The number of lines or rows without meaning.
  package var passedOver: Int
  /// True if some of its times are a player's local ones.
  package var hasLocalTimes: Bool

  package init(passedOver: Int = 0, hasLocalTimes: Bool = false) {
    self.passedOver = passedOver
    self.hasLocalTimes = hasLocalTimes
  }
}

/// The bytes of a text, one piece after the other.
package struct TextPieces {
  /// Nil at the end.
  let next: () throws(HistoryProblem) -> [UInt8]?

  package init(_ next: @escaping () throws(HistoryProblem) -> [UInt8]?) { self.next = next }
}

/// The lines of a text file, without their ends, in one pass.
struct ByteLines {
  private let bytes: [UInt8]
  private var position: Int

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    position = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
  }

  /// The next line that is not blank.
  mutating func next() -> Range<Int>? {
    while position < bytes.count {
      let start = position
      var end = start
      while end < bytes.count, bytes[end] != UInt8(ascii: "\n") { end += 1 }
      position = end + 1
      while end > start, bytes[end - 1] == UInt8(ascii: "\r") { end -= 1 }
      if end > start { return start..<end }
    }
    return nil
  }
}
