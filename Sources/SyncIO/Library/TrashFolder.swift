// SPDX-License-Identifier: Apache-2.0
import SyncCore

/// Removed media, kept for a while: `trash/2026-11-21T06-00-03Z/Commute mix/Night Drive.mp3`.
struct TrashFolder {
  /// All that was removed in one second.
  struct Batch: Equatable {
    var name: String
    var since: Timestamp
    var bytes: ByteCount = .zero
    var files = 0
  }

  private let library: Library

  init(_ library: Library) { self.library = library }

  /// Moves a file of the library here, beside nothing of the same name.
  func take(_ path: LibraryPath, at now: Timestamp) throws(FileError) {
    let batch = library.statePlace("trash/\(Self.name(of: now))")
    let target = batch.appending(path)
    try library.files.makeFolders(target.parent, mode: .privateFolder)
    do throws(FileError) {
      try library.files.move(library.root[path], to: target, replacing: false)
    } catch {
      if error.isMissing { return }
      // A state folder on another file system cannot take the file over by renaming; the file was to go anyway.
      guard error.isOtherFileSystem || error.isPresent else { throw error }
      try library.files.removeFileIfPresent(library.root[path])
    }
    try library.files.syncFolder(target.parent)
  }

  /// Oldest first.
  func batches() throws(FileError) -> [Batch] {
    var batches: [Batch] = []
    for entry in try list(library.statePlace("trash")) {
      guard entry.status.kind == .directory, let since = Self.time(of: entry.name) else { continue }
      var batch = Batch(name: entry.name, since: since)
      try count(library.statePlace("trash/\(entry.name)"), &batch)
      batches.append(batch)
    }
    return batches
  }

  func delete(_ batch: Batch) throws(FileError) { try delete(library.statePlace("trash/\(batch.name)")) }

  private func count(_ folder: FilePlace, _ batch: inout Batch) throws(FileError) {
    for entry in try list(folder) {
      if entry.status.kind == .directory, let inner = folder.child(entry.name) {
        try count(inner, &batch)
      } else if entry.status.kind == .file {
        batch.bytes += entry.status.size
        batch.files += 1
      }
    }
  }

  private func delete(_ folder: FilePlace) throws(FileError) {
    for entry in try list(folder) {
      guard let inner = folder.child(entry.name) else { continue }
      if entry.status.kind == .directory { try delete(inner) } else { try library.files.removeFileIfPresent(inner) }
    }
    try library.files.removeFolder(folder)
  }

  private func list(_ folder: FilePlace) throws(FileError) -> [DirectoryEntry] {
    do throws(FileError) { return try library.files.list(folder) } catch {
      guard error.isMissing else { throw error }
      return []
    }
  }

  /// Without colons, which FAT does not take.
  private static func name(of time: Timestamp) -> String {
    String(time.rfc3339.map { $0 == ":" ? "-" : $0 })
  }

  private static func time(of name: String) -> Timestamp? {
    let parts = name.split(separator: "T", omittingEmptySubsequences: false)
    guard parts.count == 2 else { return nil }
    return Timestamp(rfc3339: "\(parts[0])T\(String(parts[1].map { $0 == "-" ? ":" : $0 }))")
  }
}
