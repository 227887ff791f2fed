// SPDX-License-Identifier: Apache-2.0
import SyncCore

/// The plain files of a library, whoever they belong to; the job's own folders are not looked into, links not followed.
struct LibraryWalk {
  let library: Library
  /// Only what was written at that time or later; nil: whatever is there.
  var since: Timestamp?

  /// FAT keeps times to two seconds, and a queue file is written a moment before it says so.
  private static let slack = Duration.seconds(4)

  /// What was found, and what was closed.
  struct Finds {
    /// Media, with its sizes.
    var media: [LibraryPath: ByteCount] = [:]
    /// Folders that could not be looked into, with the reasons.
    var closed: [FileError] = []
  }

  /// What has a second name is nobody's to take over.
  func media() throws(FileError) -> Finds {
    var finds = Finds()
    finds.closed = try walk { path, status in
      if path.isMedia, isMeant(status), status.linkCount == 1 { finds.media[path] = status.size }
      return true
    }
    return finds
  }

  /// Whether there is media that is not `owned`.
  func hasMedia(besides owned: Set<LibraryPath> = []) throws(FileError) -> Bool {
    var hasOne = false
    _ = try walk { path, status in
      hasOne = path.isMedia && isMeant(status) && !owned.contains(path)
      return !hasOne
    }
    return hasOne
  }

  private func isMeant(_ status: FileStatus) -> Bool {
    guard status.size > .zero else { return false }
    return since.map { status.modifiedAt >= $0 - Self.slack } ?? true
  }

  /// - Parameter visit: false ends the walk.
  /// - Returns: why folders were passed over: those that others closed, as `lost+found` is.
  private func walk(_ visit: (LibraryPath, FileStatus) -> Bool) throws(FileError) -> [FileError] {
    guard let root = library.mediaRoot else { return [] }
    var folders: [(path: LibraryPath?, mode: FileMode)] = [(nil, .sharedFolder)]
    var closed: [FileError] = []
    while let folder = folders.popLast() {
      let entries: [DirectoryEntry]
      do throws(FileError) { entries = try library.files.listIfPresent(FilePlace(root, folder.path)) } catch {
        guard error.isDenied, !folder.mode.isOpenToVisitors else { throw error }
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

  /// The state may lie anywhere in the library.
  private func isOwn(_ path: LibraryPath) -> Bool {
    path.text == StateFolder.name || "\(library.settings.path)/\(path.text)" == library.settings.state
  }
}
