// SPDX-License-Identifier: Apache-2.0
import Glibc
package import SyncCore

/// Whether other users can do anything in a folder of ours.
package enum FolderPrivacy: Equatable, Sendable {
  /// They cannot, or the file system does not know users, or they can look and it is not ours to close.
  case isPrivate
  /// They could look into it until now.
  case wasReadable
  /// They could write into it until now.
  case wasOpen
  /// They can write into it, and it is not ours to close.
  case isOpen
}

extension FileSystem {
  /// What has no users has nobody to close a folder to.
  package func makePrivate(_ folder: FileRoot) throws(FileError) -> FolderPrivacy { .isPrivate }
}

extension POSIXFileSystem {
  package func makePrivate(_ folder: FileRoot) throws(FileError) -> FolderPrivacy {
    let before = try facts(of: folder)
    guard !before.mode.isPrivate else { return .isPrivate }
    guard before.owner == geteuid() else { return before.mode.isWritableByOthers ? .isOpen : .isPrivate }
    // FAT and its like say no, or say yes and change nothing: their modes are the mount's, and tell nothing.
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
