// SPDX-License-Identifier: Apache-2.0
package import SyncCore
package import SyncFormats

/// The marker is in `.syncjob` of the library even when the state is elsewhere: it shows that the disk is mounted.
extension LibraryMarker {
  package static let fileName = "library.json"

  private static func place(in library: FileRoot) -> FilePlace {
    FilePlace(library, LibraryPath("\(StateFolder.name)/\(fileName)"))
  }

  /// Nil when the library has none.
  package static func read(_ files: any FileSystem, in library: FileRoot) throws(StateError) -> LibraryMarker? {
    let place = place(in: library)
    let bytes: [UInt8]?
    do throws(FileError) { bytes = try files.read(place, limit: ByteCount(65_536)) } catch {
      throw error.isOfStranger ? .badMarker(path: place.text, .notOurs(error)) : .file(error)
    }
    guard let bytes else { return nil }
    do throws(QueueFileProblem) { return try LibraryMarker.decode(bytes) } catch {
      guard case .newerVersion(let found, let known) = error else { throw .badMarker(path: place.text, error) }
      throw .newerVersion(path: place.text, found: found, known: known)
    }
  }

  /// Creates the marker in a library that has none, completely or not at all. If there is one already, throws an error
  /// that `isPresent`.
  package func create(_ files: any FileSystem, in library: FileRoot) throws(FileError) {
    try write(files, in: library, replacing: false)
  }

  /// Replaces the marker.
  package func replace(_ files: any FileSystem, in library: FileRoot) throws(FileError) {
    try write(files, in: library, replacing: true)
  }

  private func write(_ files: any FileSystem, in library: FileRoot, replacing: Bool) throws(FileError) {
    let place = Self.place(in: library)
    guard let unfinished = place.parent.child("\(Self.fileName).tmp") else { return }
    try files.makeFolders(place.parent, mode: .privateFolder)
    try files.removeFileIfPresent(unfinished)
    try files.create(unfinished, encode(), mode: .privateFile)
    try files.move(unfinished, to: place, replacing: replacing)
    try files.syncFolder(place.parent)
  }
}
