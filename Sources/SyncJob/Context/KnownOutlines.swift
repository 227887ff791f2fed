// SPDX-License-Identifier: Apache-2.0
package import SyncCore
package import SyncDisk
import SyncFormats

extension Manifest {
  /// The manifest with the playlists that its OPML documents and its servers list, as far as earlier runs knew them. Nothing
  /// is fetched. A library that cannot be read has none: the command meets the same problem and reports it.
  package func withKnownPlaylists(_ files: any FileSystem = POSIXFileSystem()) -> Manifest {
    guard playlists.contains(where: { $0.source.listsPlaylists }) else { return self }
    do throws(JobError) {
      return withPlaylists(knownIn: try Library.look(library, files))
    } catch { return self }
  }

  func withPlaylists(knownIn library: Library) -> Manifest {
    withPlaylists(of: SourceHealthStore(library: library).read().compactMapValues(\.outline))
  }
}
