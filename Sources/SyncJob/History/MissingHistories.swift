// SPDX-License-Identifier: Apache-2.0
import SyncCore
import SyncDisk
import SyncFormats

/// The histories of the manifest that were missing at the last run, `cache/history_missing` in the state folder. A run
/// warns once about a player that is not plugged in, and again only after it was there.
struct MissingHistories {
  let library: Library

  private static let limit = ByteCount(1 << 20)

  private var place: FilePlace? {
    library.stateFolder.flatMap { FilePlace($0.root).child("cache")?.child("history_missing") }
  }

  /// The paths of the missing histories. A list that cannot be read costs one extra warning.
  func read() throws(FileError) -> Set<String> {
    guard let place, let bytes = try library.files.read(place, limit: Self.limit) else { return [] }
    do throws(JSONError) { return Set(try JSONValue(parsing: bytes).array?.compactMap(\.string) ?? []) } catch {
      return []
    }
  }

  /// - Parameter known: the result of `read`; nothing is written if nothing changed.
  func write(_ paths: Set<String>, known: Set<String>) throws(FileError) {
    guard paths != known, let place else { return }
    guard !paths.isEmpty else { return try library.files.removeFileIfPresent(place) }
    var writer = JSONWriter()
    writer.array { writer in for path in paths.sorted() { writer.value(path) } }
    writer.endLine()
    try library.files.makeFolders(place.parent, mode: .privateFolder)
    try library.files.replace(place, writer.bytes, mode: .privateFile)
  }
}
