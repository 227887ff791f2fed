// SPDX-License-Identifier: Apache-2.0
import CPosix
import Glibc
import SyncCore

extension FileStatus {
  /// The status of a name in a directory; of the link itself if it is one.
  init(_ name: String, in directory: Int32, _ path: String) throws(FileError) {
    var facts = stat()
    _ = try call(.examine, path) { fstatat(directory, name, &facts, AT_SYMLINK_NOFOLLOW) }
    self.init(facts, name, in: directory)
  }

  init(descriptor: Int32, _ path: String) throws(FileError) {
    var facts = stat()
    _ = try call(.examine, path) { fstat(descriptor, &facts) }
    self.init(facts, "", in: descriptor)
  }

  /// A second name counts only when the file system itself confirms it.
  init(_ facts: stat, _ name: UnsafePointer<CChar>, in directory: Int32) {
    self.init(facts)
    guard kind == .file, linkCount > 1 else { return }
    var count: UInt32 = 0
    // An old kernel or a sandbox may refuse the call: the first answer counts.
    if syncjob_count_names(directory, name, &count) == 0 { linkCount = Int(count) }
  }

  private init(_ facts: stat) {
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
