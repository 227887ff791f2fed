// SPDX-License-Identifier: Apache-2.0

/// An outline of an OPML document that names a feed.
package struct Outline: Equatable, Sendable {
  package var url: RemoteURL
  package var title: String?
  /// The titles of the outlines around it, joined by slashes. Nil for none.
  package var folder: String?
  /// From 0, in the order of the document.
  package var position: Int
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
  /// The texts that a pattern may match: the title, each folder by its own title, and each by its whole path.
  fileprivate var names: [String] {
    var names = [title].compactMap(\.self)
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
  /// A playlist for each feed of an OPML document, with the settings of this one. Empty if this one has another source.
  /// - Parameters:
  ///   - listing: The document's contents. Nil if it was not read.
  ///   - known: The outlines that earlier runs knew, by the names of their playlists. An outline keeps its name as long
  ///     as its URL stays the same. If the document was not read whole, the outlines that it lacks are still there.
  package func playlists(
    in listing: Listing?, known: [PlaylistName: Outline]
  ) -> [(playlist: Playlist, outline: Outline)] {
    guard case .outlines(let filter, _) = source else { return [] }
    let own = known.filter { $0.key.declared == name }
    let names = Dictionary(own.map { ($0.value.url, $0.key) }, uniquingKeysWith: { min($0, $1) })
    var outlines = listing?.outlines ?? []
    if listing?.completeness != .whole {
      let listed = Set(outlines.map(\.url))
      outlines += own.values.filter { !listed.contains($0.url) }.sorted { $0.position < $1.position }
    }
    outlines = outlines.filter(filter.admits)
    var free = OutlineNames(taken: outlines.compactMap { names[$0.url]?.last })
    return outlines.compactMap { outline in
      let new = { PlaylistName(free.name(title: outline.title, url: outline.url), below: self.name) }
      guard let name = names[outline.url] ?? new() else { return nil }
      var playlist = Playlist(name: name, source: .listing(.feed, at: .remote(outline.url)))
      playlist.title = outline.title ?? name.last
      playlist.settings = settings
      return (playlist, outline)
    }
  }
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
    guard playlists.contains(where: { $0.source.kind?.listsItems == false }) else { return self }
    var manifest = self
    manifest.playlists = playlists.flatMap { playlist in
      [playlist] + playlist.playlists(in: nil, known: known).map(\.playlist)
    }
    return manifest
  }
}
