// SPDX-License-Identifier: Apache-2.0

/// The pages that a playlist takes from the program yt-dlp.
package struct YtDlpQuery: Hashable, Sendable {
  package enum Target: Hashable, Sendable {
    /// A page with media, or one that lists others.
    case page(RemoteURL)
    /// A search of a site, such as `ytsearch10:night drive`.
    case search(String)
  }

  package var target: Target
  /// The format in yt-dlp's own language. Nil for that of the playlist's quality.
  package var format: String?
  /// Further options for each call.
  package var arguments: [String] = []

  package init(_ target: Target) { self.target = target }

  /// - Returns: Nil for a text that is neither the URL of a page, without credentials, nor a search.
  package init?(_ text: String) {
    if text.contains("://") {
      do throws(RemoteURL.Problem) {
        let url = try RemoteURL(text)
        if url.hasCredentials { return nil }
        target = .page(url)
      } catch { return nil }
    } else {
      guard Self.isSearch(text) else { return nil }
      target = .search(text)
    }
  }

  /// True for the name of a search, the number of its results, a colon and the words: `ytsearchdate5:news`.
  package static func isSearch(_ text: String) -> Bool {
    let name = text.prefix { $0 != ":" }
    let words = text.dropFirst(name.count + 1)
    return name.contains("search") && name.utf8.allSatisfy(isNameByte) && text.utf8.count <= longestSearch
      && words.contains { !$0.isWhitespace }
      && !text.unicodeScalars.contains { $0.properties.generalCategory == .control }
  }

  /// True for a format of several files, which yt-dlp would have to merge: a `+` outside of the conditions in brackets.
  package static func merges(_ format: String) -> Bool {
    var depth = 0
    for character in format {
      switch character {
      case "[": depth += 1
      case "]": depth -= 1
      case "+" where depth == 0: return true
      default: break
      }
    }
    return format.contains("mergeall")
  }

  private static let longestSearch = 1000

  private static func isNameByte(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20)
  }

  /// The target as yt-dlp takes it.
  package var text: String {
    switch target {
    case .page(let url): url.text
    case .search(let text): text
    }
  }

  /// The query for display, without credentials.
  package var shown: String { url?.redacted ?? text }

  /// Nil for a search.
  package var url: RemoteURL? { if case .page(let url) = target { url } else { nil } }

  /// True for the page of somebody who goes on publishing, by its address.
  package var isChannel: Bool {
    guard let path = url?.path else { return false }
    return path.hasPrefix("/@") || ["/channel/", "/c/", "/user/"].contains { path.hasPrefix($0) }
  }

  /// The format that is asked for. A bit rate that is not known counts as fitting. Where there is no audio alone, the
  /// smallest file with both takes its place, unless the best is wanted.
  package func format(for quality: Quality) -> String {
    format ?? Self.format(for: quality)
  }

  /// The format of pages that a search has found.
  package static func format(for quality: Quality) -> String {
    guard let rate = quality.bitRate else { return "ba/b" }
    let fitting = "ba[abr<=?\(rate / 1000)]"
    return quality == .high ? "\(fitting)/wa/b" : "\(fitting)/wa/w"
  }
}

extension Manifest {
  /// True if the items of the first of these playlists, which names them, are pages.
  package func namesPages(_ playlists: [PlaylistName]) -> Bool {
    guard let first = playlists.first else { return false }
    return self.playlists.contains { $0.name == first && $0.source.extraction != nil }
  }
}

extension Playlist {
  /// The format in which yt-dlp is asked for the playlist's items.
  package var extractedFormat: String? { source.extraction?.format(for: settings.quality) }
}
