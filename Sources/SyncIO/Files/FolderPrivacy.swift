// SPDX-License-Identifier: Apache-2.0
import Glibc
package import SyncCore

/// Whether other users can write into a folder of ours.
package enum FolderPrivacy: Equatable, Sendable {
  /// They cannot, or the file system does not know users.
  case isPrivate
  /// They could until now.
  case wasOpen
  /// They can, and it is not ours to close.
  case isOpen
}

extension FileSystem {
  /// What has no users has nobody to close a folder to.
  package func makePrivate(_ folder: FileRoot) throws(FileError) -> FolderPrivacy { .isPrivate }
}

extension POSIXFileSystem {
  package func makePrivate(_ folder: FileRoot) throws(FileError) -> FolderPrivacy {
    let before = try facts(of: folder)
    guard before.isOpen else { return .isPrivate }
    guard before.owner == geteuid() else { return .isOpen }
    // FAT and its like say no, or say yes and change nothing: their modes are the mount's, and tell nothing.
    guard fchmodat(folder.handle, ".", FileMode.privateFolder.bits, 0) == 0 else { return .isPrivate }
    return try facts(of: folder).isOpen ? .isPrivate : .wasOpen
  }

  private func facts(of folder: FileRoot) throws(FileError) -> (owner: uid_t, isOpen: Bool) {
    var facts = stat()
    guard fstatat(folder.handle, ".", &facts, 0) == 0 else {
      throw FileError(.examine, folder.path, code: ErrnoCode(errno))
    }
    return (facts.st_uid, facts.st_mode & 0o022 != 0)
  }
}
