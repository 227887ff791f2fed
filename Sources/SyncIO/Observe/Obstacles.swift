// SPDX-License-Identifier: Apache-2.0
import SyncCore

/// Files of others at the paths where a plan puts files. The run itself works around them, and a plan should show how.
struct Obstacles {
  /// Wanted paths that files of others occupy.
  private(set) var taken: Set<LibraryPath> = []
  /// Paths where a folder should be but something else is, with the number of files that belong in that folder.
  private(set) var folders: [LibraryPath: Int] = [:]

  private let library: Library
  private var ways: [LibraryPath: Way] = [:]

  /// The state of the way to a folder.
  private enum Way {
    case open
    /// The folder has not been made yet.
    case missing
    /// Something that is not a folder is at that path.
    case barred(LibraryPath)
  }

  init(to plan: Plan, _ queue: Queue, in library: Library) throws(FileError) {
    self.library = library
    guard let root = library.mediaRoot else { return }
    let naming = library.rules.naming
    lazy var owned = Set(queue.items.compactMap { $0.state.storedFile.map { naming.key($0.path) } })
    for change in plan.changes {
      guard change.action.makesName, let path = change.path else { continue }
      switch try way(to: path.parent, root) {
      case .missing: break
      case .barred(let obstacle): folders[obstacle, default: 0] += 1
      case .open:
        // The owned names are checked first: some file systems cache for a while that a name in another case was looked
        // up and existed.
        guard !owned.contains(naming.key(path)), try library.files.status(of: root[path]) != nil else { continue }
        taken.insert(path)
      }
    }
  }

  var warnings: [Warning] {
    folders.sorted { $0.key < $1.key }.map { .folderObstructed(path: $0.key, files: $0.value) }
  }

  private mutating func way(to folder: LibraryPath?, _ root: FileRoot) throws(FileError) -> Way {
    guard let folder else { return .open }
    if let known = ways[folder] { return known }
    var way = try way(to: folder.parent, root)
    if case .open = way {
      let status = try library.files.status(of: root[folder])
      way = status.map { $0.kind == .directory ? .open : .barred(folder) } ?? .missing
    }
    ways[folder] = way
    return way
  }
}

extension Change.Action {
  /// True if a file gets a name that it did not have.
  fileprivate var makesName: Bool {
    switch self {
    case .download, .resume, .move: true
    case .adopt, .upgrade, .remove, .evict, .defer, .keep: false
    }
  }
}
