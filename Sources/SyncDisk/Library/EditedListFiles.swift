// SPDX-License-Identifier: Apache-2.0
package import SyncCore
import SyncFormats

/// Reads the playlist files that a person may have edited.
package struct EditedListFiles {
  package enum Reading: Equatable, Sendable {
    case file(EditedListFile)
    /// The bytes are not text.
    case notText
  }

  private let library: Library

  package init(_ library: Library) { self.library = library }

  /// The file of a synced playlist. Nil if there is none, or if it is as it was last read.
  /// - Parameter element: The entry that a line of the file names.
  package func read(
    _ list: SyncedList, _ element: (String) -> ListElement
  ) throws(FileError) -> (name: String, reading: Reading)? {
    guard let root = library.mediaRoot else { return nil }
    for name in list.fileNames {
      guard let place = FilePlace(root).child(name), let status = try library.files.status(of: place),
        status.kind == .file, let bytes = try library.files.read(place, limit: SyncedListFiles.limit)
      else { continue }
      let digest = SHA256Digest(of: bytes)
      if list.nextFile == nil, list.file?.digest == digest { return nil }
      guard let content = M3U8Entries(bytes) else { return (name, .notText) }
      var lines = content.lines
      if content.isCut, let last = lines.last, element(last).isForeign { lines = content.wholeLines }
      let edited = EditedListFile(
        name: name, digest: digest, entries: lines.map(element), hasEnd: content.hasEnd, changedAt: status.modifiedAt)
      return (name, .file(edited))
    }
    return nil
  }
}
