// SPDX-License-Identifier: Apache-2.0
package import SyncCore

/// Names that a killed run may have changed without a flush.
///
/// The next run sees these names, although a power cut can still take them back. Only the journal of the killed run
/// shows which files to compare then. The names are therefore flushed before that journal is put away.
package struct UnflushedNames {
  let library: Library

  package init(library: Library) {
    self.library = library
  }

  /// Flushes the folders of all files that the journal of that run is about.
  package func flush(_ found: LoadedQueue) throws(FileError) {
    var folders = FolderSet()
    for path in found.recordedPaths { folders.insert(above: library.root[path]) }
    for entry in try library.trash.list() where found.recordedPaths.contains(entry.path) {
      if let place = library.trash.place(of: entry) { folders.insert(above: place) }
    }
    folders.insert(library.partials.folder)
    folders.insert(FilePlace(library.state.root))
    try library.flush(folders)
  }

  /// Flushes the folders of files that were found in their places, with the names of these folders.
  package func flush(_ paths: some Sequence<LibraryPath>) throws(FileError) {
    var folders = FolderSet()
    for path in paths { folders.insert(above: library.root[path]) }
    try library.flush(folders)
  }

  /// Folders, each once.
  fileprivate struct FolderSet {
    private var places: [String: FilePlace] = [:]

    var sorted: [FilePlace] { places.values.sorted { $0.text < $1.text } }

    /// Inserts a folder and those that contain it, up to its root.
    mutating func insert(_ folder: FilePlace) {
      var folder = folder
      while places.updateValue(folder, forKey: folder.text) == nil, folder.path != nil { folder = folder.parent }
    }

    mutating func insert(above place: FilePlace) { insert(place.parent) }
  }
}

extension Library {
  /// A folder that is gone has no names to flush. A folder that may not be read is left to the system.
  fileprivate func flush(_ folders: UnflushedNames.FolderSet) throws(FileError) {
    for folder in folders.sorted {
      do throws(FileError) { try files.syncFolder(folder) } catch {
        guard error.isMissing || error.isObstructed || error.isDenied else { throw error }
      }
    }
  }
}
