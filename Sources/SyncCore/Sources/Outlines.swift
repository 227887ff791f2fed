// SPDX-License-Identifier: Apache-2.0

/// An outline of an OPML document that names a feed.
package struct Outline: Equatable, Sendable {
  package var url: RemoteURL
  package var title: String?
  /// The titles of the outlines around it, joined by slashes. Nil for none.
  package var folder: String?
  /// From 0, in the order of the document.
  package var position: Int
  /// The feed's own title, as it was last read, for an outline without one.
  package var feedTitle: String?
  package init(url: RemoteURL, title: String? = nil, folder: String? = nil, position: Int = 0) {
    self.url = url
    self.title = title
    self.folder = folder
    self.position = position
  }
}

extension OutlineFilter {
  package func admits(_ outline: Outline) -> Bool { isEmpty || admits(outline.names) }
}

extension Outline {
  /// The texts that a pattern may match: the title, or the address if there is none, each folder by its own title, and each by its whole path.
  fileprivate var names: [String] {
    var names = [title ?? url.text]
    guard let folder else { return names }
    var path = ""
    for part in folder.split(separator: "/") {
      path += path.isEmpty ? part : "/\(part)"
      names.append(path)
      names.append(String(part))
    }
    return names
  }
}

extension Playlist {
  /// A playlist for each feed of an OPML document or each playlist of a server, with the settings of this one. Empty if
  /// this one has another source.
  /// - Parameters:
  ///   - listing: The source's contents. Nil if it was not read.
  ///   - known: The outlines that earlier runs knew, by the names of their playlists. An outline keeps its name as long
  ///     as its URL stays the same. If the source was not read whole, the outlines that it lacks are still there.
  package func playlists(
    in listing: Listing?, known: [PlaylistName: Outline]
  ) -> [(playlist: Playlist, outline: Outline)] {
    guard source.listsPlaylists else { return [] }
    let own = known.filter { $0.key.declared == name }
    var outlines = listing?.outlines ?? []
    let names = NamesOfOutlines(own, byTitle: source.query != nil, listed: outlines)
    if listing?.completeness != .whole {
      let listed = Set(outlines.compactMap(names.name(of:)))
      outlines += own.filter { !listed.contains($0.key) }.map(\.value).sorted { $0.position < $1.position }
    }
    let admitted = outlines.filter(source.admits)
    // Patterns that leave nothing are taken for a mistake: what was there before stays, and nothing becomes an orphan.
    outlines = admitted.isEmpty ? own.map(\.value).sorted { $0.position < $1.position } : admitted
    var free = OutlineNames(taken: outlines.compactMap { names.name(of: $0)?.last })
    return outlines.compactMap { outline in
      let new = { PlaylistName(free.name(title: outline.title, url: outline.url), below: self.name) }
      guard let name = names.name(of: outline) ?? new(), let source = source.source(of: outline) else { return nil }
      var playlist = Playlist(name: name, source: source)
      playlist.title = outline.title ?? known[name]?.feedTitle ?? name.last
      playlist.settings = settings
      return (playlist, outline)
    }
  }
}

extension Listing {
  /// The listing of an OPML document as its playlist uses it. A pattern without a match is a flaw. If no outline is left,
  /// the listing does not count as whole.
  package consuming func filtered(by filter: OutlineFilter) -> Listing {
    guard completeness == .whole, !filter.isEmpty, !entries.isEmpty else { return self }
    let outlines = outlines
    let texts = outlines.map(\.names)
    let names = Self.choices(outlines)
    guard outlines.contains(where: filter.admits) else {
      completeness = .partial(.noneChosen(patterns: filter.unmatched(filter.only, texts), names: names))
      return self
    }
    for pattern in filter.unmatched(filter.only, texts) {
      flaws.append(.unmatchedPattern(key: "only", pattern, names: names))
    }
    for pattern in filter.unmatched(filter.skip, texts) {
      flaws.append(.unmatchedPattern(key: "skip", pattern, names: names))
    }
    return self
  }

  /// The folders, and then the titles, each once, in the order of the document.
  private static func choices(_ outlines: [Outline]) -> [String] {
    var seen: Set<String> = []
    return (outlines.compactMap(\.folder) + outlines.compactMap(\.title)).filter { seen.insert($0).inserted }
  }
}

extension Playlist.Source {
  /// The patterns for the outlines of an OPML document, or for the subscriptions of a server's user. Nil for other sources.
  package var outlineFilter: OutlineFilter? {
    switch self {
    case .outlines(let filter, _), .subscriptions(_, let filter): filter
    case .inline, .listing, .list, .server, .extraction: nil
    }
  }

  /// True for an entry that becomes a playlist.
  fileprivate func admits(_ outline: Outline) -> Bool {
    switch self {
    case .outlines(let filter, _), .subscriptions(_, let filter): filter.admits(outline)
    case .server(let query):
      if case .playlists(let choice) = query.songs { outline.title.map(choice.admits) ?? false } else { false }
    case .inline, .listing, .list, .extraction: false
    }
  }

  /// The source of the playlist that an entry becomes.
  fileprivate func source(of outline: Outline) -> Self? {
    guard case .server(let query) = self else { return .listing(.feed, at: .remote(outline.url)) }
    return query.playlist(at: outline.url, named: outline.title ?? "").map { .server($0) }
  }
}

/// The names of outlines that earlier runs knew.
private struct NamesOfOutlines {
  private var byURL: [RemoteURL: PlaylistName]
  /// For those whose URL the source does not list any more. A server gives its playlists new ids, and thereby new URLs.
  private var byTitle: [String: PlaylistName] = [:]

  init(_ known: [PlaylistName: Outline], byTitle usesTitles: Bool, listed: [Outline]) {
    byURL = Dictionary(known.map { ($0.value.url, $0.key) }, uniquingKeysWith: { min($0, $1) })
    guard usesTitles else { return }
    let urls = Set(listed.map(\.url))
    let gone = known.filter { !urls.contains($0.value.url) }
    let titles = gone.compactMap { name, outline in outline.title.map { ($0, name) } }
    byTitle = Dictionary(titles, uniquingKeysWith: { min($0, $1) })
    // A title that several of the listed ones have names none of them.
    for (title, outlines) in Dictionary(grouping: listed, by: \.title) where outlines.count > 1 {
      if let title { byTitle[title] = nil }
    }
  }

  func name(of outline: Outline) -> PlaylistName? { byURL[outline.url] ?? outline.title.flatMap { byTitle[$0] } }
}

extension Listing {
  fileprivate var outlines: [Outline] {
    entries.enumerated().map { position, entry in
      Outline(url: entry.url, title: entry.title, folder: entry.folder, position: position)
    }
  }
}

extension Manifest {
  /// The manifest with the playlists of the outlines that earlier runs knew, each behind the playlist from which it
  /// comes.
  package func withPlaylists(of known: [PlaylistName: Outline]) -> Manifest {
    guard playlists.contains(where: { $0.source.listsPlaylists }) else { return self }
    var manifest = self
    manifest.playlists = playlists.flatMap { playlist in
      [playlist] + playlist.playlists(in: nil, known: known).map(\.playlist)
    }
    return manifest
  }
}
