// SPDX-License-Identifier: Apache-2.0
package import SyncCore

/// The playlist file at the library's root: extended M3U in UTF-8, relative paths with `/`.
package enum M3U8 {
  package struct Entry: Equatable, Sendable {
    package var path: LibraryPath
    package var title: String
    package var artist: String?
    package var duration: Duration?
    package init(path: LibraryPath, title: String, artist: String? = nil, duration: Duration? = nil) {
      self.path = path
      self.title = title
      self.artist = artist
      self.duration = duration
    }
  }

  /// The file's text, with lines ended by LF. An entry whose path contains a line end cannot be written in this format
  /// and is left out; the layout never makes such a path.
  package static func text(title: String?, entries: [Entry]) -> String {
    var lines = ["#EXTM3U"]
    if let title = title.map(displayed), !title.isEmpty { lines.append("#PLAYLIST:\(title)") }
    for entry in entries where !entry.path.text.hasControlCharacters {
      lines.append("#EXTINF:\(seconds(entry.duration)),\(name(of: entry))")
      lines.append(written(entry.path))
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private static func name(of entry: Entry) -> String {
    let title = displayed(entry.title)
    let artist = entry.artist.map(displayed) ?? ""
    return artist.isEmpty ? title : "\(artist) - \(title)"
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

  /// One line without anything that a terminal or a text field might obey: control characters become spaces, and
  /// characters that change the direction of writing are removed.
  private static func displayed(_ text: String) -> String {
    // Nearly all titles are plain, and there are many.
    if text.utf8.first != 0x20, text.utf8.last != 0x20, text.isPlain { return text }
    var line = String.UnicodeScalarView()
    for scalar in text.unicodeScalars where !scalar.isBidiControl {
      line.append(scalar.isControl || scalar.isLineSeparator ? " " : scalar)
    }
    return String(line).collapsed ?? ""
  }
}

extension String {
  /// True for printable ASCII without two spaces in a row.
  fileprivate var isPlain: Bool {
    var last: UInt8 = 0
    for byte in utf8 {
      guard (0x20..<0x7F).contains(byte), byte != 0x20 || last != 0x20 else { return false }
      last = byte
    }
    return true
  }
}

extension Unicode.Scalar {
  /// Unicode Standard Annex 9 §2: explicit formatting characters and implicit marks.
  fileprivate var isBidiControl: Bool { properties.isBidiControl }
  fileprivate var isLineSeparator: Bool { value == 0x2028 || value == 0x2029 }
}
