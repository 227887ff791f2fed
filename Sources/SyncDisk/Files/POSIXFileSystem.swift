// SPDX-License-Identifier: Apache-2.0
import CPosix
import Glibc
package import SyncCore

/// The real file system, through direct system calls: Foundation does not sync directories, keep modes or refuse links.
package struct POSIXFileSystem: FileSystem {
  package init() {}

  package func openRoot(_ path: String, making mode: FileMode?) throws(FileError) -> FileRoot {
    if let mode { try makeAll(path, mode) }
    let descriptor = try call(.open, path) { syncjob_open_root(path) }
    return root(path, descriptor)
  }

  package func openRoot(_ place: FilePlace, making mode: FileMode?) throws(FileError) -> FileRoot {
    if let mode { try makeFolders(place, mode: mode) }
    return root(place.text, try PathWalk(place.root).open(place.path, .open))
  }

  package func status(of place: FilePlace) throws(FileError) -> FileStatus? {
    do throws(FileError) {
      return try inParent(of: place, .examine) { parent, name throws(FileError) in
        try FileStatus(name, in: parent, place.text)
      }
    } catch {
      if error.isMissing { return nil }
      throw error
    }
  }

  package func list(
    _ folder: FilePlace, where isMeant: (String) -> Bool
  ) throws(FileError) -> [DirectoryEntry] {
    try DirectoryListing(descriptor: openForReading(folder, .list), folder.text).entries(where: isMeant)
  }

  package func checkWritable(_ folder: FilePlace) throws(FileError) {
    let descriptor = try PathWalk(folder.root).open(folder.path, .create)
    defer { close(descriptor) }
    // Without flags it is faccessat(2) itself; with AT_EACCESS it would be faccessat2(2), which some containers forbid.
    _ = try call(.create, folder.text) { faccessat(descriptor, ".", R_OK | W_OK | X_OK, 0) }
  }

  package func mount(of folder: FilePlace) throws(FileError) -> UInt64? {
    let descriptor = try PathWalk(folder.root).open(folder.path, .examine)
    defer { close(descriptor) }
    var id: UInt64 = 0
    // An older kernel does not tell. The device is compared as well.
    return syncjob_mount_id(descriptor, &id) == 0 ? id : nil
  }

  package func makeFolders(_ folder: FilePlace, mode: FileMode) throws(FileError) {
    guard let path = folder.path else { return }
    if let status = try status(of: folder) {
      guard status.kind == .directory else { throw FileError(.makeFolder, folder.text, code: ErrnoCode(ENOTDIR)) }
      do throws(FileError) { try syncFolder(folder.parent) } catch {
        // A person made a folder that may not be read, and with it those below.
        guard error.isDenied else { throw error }
      }
      return
    }
    if path.parent != nil { try makeFolders(folder.parent, mode: mode) }
    do throws(FileError) {
      try inParent(of: folder, .makeFolder) { parent, name throws(FileError) in
        _ = try call(.makeFolder, folder.text) { syncjob_make_folder(parent, name, mode.bits) }
      }
    } catch {
      guard error.isPresent else { throw error }
    }
    try syncFolder(folder.parent)
  }

  package func open(_ place: FilePlace, for access: FileAccess) throws(FileError) -> any OpenFile {
    // Without O_NONBLOCK, opening a FIFO that somebody planted would block.
    let flags = access.flags | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | O_NOCTTY
    let operation = access.operation
    let descriptor: Int32
    do throws(FileError) {
      descriptor = try inParent(of: place, operation) { parent, name throws(FileError) in
        try call(operation, place.text) {
          flags & O_CREAT != 0
            ? syncjob_create_file(parent, name, flags, access.mode.bits) : openat(parent, name, flags)
        }
      }
    } catch {
      // A socket, a device without hardware, or a pipe that nobody reads (open(2)).
      throw error.code == ErrnoCode(ENXIO) ? FileError(operation, place.text, .notAFile) : error
    }
    let file = POSIXOpenFile(descriptor: descriptor, path: place.text)
    let status = try file.status()
    guard status.kind == .file else { throw FileError(operation, place.text, .notAFile) }
    guard access.allowsSecondName || status.linkCount <= 1 else { throw FileError(operation, place.text, .hardLinked) }
    return file
  }

  package func move(_ source: FilePlace, to target: FilePlace, replacing: Bool) throws(FileError) {
    try inParent(of: source, .move) { from, oldName throws(FileError) in
      try inParent(of: target, .move) { to, newName throws(FileError) in
        do throws(FileError) {
          _ = try call(.move, source.text, to: target.text) {
            replacing
              ? renameat(from, oldName, to, newName) : syncjob_rename_noreplace(from, oldName, to, newName)
          }
        } catch {
          guard !replacing, error.code == ErrnoCode(EINVAL) || error.code == ErrnoCode(ENOSYS) else { throw error }
          try moveWithoutFlag(source, from, oldName, to: target, to, newName)
        }
      }
    }
  }

  package func link(_ source: FilePlace, to target: FilePlace) throws(FileError) -> Bool {
    do throws(FileError) {
      try inParent(of: source, .link) { from, oldName throws(FileError) in
        try inParent(of: target, .link) { to, newName throws(FileError) in
          _ = try call(.link, source.text, to: target.text) { linkat(from, oldName, to, newName, 0) }
        }
      }
      return true
    } catch {
      guard let code = error.code, [EPERM, EOPNOTSUPP, ENOSYS, EMLINK, EINVAL].contains(code.code) else { throw error }
      return false
    }
  }

  package func removeFile(_ place: FilePlace) throws(FileError) { try unlink(place, flags: 0) }

  package func removeFolder(_ place: FilePlace) throws(FileError) { try unlink(place, flags: AT_REMOVEDIR) }

  package func syncFolder(_ folder: FilePlace) throws(FileError) {
    let descriptor: Int32
    do throws(FileError) { descriptor = try openForReading(folder, .syncFolder) } catch {
      guard error.isDenied, try syncFileSystem(of: folder) else { throw error }
      return
    }
    defer { close(descriptor) }
    do throws(FileError) { _ = try call(.syncFolder, folder.text) { fsync(descriptor) } } catch {
      // Some file systems (FUSE, old SMB) have nothing to flush for a directory and report it this way.
      guard error.code == ErrnoCode(EINVAL) || error.code == ErrnoCode(EOPNOTSUPP) else { throw error }
    }
  }

  package func space(at root: FileRoot) throws(FileError) -> DiskSpace {
    var facts = statvfs()
    _ = try call(.measureSpace, root.path) { fstatvfs(root.handle, &facts) }
    let unit = Int64(clamping: facts.f_frsize)
    func bytes(_ blocks: fsblkcnt_t) -> ByteCount {
      let (product, overflow) = Int64(clamping: blocks).multipliedReportingOverflow(by: unit)
      return ByteCount(overflow ? .max : product)
    }
    return DiskSpace(available: bytes(facts.f_bavail), total: bytes(facts.f_blocks))
  }

  package func kind(of root: FileRoot) throws(FileError) -> FileSystemKind {
    var magic: UInt32 = 0
    _ = try call(.measureSpace, root.path) { syncjob_file_system_type(root.handle, &magic) }
    return FileSystemKind(magic: magic)
  }
}

