// SPDX-License-Identifier: Apache-2.0

/// The playlists of a server of which each becomes a playlist here, by their names and by patterns for these.
package struct ServerPlaylists: Hashable, Sendable {
  private struct Choice: Hashable {
    let text: String
    /// Nil for a name.
    let glob: Glob?
  }

  private let choices: [Choice]

  /// - Parameter texts: Names and patterns, as written.
  package init(_ texts: [String]) {
    choices = texts.map { Choice(text: $0, glob: Self.isPattern($0) ? Glob($0, ignoringCase: true) : nil) }
  }

  /// As written.
  package var texts: [String] { choices.map(\.text) }

  /// True for a text with a character that has a meaning in a pattern.
  package static func isPattern(_ text: String) -> Bool { text.contains { "*?[\\".contains($0) } }

  /// True if a name or a pattern admits this name.
  package func admits(_ name: String) -> Bool {
    choices.contains { $0.glob?.matches(name) ?? ($0.text.lowercased() == name.lowercased()) }
  }

  /// The playlists of a server that are meant.
  /// - Parameter names: The names of all playlists of the server.
  /// - Returns: Their places in the order of the server, and the names that no playlist has. A pattern may have none.
  package func choose(among names: [String]) -> (places: [Int], missing: [String]) {
    var (chosen, missing): (Set<Int>, [String]) = ([], [])
    for choice in choices {
      if let glob = choice.glob {
        chosen.formUnion(names.indices.filter { glob.matches(names[$0]) })
      } else if let place = Self.place(of: choice.text, among: names) {
        chosen.insert(place)
      } else {
        missing.append(choice.text)
      }
    }
    return (chosen.sorted(), missing)
  }

  /// The place of exactly this name, otherwise of the first that differs only in the case of letters.
  package static func place(of name: String, among names: [String]) -> Int? {
    names.firstIndex(of: name) ?? names.firstIndex { $0.lowercased() == name.lowercased() }
  }
}

extension SubsonicQuery {
  /// The query for one of the playlists that this query lists.
  /// - Parameter url: The URL of `SubsonicURL.playlist`. It may be that of an earlier address of the server.
  func playlist(at url: RemoteURL, named name: String) -> SubsonicQuery? {
    guard let id = SubsonicURL.playlistID(of: url) else { return nil }
    var query = self
    query.songs = .listed(id: id, name: name)
    return query
  }
}
