// SPDX-License-Identifier: Apache-2.0
import SyncCore

/// The plain files of a library, whoever they belong to; the job's own folders are not looked into, links not followed.
struct LibraryWalk {
  let library: Library
  /// Only what was written at that time or later; nil: whatever is there.
  var since: Timestamp?

  /// FAT keeps times to two seconds, and a queue file is written a moment before it says so.
  private static let slack = Duration.seconds(4)

  /// Media, with its sizes. What has a second name is nobody's to take over.
  func media() throws(FileError) -> [LibraryPath: ByteCount] {
    var found: [LibraryPath: ByteCount] = [:]
    try walk { path, status in
      if path.isMedia, isMeant(status), status.linkCount == 1 { found[path] = status.size }
      return true
    }
    return found
  }

  /// Whether there is media that is not `owned`.
  func hasMedia(besides owned: Set<LibraryPath> = []) throws(FileError) -> Bool {
    var hasOne = false
    try walk { path, status in
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
  private func walk(_ visit: (LibraryPath, FileStatus) -> Bool) throws(FileError) {
    guard let root = library.mediaRoot else { return }
    var folders: [LibraryPath?] = [nil]
    while let folder = folders.popLast() {
      for entry in try library.files.listIfPresent(FilePlace(root, folder)) where entry.isNameExact {
        guard let path = LibraryPath(folder.map { "\($0.text)/\(entry.name)" } ?? entry.name) else { continue }
        switch entry.status.kind {
        case .directory where !isOwn(path): folders.append(path)
        case .file: guard visit(path, entry.status) else { return }
        default: break
        }
      }
    }
  }

  /// The state may lie anywhere in the library.
  private func isOwn(_ path: LibraryPath) -> Bool {
    path.text == StateFolder.name || "\(library.settings.path)/\(path.text)" == library.settings.state
  }
}
