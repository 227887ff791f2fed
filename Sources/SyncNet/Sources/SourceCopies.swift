// SPDX-License-Identifier: Apache-2.0
package import SyncCore
package import SyncDisk
import SyncFormats

/// The contents of the manifest's sources at their last reading, without any request.
package struct SourceCopies {
  let library: Library
  let manifest: Manifest

  package init(library: Library, manifest: Manifest) {
    self.library = library
    self.manifest = manifest
  }

  /// The items that a run would want if all sources were unchanged. Nothing is known about a source without a copy.
  /// - Parameter isRead: Selects the playlists whose copies are read.
  package func desired(
    _ queue: Queue, where isRead: (Playlist) -> Bool = { _ in true }, now: Timestamp
  ) -> DesiredState {
    let readings = manifest.playlists.filter(isRead).compactMap { playlist -> SourceReading? in
      guard case .feed(let source) = playlist.source, let read = listing(playlist.name, source) else { return nil }
      let listing = read.used(by: playlist.select, before: queue.sources[playlist.name]?.itemCount)
      return SourceReading(playlist: playlist.name, listing: listing, isUnchanged: true)
    }
    return DesiredState(manifest: manifest, readings: readings, queue: queue, now: now)
  }

  /// A copy that cannot be read counts as never read.
  private func listing(_ name: PlaylistName, _ source: FeedSource) -> Listing? {
    switch source.location {
    case .remote(let url): return SourceCache(library: library).copy(of: name, from: url)?.listing
    case .file(let path):
      let listing = LocalFeed(path: path).listing
      if case .partial(.unreadableFile) = listing.completeness { return nil }
      return listing
    }
  }
}
