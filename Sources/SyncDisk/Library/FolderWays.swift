// SPDX-License-Identifier: Apache-2.0
package import SyncCore

/// Tells whether folders of the library accept new files. Each folder is looked at once; nothing is made or written.
package struct FolderWays {
  package enum Way: Hashable {
    case open
    /// The folder is not there, and can be made.
    case missing
    /// Something that is not a folder is at this path.
    case barred(LibraryPath)
    /// The system accepts no new files in this folder.
    case closed(LibraryPath, ErrnoCode)
  }

  private let files: any FileSystem
  private let root: FileRoot
  /// The file system of the library.
  private let device: UInt64?
  private let mount: UInt64?
  private var known: [LibraryPath: Way] = [:]

  package init(below root: FileRoot, _ files: any FileSystem) throws(FileError) {
    self.files = files
    self.root = root
    device = try files.status(of: FilePlace(root))?.identity.device
    mount = try files.mount(of: FilePlace(root))
  }

  /// - Parameter folder: nil for the library itself, which is always open: a run begins by writing there.
  package mutating func way(to folder: LibraryPath?) throws(FileError) -> Way {
    guard let folder else { return .open }
    if let known = known[folder] { return known }
    let way = try look(at: folder)
    known[folder] = way
    return way
  }

  /// The reason why a file cannot be moved into the trash. Nil if its folder lets it go, as far as can be seen.
  package mutating func obstacle(toTrashing path: LibraryPath) throws(FileError) -> FileError? {
    guard case .closed(let folder, let code) = try way(to: path.parent) else { return nil }
    return FileError(.move, folder.text, code: code)
  }

  private mutating func look(at folder: LibraryPath) throws(FileError) -> Way {
    let above = try way(to: folder.parent)
    if case .barred = above { return above }
    do throws(FileError) {
      guard let status = try files.status(of: root[folder]) else { return above == .open ? .missing : above }
      guard status.kind == .directory else { return .barred(folder) }
      // A partial becomes a finished file by a rename, which cannot cross file systems.
      guard status.identity.device == device else { return .closed(folder, .exdev) }
      // The same file system may be mounted at two places, and a rename cannot cross these either.
      guard try files.mount(of: root[folder]) == mount else { return .closed(folder, .exdev) }
      try files.checkWritable(root[folder])
      return .open
    } catch {
      guard error.isOfOneFolder || error.isOfName, let code = error.code else { throw error }
      // A folder that may not even be searched stands for all that is below it.
      if case .closed = above { return above }
      return .closed(folder, code)
    }
  }
}
