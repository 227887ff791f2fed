// SPDX-License-Identifier: Apache-2.0
package import SyncCore

/// The entries of a playlist file that a person may have edited.
package struct M3U8Entries: Equatable, Sendable {
  /// The lines that name something to play, without the spaces around them.
  package private(set) var lines: [String] = []
  /// True if the file has the last line of a file of ours.
  package private(set) var hasEnd = false
  /// True if the last line has no end, as that of a file that was cut.
  package private(set) var isCut = false

  /// Nil for bytes that are not text: not in UTF-8, or with NUL.
  package init?(_ bytes: [UInt8]) {
    guard !bytes.contains(0), let text = String(validating: bytes, as: UTF8.self) else { return nil }
    for line in text.split(whereSeparator: \.isNewline) {
      let line = line.drop(while: \.isWhitespace).trimmedEnd
      if line.isEmpty { continue }
      guard line.first == "#" || line.hasPrefix("\u{FEFF}#") else {
        lines.append(line.hasPrefix("\u{FEFF}") ? String(line.dropFirst()) : String(line))
        continue
      }
      if line.hasPrefix(PlaylistMark.end) { hasEnd = true }
    }
    isCut = !hasEnd && !lines.isEmpty && !(text.last?.isNewline ?? true)
  }

  /// The line without one that was cut.
  package var wholeLines: [String] { isCut ? lines.dropLast() : lines }
}

extension Substring {
  fileprivate var trimmedEnd: Substring {
    var rest = self
    while rest.last?.isWhitespace == true { rest.removeLast() }
    return rest
  }
}
