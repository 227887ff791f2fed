// SPDX-License-Identifier: Apache-2.0
import SyncCore
import SyncFormats

/// The documents of sources as they were last read whole.
struct SourceCache {
  let library: Library

  /// - Returns: nil without a copy of the document that `url` leads to. One that cannot be read, or is not what was kept, is not
  ///   a copy: the source is asked for everything.
  func copy(of playlist: PlaylistName, from url: RemoteURL) -> SealedCopy? {
    guard let place = library.cache(playlist) else { return nil }
    let limit = FeedReader.maximumSize + ByteCount(Int64(SealedCopy.longestSeal))
    do throws(FileError) {
      let copy = try library.files.read(place, limit: limit).flatMap(SealedCopy.init(file:))
      return copy.flatMap { $0.origin.isOf(url) ? $0 : nil }
    } catch { return nil }
  }

  /// A failure costs one more full request at the next run, nothing else.
  func keep(_ copy: SealedCopy, for playlist: PlaylistName) {
    guard let place = library.cache(playlist) else { return }
    do throws(FileError) { try library.files.replace(place, copy.file, mode: .privateFile) } catch {
      do throws(FileError) { try library.files.removeFileIfPresent(place) } catch {
        // Nothing to do: an old copy with an old validator is still a pair that fits.
      }
    }
  }
}
