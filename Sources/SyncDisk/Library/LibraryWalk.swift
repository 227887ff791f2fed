// SPDX-License-Identifier: Apache-2.0
package import SyncCore

/// Finds the plain files of a library, including those of others. It does not enter the job's own folders or follow
/// links.
struct LibraryWalk {
  let library: Library
  /// Only files that were written at that time or later; nil for all files.
  var since: Timestamp?
  /// True if folders that the system does not let the program read are skipped, whatever their modes say.
  var passesOverRefusals = false

  /// FAT stores times in steps of two seconds, and a queue file is written a moment before the time that it states.
  private static let slack = Duration.seconds(4)

  /// The files that were found, and the folders that were closed.
  struct Finds {
    /// Media files with their sizes.
    var media: [LibraryPath: ByteCount] = [:]
    /// Folders that could not be read, with the reasons.
    var closed: [FileError] = []
  }

  /// Finds media files. A file with a second name may belong to somebody else and is never taken over.
  func media() throws(FileError) -> Finds {
    var finds = Finds()
    finds.closed = try walk { path, status in
      if path.isMedia, isMeant(status), status.linkCount == 1 { finds.media[path] = status.size }
      return true
    }
    try addLocked(to: &finds)
    return finds
  }

  /// Adds the files whose licence is over: they are in a folder of our own.
  private func addLocked(to finds: inout Finds) throws(FileError) {
    guard let root = library.mediaRoot, let folder = LibraryPath(LibraryPath.lockedFolder) else { return }
    for entry in try library.files.listIfPresent(root[folder]) where entry.isNameExact && entry.status.kind == .file {
      guard let path = LibraryPath("\(folder.text)/\(entry.name)"), path.isMedia, isMeant(entry.status),
        entry.status.linkCount == 1
      else { continue }
      finds.media[path] = entry.status.size
    }
  }

  /// True if there is media that is not `owned`.
  func hasMedia(besides owned: Set<LibraryPath> = []) throws(FileError) -> Bool {
    var hasOne = false
    _ = try walk { path, status in
      hasOne = path.isMedia && isMeant(status) && !owned.contains(path)
      return !hasOne
    }
    return hasOne
  }

  /// The first sealed file that it finds.
  fileprivate func firstSealed() throws(FileError) -> LibraryPath? {
    var found: LibraryPath?
    _ = try walk { path, _ in
      if path.isMedia, path.isSealed { found = path }
      return found == nil
    }
    return found
  }

  private func isMeant(_ status: FileStatus) -> Bool {
    guard status.size > .zero else { return false }
    return since.map { status.modifiedAt >= $0 - Self.slack } ?? true
  }

  /// - Parameter visit: returns false to end the walk.
  /// - Returns: the reasons why folders were skipped: those that others closed, such as `lost+found`.
  private func walk(_ visit: (LibraryPath, FileStatus) -> Bool) throws(FileError) -> [FileError] {
    guard let root = library.mediaRoot else { return [] }
    var folders: [(path: LibraryPath?, mode: FileMode)] = [(nil, .sharedFolder)]
    var closed: [FileError] = []
    while let folder = folders.popLast() {
      let entries: [DirectoryEntry]
      do throws(FileError) { entries = try library.files.listIfPresent(FilePlace(root, folder.path)) } catch {
        guard passesOverRefusals ? error.isOfOneFile : error.isDenied && !folder.mode.isOpenToVisitors else {
          throw error
        }
        closed.append(error)
        continue
      }
      for entry in entries where entry.isNameExact {
        guard let path = LibraryPath(folder.path.map { "\($0.text)/\(entry.name)" } ?? entry.name) else { continue }
        switch entry.status.kind {
        case .directory where !isOwn(path): folders.append((path, entry.status.mode))
        case .file: guard visit(path, entry.status) else { return closed }
        default: break
        }
      }
    }
    return closed
  }

  /// The state folder may be anywhere in the library.
  private func isOwn(_ path: LibraryPath) -> Bool {
    path.text == StateFolder.name || "\(library.settings.path)/\(path.text)" == library.settings.state
  }
}

extension Library {
  /// True for the library's folder or one below it, whether something is there or not.
  package func contains(_ path: String) -> Bool { ProtectedFiles.leads(path, into: settings.path) }

  /// A sealed file in the library. Nil if there is none.
  package func anySealedFile() throws(FileError) -> LibraryPath? { try LibraryWalk(library: self).firstSealed() }
}