extension POSIXFileSystem {
  private func root(_ path: String, _ descriptor: Int32) -> FileRoot {
    FileRoot(path: path, handle: descriptor) { _ = Glibc.close($0) }
  }

  /// Makes the missing part of a path that may lead through links: only the existing part can contain any.
  private func makeAll(_ path: String, _ mode: FileMode) throws(FileError) {
    var made = path.hasPrefix("/") ? "" : "."
    for component in path.split(separator: "/") {
      let parent = made.isEmpty ? "/" : made
      made += "/\(component)"
      do throws(FileError) {
        let folder = try openRoot(parent, making: nil)
        _ = try call(.makeFolder, made) { syncjob_make_folder(folder.handle, String(component), mode.bits) }
      } catch {
        // A read-only file system reports an error even where the directory exists.
        if error.isPresent || access(made, F_OK) == 0 { continue }
        throw error
      }
      try syncFolder(FilePlace(openRoot(parent, making: nil)))
    }
  }

  /// Calls `body` with the directory that contains a place, and the name in it.
  private func inParent<Result>(
    of place: FilePlace, _ operation: FileError.Operation, _ body: (Int32, String) throws(FileError) -> Result
  ) throws(FileError) -> Result {
    guard let path = place.path else { return try body(place.root.handle, ".") }
    guard let parent = path.parent else { return try body(place.root.handle, path.text) }
    let descriptor = try PathWalk(place.root).open(parent, operation)
    defer { close(descriptor) }
    return try body(descriptor, String(path.name))
  }

