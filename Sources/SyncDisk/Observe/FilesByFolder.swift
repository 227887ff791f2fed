// SPDX-License-Identifier: Apache-2.0
import SyncCore

/// Files to examine, in groups of one folder each. A folder is opened once, or once for each part of a long one, and each
/// file in it then costs one system call, in whatever order the files were added.
struct FilesByFolder {
  private typealias File = (path: LibraryPath, token: Int)

  private struct Group {
    let folder: LibraryPath?
    var files: [File] = []
  }

  /// Files that one processor examines in a row: slices of groups.
  private typealias Part = [(folder: LibraryPath?, files: ArraySlice<File>)]

  private var groups: [Group] = []
  /// The positions of the groups by the bytes of their folders. Two folders whose names differ only in their Unicode
  /// form have equal strings.
  private var positions: [[UInt8]: Int] = [:]
  private var latest = 0

  /// - Parameter token: the number that stands for the file in `examine`.
  mutating func add(_ path: LibraryPath, token: Int) {
    latest = position(of: path)
    groups[latest].files.append((path, token))
  }

  private mutating func position(of path: LibraryPath) -> Int {
    let folder = path.folderText.utf8
    // Most files follow another file of their folder.
    if let last = groups.indices.contains(latest) ? groups[latest].files.first : nil,
      last.path.folderText.utf8.elementsEqual(folder)
    {
      return latest
    }
    return positions[[UInt8](folder)] ?? addGroup(path.parent, [UInt8](folder))
  }

  private mutating func addGroup(_ folder: LibraryPath?, _ key: [UInt8]) -> Int {
    groups.append(Group(folder: folder))
    positions[key] = groups.count - 1
    return groups.count - 1
  }

  /// Examines all files.
  /// - Parameters:
  ///   - root: nil if there is no library, and so no file.
  ///   - visit: gets the token and the path of a file, and its status: nil if nothing is there, or the error that hides
  ///     it, which may be that of its folder.
  func examine(
    below root: FileRoot?, _ system: any FileSystem,
    _ visit: (Int, LibraryPath, Result<FileStatus?, FileError>) throws(FileError) -> Void
  ) throws(FileError) {
    var parts = parts[...]
    while !parts.isEmpty {
      // Not all parts at once: the statuses of a million files would fill the memory.
      let next = Array(parts.prefix(Self.runner.width))
      parts = parts.dropFirst(next.count)
      for examined in Self.runner.run(next, { part in Self.statuses(part, below: root, system) }) {
        for file in examined { try visit(file.token, file.path, file.status) }
      }
    }
  }

  private static let runner = ParallelParts()
  /// The number of files that one processor examines in a row. The order of calls in a library of fewer files is fixed.
  private static let partLength = 2048

  /// The groups in parts of about the same length. A long group is divided.
  private var parts: [Part] {
    var parts: [Part] = []
    var room = 0
    for group in groups {
      var files = group.files[...]
      while !files.isEmpty {
        if room == 0 {
          parts.append([])
          room = Self.partLength
        }
        let taken = files.prefix(room)
        parts[parts.count - 1].append((group.folder, taken))
        files = files.dropFirst(taken.count)
        room -= taken.count
      }
    }
    return parts
  }

  private typealias Examined = (token: Int, path: LibraryPath, status: Result<FileStatus?, FileError>)

  private static func statuses(_ part: Part, below root: FileRoot?, _ system: any FileSystem) -> [Examined] {
    part.flatMap { group in
      let folder = Result { () throws(FileError) in try open(group.folder, below: root, system) }
      return group.files.map { path, token in
        let status = Result { () throws(FileError) -> FileStatus? in
          guard let folder = try folder.get(), let name = LibraryPath(path.name) else { return nil }
          return try system.status(of: folder[name])
        }
        return (token, path, status)
      }
    }
  }

  /// Nil when there is no such folder.
  private static func open(
    _ folder: LibraryPath?, below root: FileRoot?, _ system: any FileSystem
  ) throws(FileError) -> FileRoot? {
    guard let root, let folder else { return root }
    do throws(FileError) { return try system.openRoot(root[folder], making: nil) } catch {
      guard error.isMissing else { throw error }
      return nil
    }
  }
}
