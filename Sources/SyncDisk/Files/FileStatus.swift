// SPDX-License-Identifier: Apache-2.0
import CPosix
import Glibc
package import SyncCore

/// The status of an entry on disk, of a link itself and not of its target.
package struct FileStatus: Hashable, Sendable {
  package enum Kind: Hashable, Sendable { case file, directory, symbolicLink, other }

  /// Identifies a file, whatever its name.
  package struct Identity: Hashable, Sendable {
    package var device: UInt64
    package var inode: UInt64
    package init(device: UInt64, inode: UInt64) {
      self.device = device
      self.inode = inode
    }
  }

  package var kind: Kind
  package var size: ByteCount
  package var modifiedAt: Timestamp
  /// The fraction of a second after `modifiedAt`.
  package var modifiedNanoseconds: Int32
  package var identity: Identity
  /// The number of names that the file has.
  package var linkCount: Int
  package var mode: FileMode

  package init(
    kind: Kind, size: ByteCount, modifiedAt: Timestamp, modifiedNanoseconds: Int32 = 0, identity: Identity,
    linkCount: Int = 1, mode: FileMode
  ) {
    self.kind = kind
    self.size = size
    self.modifiedAt = modifiedAt
    self.modifiedNanoseconds = modifiedNanoseconds
    self.identity = identity
    self.linkCount = linkCount
    self.mode = mode
  }
}

/// Permission bits. The process's umask removes bits and never adds any.
package struct FileMode: Hashable, Sendable {
  package let bits: UInt32
  package init(_ bits: UInt32) { self.bits = bits & 0o7777 }

  /// 0600 and 0700: the state, which may hold URLs with tokens.
  package static let privateFile = FileMode(0o600)
  package static let privateFolder = FileMode(0o700)
  /// 0644 and 0755: media, and partials that become media.
  package static let sharedFile = FileMode(0o644)
  package static let sharedFolder = FileMode(0o755)

  /// True if only the owner has any access.
  package var isPrivate: Bool { bits & 0o077 == 0 }
  package var isWritableByOthers: Bool { bits & 0o022 != 0 }
  /// True if everybody may read the file.
  package var isOpenToReaders: Bool { bits & 0o004 != 0 }
  /// True if everybody may list the folder and go through it.
  package var isOpenToVisitors: Bool { bits & 0o005 == 0o005 }
}

/// One name in a directory.
package struct DirectoryEntry: Hashable, Sendable {
  package var name: String
  /// False when the name is not UTF-8, as all our names are: then `name` is repaired and cannot be used as a path.
  package var isNameExact: Bool
  package var status: FileStatus
  package init(name: String, isNameExact: Bool = true, status: FileStatus) {
    self.name = name
    self.isNameExact = isNameExact
    self.status = status
  }
}

/// The space of a file system.
package struct DiskSpace: Hashable, Sendable {
  /// The space that this user may use.
  package var available: ByteCount
  package var total: ByteCount
  package init(available: ByteCount, total: ByteCount) {
    self.available = available
    self.total = total
  }
}

extension FileStatus {
  /// The status of a name in a directory; of the link itself if it is one.
  /// - Parameter path: the path for errors.
  init(_ name: String, in directory: Int32, _ path: @autoclosure () -> String) throws(FileError) {
    var facts = stat()
    _ = try call(.examine, path()) { fstatat(directory, name, &facts, AT_SYMLINK_NOFOLLOW) }
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
