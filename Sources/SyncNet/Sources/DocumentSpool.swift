// SPDX-License-Identifier: Apache-2.0
import SyncCore
import SyncDisk

/// Writes a source's document beside the previous copy while it arrives, and replaces the copy at the end.
///
/// It stops if the disk fails, or if it would use the space that the library must leave free. The only cost is one more
/// full request in the next run.
struct DocumentSpool: Sendable {
  let files: any FileSystem
  /// The place of the copy.
  let place: FilePlace
  /// The space that must stay free on the file system.
  let minimumFree: ByteCount

  private var replacement: FileReplacement?
  private var hasFailed = false

  init(files: any FileSystem, place: FilePlace, minimumFree: ByteCount) {
    (self.files, self.place, self.minimumFree) = (files, place, minimumFree)
  }

  /// Adds a part of a long document.
  mutating func write(_ bytes: [UInt8]) {
    guard !hasFailed else { return }
    do throws(FileError) {
      let free = try files.space(at: place.root).available
      guard free >= minimumFree + ByteCount(Int64(bytes.count)) else { return giveUp() }
      try append(bytes)
    } catch { giveUp() }
  }

  /// Replaces the copy by the document. If that fails, the copy is removed, because a copy of another document is worse
  /// than none.
  mutating func keep(endingWith bytes: [UInt8]) {
    do throws(FileError) {
      if !hasFailed {
        try append(bytes)
        try replacement?.finish()
      }
    } catch { giveUp() }
    guard hasFailed else { return }
    do throws(FileError) { try files.removeFileIfPresent(place) } catch {
      // Nothing to do: an old copy and its old validator still match.
    }
  }

  private mutating func append(_ bytes: [UInt8]) throws(FileError) {
    if replacement == nil { replacement = try FileReplacement(of: place, in: files, mode: .privateFile) }
    try replacement?.write(bytes)
  }

  /// Removes the written bytes. The copy stays.
  mutating func discard() {
    guard let written = replacement else { return }
    replacement = nil
    do throws(FileError) { try written.discard() } catch {
      // `clean` recognises the file by its name, and the next document overwrites it.
    }
  }

  private mutating func giveUp() {
    hasFailed = true
    discard()
  }
}
