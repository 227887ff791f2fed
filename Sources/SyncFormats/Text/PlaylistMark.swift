// SPDX-License-Identifier: Apache-2.0
package import SyncCore

/// The second line of a playlist file of ours. It names the playlist and the file itself, so that a copy with another
/// name is somebody else's.
package struct PlaylistMark: Equatable, Sendable {
  package var playlist: String
  /// The name of the file.
  package var file: String

  package init(playlist: String, file: String) { (self.playlist, self.file) = (playlist, file) }

  /// The text of a playlist file with the mark after its first line.
  package func marked(_ text: String, _ format: PlaylistFormat) -> String {
    let first = text.prefix { $0 != "\n" }
    return "\(first)\n\(line(format))\(text[first.endIndex...])"
  }

  private func line(_ format: PlaylistFormat) -> String {
    switch format {
    case .m3u8: "\(Self.comment)\(playlist) \(file)"
    // A name may contain the end of a processing instruction.
    case .xspf:
      "\(Self.instruction)\(playlist) \(file.replacing("%", with: "%25").replacing("?", with: "%3F"))\(Self.close)"
    }
  }

  /// Reads the mark at the beginning of a file. Nil if it has none.
  package init?(head: String, _ format: PlaylistFormat) {
    let lines = head.split(separator: "\n", maxSplits: 2)
    guard lines.count >= 2 else { return nil }
    // Names of playlists have no spaces.
    let words: [Substring]
    switch format {
    case .m3u8:
      guard lines[1].hasPrefix(Self.comment) else { return nil }
      words = lines[1].dropFirst(Self.comment.count).split(separator: " ", maxSplits: 1)
    case .xspf:
      guard lines[1].hasPrefix(Self.instruction), lines[1].hasSuffix(Self.close) else { return nil }
      let text = lines[1].dropFirst(Self.instruction.count).dropLast(Self.close.count)
      words = text.split(separator: " ", maxSplits: 1)
    }
    guard words.count == 2 else { return nil }
    let file = String(words[1])
    self.init(
      playlist: String(words[0]),
      file: format == .m3u8 ? file : file.replacing("%3F", with: "?").replacing("%25", with: "%"))
  }

  /// The beginning of the last line of the file of a synced playlist. A file without it may have been cut.
  package static let end = "#SYNCJOB-END:"

  /// The text of a marked file with its last line, which shows that nothing is missing at its end.
  package func ended(_ text: String) -> String { "\(text)\(Self.end)\(playlist)\n" }

  private static let comment = "#SYNCJOB-PLAYLIST:"
  private static let instruction = "<?syncjob-playlist "
  private static let close = "?>"
}
