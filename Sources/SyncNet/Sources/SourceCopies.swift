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
      // A copy that cannot be read counts as never read.
      guard let last = SourceFactory.standard.source(of: playlist, in: library)?.lastListing() else { return nil }
      let listing = last.used(by: playlist.select, before: queue.sources[playlist.name]?.itemCount)
      return SourceReading(playlist: playlist.name, listing: listing, isUnchanged: true)
    }
    return DesiredState(
      Resolution(manifest.playlists, readings), layout: manifest.library.layout, queue: queue, now: now)
  }
}
