// SPDX-License-Identifier: Apache-2.0
package import SyncCore
import SyncFormats

/// The health of the sources, `cache/sources` in the state folder.
package struct SourceHealthStore {
  let library: Library

  package init(library: Library) {
    self.library = library
  }

  private static let limit = ByteCount(64 << 20)

  private var place: FilePlace? {
    library.stateFolder.flatMap { FilePlace($0.root).child("cache")?.child("sources") }
  }

  /// Empty when there is no readable file: the record starts anew.
  package func read() -> [PlaylistName: SourceHealth] {
    guard let place else { return [:] }
    do throws(FileError) {
      guard let bytes = try library.files.read(place, limit: Self.limit) else { return [:] }
      do throws(QueueFileProblem) { return try SourceHealthFile.decode(bytes) } catch { return [:] }
    } catch { return [:] }
  }

  /// A failure only loses the times of this run: the queue's own writes report a disk that accepts nothing.
  package func write(_ healths: [PlaylistName: SourceHealth]) {
    guard let place, !healths.isEmpty else { return }
    do throws(FileError) {
      try library.files.replace(place, SourceHealthFile.encode(healths), mode: .privateFile)
    } catch { return }
  }
}