  private func openForReading(_ folder: FilePlace, _ operation: FileError.Operation) throws(FileError) -> Int32 {
    try inParent(of: folder, operation) { parent, name throws(FileError) in
      try call(operation, folder.text) { openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC) }
    }
  }

  /// Flushes the whole file system of a folder that may be changed but not read, such as one of mode 0311. fsync(2) needs
  /// an open folder, and syncfs(2) any open file: here one without a name, which needs no permission to read.
  /// - Returns: False if no such file can be had.
  private func syncFileSystem(of folder: FilePlace) throws(FileError) -> Bool {
    let handle = try PathWalk(folder.root).open(folder.path, .syncFolder)
    defer { close(handle) }
    let file = syncjob_open_nameless(handle)
    guard file >= 0 else { return false }
    defer { close(file) }
    _ = try call(.syncFolder, folder.text) { syncjob_sync_file_system(file) }
    return true
  }

  private func unlink(_ place: FilePlace, flags: Int32) throws(FileError) {
    try inParent(of: place, .remove) { parent, name throws(FileError) in
      _ = try call(.remove, place.text) { unlinkat(parent, name, flags) }
    }
  }

  /// For file systems without RENAME_NOREPLACE (NFS, some FUSE): a second name is added and the first removed, which is
  /// safe against all other processes. Without second names, the target is checked and the file is then moved: the lock
  /// keeps other runs away, and an empty file that reserved the name could outlive a power cut under the final name.
  private func moveWithoutFlag(
    _ source: FilePlace, _ from: Int32, _ oldName: String, to target: FilePlace, _ to: Int32, _ newName: String
  ) throws(FileError) {
    if linkat(from, oldName, to, newName, 0) == 0 {
      _ = try call(.move, source.text, to: target.text) { unlinkat(from, oldName, 0) }
      return
    }
    if errno == EEXIST { throw FileError(.move, source.text, to: target.text, code: ErrnoCode(EEXIST)) }
    guard faccessat(to, newName, F_OK, AT_SYMLINK_NOFOLLOW) != 0 else {
      throw FileError(.move, source.text, to: target.text, code: ErrnoCode(EEXIST))
    }
    _ = try call(.move, source.text, to: target.text) { renameat(from, oldName, to, newName) }
  }
}

extension FileAccess {
  fileprivate var flags: Int32 {
    switch self {
    case .reading: O_RDONLY
    case .writing: O_RDWR
    case .creating: O_RDWR | O_CREAT | O_EXCL
    case .writingOrCreating, .locking: O_RDWR | O_CREAT
    }
  }

  fileprivate var operation: FileError.Operation {
    if case .creating = self { .create } else { .open }
  }

  fileprivate var mode: FileMode {
    switch self {
    case .creating(let mode), .writingOrCreating(let mode), .locking(let mode): mode
    case .reading, .writing: FileMode(0)
    }
  }
}
