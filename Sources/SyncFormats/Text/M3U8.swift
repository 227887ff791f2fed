// SPDX-License-Identifier: Apache-2.0
package import SyncCore

/// The playlist file at the library's root: extended M3U in UTF-8, relative paths with `/`.
package enum M3U8 {
  /// The file's text, with lines ended by LF. An entry whose path contains a line end cannot be written in this format
  /// and is left out; the layout never makes such a path.
  package static func text(title: String?, entries: [PlaylistFileEntry]) -> String {
    var lines = ["#EXTM3U"]
    if let title = title?.displayed { lines.append("#PLAYLIST:\(title)") }
    for entry in entries where !entry.path.text.hasControlCharacters {
      lines.append("#EXTINF:\(seconds(entry.duration)),\(name(of: entry))")
      lines.append(written(entry.path))
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private static func name(of entry: PlaylistFileEntry) -> String {
    let title = entry.title.displayed ?? ""
    return entry.artist?.displayed.map { "\($0) - \(title)" } ?? title
  }

  /// The rounded number of seconds; -1 means unknown.
  private static func seconds(_ duration: Duration?) -> Int {
    guard let duration, duration >= .zero else { return -1 }
    return Int(duration.inSeconds.rounded())
  }

  /// A `#` at the beginning would start a comment, and players drop a space at the beginning.
  private static func written(_ path: LibraryPath) -> String {
    path.text.hasPrefix("#") || path.text.first?.isWhitespace == true ? "./" + path.text : path.text
  }
}
