// SPDX-License-Identifier: Apache-2.0
import SyncCore

/// Writes a source's document beside the copy of last time while it arrives, and puts it in that one's place at the end.
///
/// It gives up where the disk fails, or where the room that the library leaves free would be used. That costs one more full
/// request at the next run, nothing else.
struct DocumentSpool: Sendable {
  let files: any FileSystem
  /// Of the copy.
  let place: FilePlace
  /// The room that stays free on the file system.
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

  /// Puts the document in the place of the copy. Where that fails, no copy is better than one of another document.
  mutating func keep(endingWith bytes: [UInt8]) {
    do throws(FileError) {
      if !hasFailed {
        try append(bytes)
        try replacement?.finish()
      }
    } catch { giveUp() }
    guard hasFailed else { return }
    do throws(FileError) { try files.removeFileIfPresent(place) } catch {
      // Nothing to do: an old copy with an old validator is still a pair that fits.
    }
  }

  private mutating func append(_ bytes: [UInt8]) throws(FileError) {
    if replacement == nil { replacement = try FileReplacement(of: place, in: files, mode: .privateFile) }
    try replacement?.write(bytes)
  }

  /// Removes what was written; the copy stays.
  mutating func discard() {
    guard let written = replacement else { return }
    replacement = nil
    do throws(FileError) { try written.discard() } catch {
      // `clean` knows the file by its name, and the next document takes its place.
    }
  }

  private mutating func giveUp() {
    hasFailed = true
    discard()
  }
}
