// SPDX-License-Identifier: Apache-2.0
import SyncCore
import SyncFormats

/// What the manifest's sources said when they were last read, without asking anybody.
struct SourceCopies {
  let library: Library
  let manifest: Manifest

  /// What a run would want if its sources said the same again. Of a source without a copy nothing is known.
  /// - Parameter isRead: of which playlists the copies are read.
  func desired(
    _ queue: Queue, where isRead: (Playlist) -> Bool = { _ in true }, now: Timestamp
  ) -> DesiredState {
    let readings = manifest.playlists.filter(isRead).compactMap { playlist -> SourceReading? in
      guard case .feed(let source) = playlist.source, let read = feed(playlist.name, source) else { return nil }
      let feed = read.used(by: playlist.select, before: queue.sources[playlist.name]?.itemCount)
      return SourceReading(playlist: playlist.name, feed: feed, isUnchanged: true)
    }
    return DesiredState(manifest: manifest, readings: readings, queue: queue, now: now)
  }

  /// What cannot be read is as if it was never read.
  private func feed(_ name: PlaylistName, _ source: FeedSource) -> Feed? {
    switch source.location {
    case .remote(let url): return SourceCache(library: library).copy(of: name, from: url)?.feed
    case .file(let path):
      let feed = LocalFeed(path: path).feed
      if case .partial(.unreadableFile) = feed.completeness { return nil }
      return feed
    }
  }
}
