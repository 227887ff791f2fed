// SPDX-License-Identifier: Apache-2.0
package import SyncCore
import SyncFormats

/// The states of synced playlists, one file each in the folder `playlists` of the state folder. A file is replaced as a whole
/// and flushed before anything that depends on it is done.
package struct SyncedListStore: Sendable {
  private let folder: StateFolder
  private static let ending = ".json"
  /// The entries of the longest playlist, in five lists.
  private static let limit = ByteCount(256 << 20)

  package init(_ folder: StateFolder) { self.folder = folder }

  private var place: FilePlace? { FilePlace(folder.root).child("playlists") }

  private func place(of name: PlaylistName) -> FilePlace? { place?.child(name.fileText + Self.ending) }

  /// All states, and the names of the playlists whose files are damaged. Nothing is known about these.
  package func read() throws(FileError) -> (states: [PlaylistName: SyncedList], damaged: [PlaylistName]) {
    var states: [PlaylistName: SyncedList] = [:]
    var damaged: [PlaylistName] = []
    guard let place, try folder.files.status(of: place) != nil else { return (states, damaged) }
    for entry in try folder.files.list(place, where: { $0.hasSuffix(Self.ending) }) {
      let stem = entry.name.dropLast(Self.ending.count).replacing("+", with: "/")
      guard let name = PlaylistName(String(stem)) else { continue }
      if let state = try read(name) { states[name] = state } else { damaged.append(name) }
    }
    return (states, damaged.sorted())
  }

  /// Nil for a playlist without a whole file.
  package func read(_ name: PlaylistName) throws(FileError) -> SyncedList? {
    guard let place = place(of: name), let bytes = try folder.files.read(place, limit: Self.limit) else { return nil }
    do throws(QueueFileProblem) { return try SyncedListFile.decode(bytes) } catch { return nil }
  }

  /// Replaces the state of a playlist, and flushes it.
  package func write(_ state: SyncedList, of name: PlaylistName) throws(FileError) {
    guard let folderPlace = self.place, let place = place(of: name) else { return }
    if try folder.files.status(of: folderPlace) == nil {
      try folder.files.makeFolders(folderPlace, mode: .privateFolder)
    }
    try folder.files.replace(place, SyncedListFile.encode(state), mode: .privateFile)
  }

  /// Keeps a damaged file aside.
  package func setAside(_ name: PlaylistName) throws(FileError) {
    guard let place = place(of: name), let aside = self.place?.child("\(name.fileText)\(Self.ending).corrupt") else {
      return
    }
    try folder.files.move(place, to: aside, replacing: true)
    try folder.files.syncFolder(place.parent)
  }

  package func remove(_ name: PlaylistName) throws(FileError) {
    guard let place = place(of: name) else { return }
    try folder.files.removeFileIfPresent(place)
    try folder.files.syncFolder(place.parent)
  }
}
