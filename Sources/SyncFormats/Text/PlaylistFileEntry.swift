// SPDX-License-Identifier: Apache-2.0
package import SyncCore

/// An entry of a playlist file.
package struct PlaylistFileEntry: Equatable, Sendable {
  /// The place of an entry.
  package enum Place: Equatable, Sendable {
    /// A file of the library, named by its path from there.
    case path(LibraryPath)
    /// A file on this machine, named by its absolute path. Holds its `file` URL.
    case file(RemoteURL)
    /// The URLs of an item, in the order of trial. Never empty.
    case urls([RemoteURL])
    /// A line that a person wrote.
    case line(String)
  }

  package var place: Place
  package var title: String
  package var artist: String?
  package var album: String?
  package var duration: Duration?
  package init(
    path: LibraryPath, title: String, artist: String? = nil, album: String? = nil, duration: Duration? = nil
  ) {
    place = .path(path)
    self.title = title
    self.artist = artist
    self.album = album
    self.duration = duration
  }

  /// An entry that a person wrote.
  package init(line: String) {
    place = .line(line)
    title = line.split(separator: "/").last.map { String($0) } ?? line
  }

  package init(_ item: Item, at place: Place) {
    self.place = place
    (title, artist, album, duration) = (item.title, item.artist, item.album, item.duration)
  }
}

extension String {
  /// One line without anything that a terminal or a text field might obey: control characters become spaces, and
  /// characters that change the direction of writing are removed. Nil if nothing is left.
  var displayed: String? {
    // Nearly all titles are plain, and there are many.
    if let first = utf8.first, first != 0x20, utf8.last != 0x20, isPlain { return self }
    var line = String.UnicodeScalarView()
    for scalar in unicodeScalars where !scalar.isBidiControl {
      line.append(scalar.isControl || scalar.isLineSeparator ? " " : scalar)
    }
    return String(line).collapsed
  }

  /// True for printable ASCII without two spaces in a row.
  private var isPlain: Bool {
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
