// SPDX-License-Identifier: Apache-2.0

/// A manifest without its playlists: enough to find the library, however long the manifest is.
package enum ManifestHead {
  /// The text without the lines of the top-level key `playlists`; nil when it has no such line.
  ///
  /// Only the beginnings of lines are checked. Where YAML reads them differently, the result is another document: the
  /// caller has to compare its contents with those of the whole.
  package static func bytes(of manifest: [UInt8]) -> [UInt8]? {
    let text = manifest.span
    guard let start = text.lineStart(from: 0, where: { text.begins(with: "playlists:", at: $0) }) else { return nil }
    let end = text.lineStart(from: start + 1) { text.beginsKey(at: $0) } ?? text.count
    return Array(manifest[..<start]) + manifest[end...]
  }
}

extension Span<UInt8> {
  /// The first beginning of a line at `position` or later that is wanted.
  fileprivate func lineStart(from position: Int, where isWanted: (Int) -> Bool) -> Int? {
    var position = position
    while position < count {
      if position == 0 || self[position - 1] == UInt8(ascii: "\n"), isWanted(position) { return position }
      position += 1
    }
    return nil
  }

  fileprivate func begins(with word: StaticString, at position: Int) -> Bool {
    guard count - position >= word.utf8CodeUnitCount else { return false }
    return word.withUTF8Buffer { word in word.indices.allSatisfy { self[position + $0] == word[$0] } }
  }

  /// True if the line is neither indented nor empty nor a comment.
  fileprivate func beginsKey(at position: Int) -> Bool {
    switch self[position] {
    case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"), UInt8(ascii: "\n"), UInt8(ascii: "#"): false
    default: true
    }
  }
}
