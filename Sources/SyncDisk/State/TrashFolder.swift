// SPDX-License-Identifier: Apache-2.0
package import SyncCore

/// The folder of removed media, `trash/TIME/PATH` in the state folder, which stay until `storage.trash.keep` is over.
package struct TrashFolder: Sendable {
  /// One file in the trash.
  package struct Entry: Hashable, Sendable {
    /// The folder of the run that put it here, with the time in its name.
    package var batch: String
    /// The path that the file had in the library.
    package var path: LibraryPath
    package var size: ByteCount
    package var trashedAt: Timestamp

    package init(batch: String, path: LibraryPath, size: ByteCount, trashedAt: Timestamp) {
      self.batch = batch
      self.path = path
      self.size = size
      self.trashedAt = trashedAt
    }
  }

  package struct Emptied: Hashable, Sendable {
    package var files = 0
    package var freed = ByteCount.zero

    package init(files: Int = 0, freed: ByteCount = .zero) {
      self.files = files
      self.freed = freed
    }
  }

  package let files: any FileSystem
  package let folder: FilePlace

  package init(_ files: any FileSystem, _ folder: FilePlace) {
    self.files = files
    self.folder = folder
  }

  /// The folder for the removals of one run.
  package func batch(at now: Timestamp) -> TrashBatch { TrashBatch(self, name: now.folderName) }

  /// All files, oldest batch first; empty when there is no trash.
  package func list() throws(FileError) -> [Entry] {
    var entries: [Entry] = []
    for batch in try files.listIfPresent(folder) where batch.isNameExact && batch.status.kind == .directory {
      // A folder that somebody else made has no time in its name: its date of modification counts.
      let trashedAt = Timestamp(folderName: batch.name) ?? batch.status.modifiedAt
      guard let place = folder.child(batch.name) else { continue }
      try collect(place, below: nil) { path, size in
        entries.append(Entry(batch: batch.name, path: path, size: size, trashedAt: trashedAt))
      }
    }
    return entries
  }

  /// Deletes files that were put here more than `keep` before `now`.
  package func expire(olderThan keep: Duration, now: Timestamp) throws(FileError) -> Emptied {
    try remove(try list().filter { now - $0.trashedAt > keep })
  }

  /// Deletes all files.
  package func empty() throws(FileError) -> Emptied { try remove(try list()) }

  /// Deletes these files, and the folders that become empty.
  package func remove(_ entries: [Entry]) throws(FileError) -> Emptied {
    var cleaning = Emptied()
    for entry in entries {
      guard let place = place(of: entry) else { continue }
      try files.removeFileIfPresent(place)
      cleaning.files += 1
      cleaning.freed += entry.size
      try removeEmptyFolders(above: place)
    }
    return cleaning
  }

  /// Moves a file back to its path in the library. If a file is there now, throws an error that `isPresent`.
  package func restore(_ entry: Entry, into library: FileRoot) throws(FileError) {
    guard let place = place(of: entry) else { return }
    let target = library[entry.path]
    try files.makeFolders(target.parent, mode: .sharedFolder)
    try files.move(place, to: target, replacing: false)
    try files.syncFolder(target.parent)
    try removeEmptyFolders(above: place)
  }

  package func place(of entry: Entry) -> FilePlace? { folder.child(entry.batch)?.appending(entry.path) }

  /// Calls `found` for every file below a directory.
  private func collect(
    _ place: FilePlace, below parent: LibraryPath?, _ found: (LibraryPath, ByteCount) -> Void
  ) throws(FileError) {
    for entry in try files.listIfPresent(place) where entry.isNameExact {
      let text = parent.map { "\($0.text)/\(entry.name)" } ?? entry.name
      guard let path = LibraryPath(text), let inner = place.child(entry.name) else { continue }
      if entry.status.kind == .directory {
        try collect(inner, below: path, found)
      } else {
        found(path, entry.status.kind == .file ? entry.status.size : .zero)
      }
    }
  }

  /// Removes folders that were made for a file that was not moved there. Errors do not matter.
  fileprivate func tidy(above place: FilePlace) {
    do throws(FileError) { try removeEmptyFolders(above: place) } catch { return }
  }

  /// Goes up to the trash itself, which stays.
  private func removeEmptyFolders(above place: FilePlace) throws(FileError) {
    var current = place.parent
    while let path = current.path, path != folder.path {
      do throws(FileError) { try files.removeFolder(current) } catch {
        if error.isNotEmpty || error.isMissing { return }
        throw error
      }
      current = current.parent
    }
  }
}

/// The removals of one run, moved one by one and flushed together.
package struct TrashBatch: Sendable {
  private let trash: TrashFolder
  private let name: String
  /// Directories whose new names are not on the disk yet.
  private var unflushed: [String: FilePlace] = [:]

  init(_ trash: TrashFolder, name: String) {
    self.trash = trash
    self.name = name
  }

  /// Moves a library's file into the trash. If a file of that path is there already, the batch gets a second folder.
  /// - Returns: the file's entry in the trash.
  /// - Throws: an error that `isOtherFileSystem` when the file is on another file system than the trash.
  package mutating func take(_ path: LibraryPath, of library: FileRoot) throws(FileError) -> TrashFolder.Entry {
    let source = library[path]
    guard let status = try trash.files.status(of: source) else {
      throw FileError(.move, source.text, code: .missing)
    }
    for attempt in 1... {
      let batch = attempt == 1 ? name : "\(name)-\(attempt)"
      guard let target = trash.folder.child(batch)?.appending(path) else { break }
      do throws(FileError) {
        try trash.files.makeFolders(target.parent, mode: .privateFolder)
        try trash.files.move(source, to: target, replacing: false)
      } catch {
        guard error.isPresent, attempt < 1000 else {
          if error.isOfOneFile { trash.tidy(above: target) }
          throw error
        }
        continue
      }
      for folder in [source.parent, target.parent] { unflushed[folder.text] = folder }
      return TrashFolder.Entry(
        batch: batch, path: path, size: status.size,
        trashedAt: Timestamp(folderName: batch) ?? status.modifiedAt)
    }
    throw FileError(.move, source.text, code: .missing)
  }

  /// Makes the moves survive a power cut.
  package mutating func sync() throws(FileError) {
    for folder in unflushed.values.sorted(by: { $0.text < $1.text }) { try trash.files.syncFolder(folder) }
    unflushed = [:]
  }
}
