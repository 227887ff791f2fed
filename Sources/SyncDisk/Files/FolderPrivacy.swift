// SPDX-License-Identifier: Apache-2.0
import Glibc
package import SyncCore

/// The access that other users have to a folder of ours.
package enum FolderPrivacy: Equatable, Sendable {
  /// No access, or a file system without users, or only read access to a folder that we may not close.
  case isPrivate
  /// Other users could read it until now.
  case wasReadable
  /// Other users could write into it until now.
  case wasOpen
  /// Other users can write into it, and we may not close it.
  case isOpen
}

extension FileSystem {
  /// A file system without users has nobody to exclude.
  package func makePrivate(_ folder: FileRoot) throws(FileError) -> FolderPrivacy { .isPrivate }
}

extension POSIXFileSystem {
  package func makePrivate(_ folder: FileRoot) throws(FileError) -> FolderPrivacy {
    let before = try facts(of: folder)
    guard !before.mode.isPrivate else { return .isPrivate }
    guard before.owner == geteuid() else { return before.mode.isWritableByOthers ? .isOpen : .isPrivate }
    // FAT and similar file systems refuse, or accept and change nothing: their modes are set by the mount and mean
    // nothing.
    guard fchmodat(folder.handle, ".", FileMode.privateFolder.bits, 0) == 0,
      try facts(of: folder).mode.isPrivate
    else { return .isPrivate }
    return before.mode.isWritableByOthers ? .wasOpen : .wasReadable
  }

  private func facts(of folder: FileRoot) throws(FileError) -> (owner: uid_t, mode: FileMode) {
    var facts = stat()
    guard fstatat(folder.handle, ".", &facts, 0) == 0 else {
      throw FileError(.examine, folder.path, code: ErrnoCode(errno))
    }
    return (facts.st_uid, FileMode(facts.st_mode))
  }
}
