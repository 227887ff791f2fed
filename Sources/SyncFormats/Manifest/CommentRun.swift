// SPDX-License-Identifier: Apache-2.0

/// Notices, while a manifest is read from its file, that blank lines and comments go on for longer than the YAML reader
/// accepts. The rest of the file then changes nothing: in a scalar, too, so many lines are more than it may hold.
package struct CommentRun {
  /// Several times `YAMLLimits.scalarSize` with its escapes, so that the YAML reader refuses what was read up to here.
  package static let limit = 4 << 20

  private enum Line { case blank, comment }

  /// What the last line is so far; nil where it is neither.
  private var line: Line? = .blank
  private var length = 0
  /// Whether the reader refuses the manifest, whatever follows.
  package private(set) var isEndless = false

  package init() {}

  /// Takes the next piece of the file. Of most pieces two lines are looked at: the first, since a line with anything else
  /// ends the run, and the last, where another may begin.
  package mutating func take(_ piece: [UInt8]) {
    var rest = piece[...]
    if line == nil {
      guard let end = rest.firstIndex(where: isLineEnd) else { return }
      rest = rest[end...]
    }
    if let line = Self.line(endingWith: rest, after: line ?? .blank) {
      self.line = line
      length += rest.count
    } else {
      let last = rest.lastIndex(where: isLineEnd).map { rest[$0...] } ?? []
      line = last.isEmpty ? nil : Self.line(endingWith: last, after: .blank)
      length = line == nil ? 0 : last.count
    }
    if length > Self.limit { isEndless = true }
  }

  /// Nil when there is anything but blank lines and comments.
  private static func line(endingWith bytes: ArraySlice<UInt8>, after start: Line) -> Line? {
    var line = start
    for byte in bytes {
      if isLineEnd(byte) {
        line = .blank
      } else if line == .blank, byte == UInt8(ascii: "#") {
        line = .comment
      } else if line == .blank, byte != UInt8(ascii: " "), byte != UInt8(ascii: "\t") {
        return nil
      }
    }
    return line
  }
}

private func isLineEnd(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") }
