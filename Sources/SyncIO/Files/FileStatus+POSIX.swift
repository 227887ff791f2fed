// SPDX-License-Identifier: Apache-2.0
import Glibc
import SyncCore

extension FileStatus {
  /// Of a name in a directory, the link itself when it is one.
  init(_ name: String, in directory: Int32, _ path: String) throws(FileError) {
    var facts = stat()
    _ = try call(.examine, path) { fstatat(directory, name, &facts, AT_SYMLINK_NOFOLLOW) }
    self.init(facts)
  }

  init(descriptor: Int32, _ path: String) throws(FileError) {
    var facts = stat()
    _ = try call(.examine, path) { fstat(descriptor, &facts) }
    self.init(facts)
  }

  init(_ facts: stat) {
    let kind: Kind =
      switch facts.st_mode & S_IFMT {
      case S_IFREG: .file
      case S_IFDIR: .directory
      case S_IFLNK: .symbolicLink
      default: .other
      }
    self.init(
      kind: kind, size: ByteCount(exactly: Int64(facts.st_size)) ?? .zero,
      modifiedAt: Timestamp(secondsSince1970: Int64(facts.st_mtim.tv_sec)),
      modifiedNanoseconds: Int32(clamping: facts.st_mtim.tv_nsec),
      identity: Identity(device: UInt64(facts.st_dev), inode: UInt64(facts.st_ino)),
      linkCount: Int(clamping: facts.st_nlink), mode: FileMode(facts.st_mode))
  }
}
