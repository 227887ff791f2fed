// SPDX-License-Identifier: Apache-2.0
package import SyncCore

/// Files of others at the paths where a plan puts files. The run itself works around them, and a plan should show how.
package struct Obstacles {
  /// Wanted paths that files of others occupy.
  package private(set) var taken: Set<LibraryPath> = []
  /// Folders that accept no files, or paths where something else is, with the number of files that belong there.
  private(set) var folders: [FolderWays.Way: Int] = [:]

  package init(to plan: Plan, _ queue: Queue, in library: Library) throws(FileError) {
    guard let root = library.mediaRoot else { return }
    var ways = try FolderWays(below: root, library.files)
    let naming = library.rules.naming
    lazy var owned = Set(queue.items.compactMap { $0.state.storedFile.map { naming.key($0.path) } })
    for index in plan.steps.indices {
      guard let path = plan.steps[index].newPath else { continue }
      let way = try ways.way(to: path.parent)
      switch way {
      case .missing: break
      case .barred, .closed: folders[way, default: 0] += 1
      case .open:
        // The owned names are checked first: some file systems cache for a while that a name in another case was looked
        // up and existed.
        guard !owned.contains(naming.key(path)), try isTaken(root[path], library.files) else { continue }
        taken.insert(path)
      }
    }
  }

  private func isTaken(_ place: FilePlace, _ files: any FileSystem) throws(FileError) -> Bool {
    do throws(FileError) { return try files.status(of: place) != nil } catch {
      // No file can have such a name.
      guard error.isOfName else { throw error }
      return false
    }
  }

  package var warnings: [Warning] {
    let warnings = folders.compactMap { way, files -> (LibraryPath, Warning)? in
      switch way {
      case .open, .missing: nil
      case .barred(let path): (path, .folderObstructed(path: path, files: files))
      case .closed(let path, let code): (path, .folderClosed(path: path, code, files: files))
      }
    }
    return warnings.sorted { $0.0 < $1.0 }.map(\.1)
  }
}

extension Step {
  /// The path of a file that gets a name which it did not have.
  fileprivate var newPath: LibraryPath? {
    switch self {
    case .download(let fetch): fetch.path
    // A file that is locked or comes back finds a free name by itself.
    case .move(let step): if case .layout = step.move.target { step.path } else { nil }
    case .adopt, .upgrade, .protect, .remove, .evict, .push, .defer, .keep, .skip, .ignore: nil
    }
  }
}
