// SPDX-License-Identifier: Apache-2.0
package import SyncCore

/// Finds files that syncjob writes for a moment only. A run that is killed leaves them half written. A power cut may
/// bring them back, because their removal need not have reached the disk. Every opening of the library removes them.
package struct UnfinishedFiles {
  let library: Library

  package init(library: Library) {
    self.library = library
  }

  /// A folder and the rule that tells which of its entries are such files.
  private struct Nursery {
    var folder: FilePlace
    /// False if files may be unfinished whose names do not end in `.tmp`.
    var hasOnlyTemporaries = true
    var holds: (DirectoryEntry) -> Bool
  }

  /// An unfinished file.
  package struct Found {
    package var place: FilePlace
    package var size: ByteCount
  }

  /// Lists the unfinished files in the folders that exist.
  package func list() throws(FileError) -> [Found] {
    var found: [Found] = []
    for nursery in nurseries {
      // Most libraries have far more other files, which need not be looked at.
      let entries = try library.files.listIfPresent(nursery.folder) { name in
        !nursery.hasOnlyTemporaries || name.hasSuffix(".tmp")
      }
      for entry in entries
      where entry.isNameExact && entry.status.kind == .file && nursery.holds(entry) {
        if let place = nursery.folder.child(entry.name) { found.append(Found(place: place, size: entry.status.size)) }
      }
    }
    return found
  }

  package func remove() throws(FileError) {
    for file in try list() { try library.files.removeFileIfPresent(file.place) }
  }

  private var nurseries: [Nursery] {
    var nurseries: [Nursery] = []
    if let root = library.mediaRoot {
      nurseries.append(
        Nursery(folder: FilePlace(root)) { Library.probeFile.isOne($0) || PlaylistFiles.temporary.isOne($0) })
    }
    if let work = library.workFolder {
      let isForSealedFiles = library.settings.partials != nil
      nurseries.append(
        Nursery(folder: work.partials.folder, hasOnlyTemporaries: false) { entry in
          Library.probeFile.isOne(entry) || entry.isSealedCopy || isForSealedFiles && entry.isOfPartial
        })
      nurseries.append(Nursery(folder: FilePlace(work.root), holds: \.isOfState))
    }
    guard let state = library.stateFolder.map({ FilePlace($0.root) }) else { return nurseries }
    if library.settings.hasStateElsewhere { nurseries.append(Nursery(folder: state, holds: \.isOfState)) }
    for name in ["cache", "reports"] {
      if let folder = state.child(name) { nurseries.append(Nursery(folder: folder, holds: \.isHiddenTemporary)) }
    }
    return nurseries
  }
}

extension DirectoryEntry {
  fileprivate var isHiddenTemporary: Bool { name.hasPrefix(".") && name.hasSuffix(".tmp") }

  /// True for a partial or its tagged copy.
  fileprivate var isOfPartial: Bool { name.hasSuffix(".part") || name.hasSuffix(PartialFolder.copyName(of: ".part")) }

  /// True for a file that was sealed and not published. It is made again from its partial.
  fileprivate var isSealedCopy: Bool { name.hasSuffix(PartialFolder.sealedName(of: ".part")) }

  /// True for the temporary file of a new queue file, a marker or another file of the state folder.
  fileprivate var isOfState: Bool {
    isHiddenTemporary || name.hasPrefix("download_queue.") && name.hasSuffix(".tmp") || name == "library.json.tmp"
  }
}

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
    folders.insert(library.sealing.folder)
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
