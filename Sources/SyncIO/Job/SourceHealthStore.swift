// SPDX-License-Identifier: Apache-2.0
import SyncCore
import SyncFormats

/// The health of the sources, `cache/sources` in the state folder.
struct SourceHealthStore {
  let library: Library

  private static let limit = ByteCount(64 << 20)

  private var place: FilePlace? {
    library.stateFolder.flatMap { FilePlace($0.root).child("cache")?.child("sources") }
  }

  /// Empty where nothing is remembered, or nothing that can be read: it begins anew.
  func read() -> [PlaylistName: SourceHealth] {
    guard let place else { return [:] }
    do throws(FileError) {
      guard let bytes = try library.files.read(place, limit: Self.limit) else { return [:] }
      do throws(QueueFileProblem) { return try SourceHealthFile.decode(bytes) } catch { return [:] }
    } catch { return [:] }
  }

  /// A failure costs the times of this run, nothing else: what has to be told of a disk that takes nothing, the queue's
  /// own writes tell.
  func write(_ healths: [PlaylistName: SourceHealth]) {
    guard let place, !healths.isEmpty else { return }
    do throws(FileError) {
      try library.files.replace(place, SourceHealthFile.encode(healths), mode: .privateFile)
    } catch { return }
  }
}
