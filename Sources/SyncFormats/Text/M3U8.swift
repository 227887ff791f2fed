// SPDX-License-Identifier: Apache-2.0
internal import SyncCore

/// Extended M3U in UTF-8: the playlist file at the library's root, with relative paths and `/`, and an exported playlist.
package enum M3U8 {
  /// The text of the playlist file, with lines ended by LF.
  package static func text(title: String?, entries: [PlaylistFileEntry]) -> String {
    var lines = head(title)
    for entry in entries {
      guard let place = line(of: entry.place) else { continue }
      lines += [info(entry, name: name(of: entry)), place]
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// The text of an exported playlist. It has the directives that a reader needs to find the same artists, titles and
  /// albums.
  package static func exported(title: String?, entries: [PlaylistFileEntry]) -> String {
    var lines = head(title)
    var context = Context()
    for entry in entries {
      guard let place = line(of: entry.place) else { continue }
      let name = name(of: entry)
      lines += context.directives(for: entry, name: name) + [info(entry, name: name), place]
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// False for a path with a line end or another control character, which this format cannot hold. The layout never makes
  /// such a path.
  package static func holds(_ place: PlaylistFileEntry.Place) -> Bool { line(of: place) != nil }

  private static func head(_ title: String?) -> [String] {
    ["#EXTM3U"] + (title?.displayed.map { ["#PLAYLIST:\($0)"] } ?? [])
  }

  private static func info(_ entry: PlaylistFileEntry, name: String) -> String {
    "#EXTINF:\(seconds(entry.duration)),\(name)"
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

  private static func line(of place: PlaylistFileEntry.Place) -> String? {
    let path: String
    switch place {
    case .urls(let urls): return urls.first?.text
    case .path(let inner): path = inner.text
    case .line(let line): return line.hasControlCharacters ? nil : line
    case .file(let url):
      guard let text = url.filePath.flatMap({ String(validating: $0, as: UTF8.self) }) else { return nil }
      path = text
    }
    guard !path.hasControlCharacters else { return nil }
    // A `#` at the beginning would start a comment, and players drop a space at the beginning.
    return path.hasPrefix("#") || path.first?.isWhitespace == true ? "./" + path : path
  }

  /// The directives in force: `#EXTART` and `#EXTALB` apply to all entries that follow, until the next one.
  private struct Context {
    private var artist: String?
    private var album: String?

    mutating func directives(for entry: PlaylistFileEntry, name: String) -> [String] {
      var lines: [String] = []
      if reading(name) != Named(artist: entry.artist?.displayed, title: entry.title.displayed) {
        artist = entry.artist?.displayed ?? ""
        lines.append("#EXTART:\(artist ?? "")")
      }
      if album != entry.album?.displayed {
        album = entry.album?.displayed
        lines.append("#EXTALB:\(album ?? "")")
      }
      return lines
    }

    private struct Named: Equatable {
      var artist: String?
      var title: String?
    }

    /// The meaning of a name under the directives in force. An empty artist says that there is none.
    private func reading(_ name: String) -> Named {
      if let artist, artist.isEmpty { return Named(title: name) }
      if let artist, name.hasPrefix("\(artist) - ") {
        return Named(artist: artist, title: String(name.dropFirst(artist.count + 3)))
      }
      guard let dash = name.firstRange(of: " - ") else { return Named(artist: artist, title: name) }
      return Named(artist: String(name[..<dash.lowerBound]), title: String(name[dash.upperBound...]))
    }
  }
}
