// SPDX-License-Identifier: Apache-2.0
import SyncCore
import SyncDisk
import SyncFormats

/// The documents of sources as they were last read whole.
struct SourceCache {
  let library: Library

  /// - Returns: nil without a copy of the document that `url` leads to. One that cannot be read, or is not what was kept, is not
  ///   a copy: the source is asked for everything.
  func copy(of playlist: PlaylistName, from url: RemoteURL) -> SealedCopy? {
    guard let place = library.cache(playlist) else { return nil }
    do throws(FileError) {
      let copy = try SealedCopy(library.files.open(place, for: .reading))
      return copy.flatMap { $0.origin.isOf(url) ? $0 : nil }
    } catch { return nil }
  }
}
