// SPDX-License-Identifier: Apache-2.0
package import SyncCore

extension ErrnoCode {
  /// The meaning of the system's error number, in English whatever the locale.
  package var words: String {
    switch self {
    case .eacces: "permission denied"
    case .eperm: "operation not permitted"
    case .enoent: "no such file or directory"
    case .enotdir: "a part of the path is not a directory"
    case .eisdir: "it is a directory"
    case .eexist: "it exists already"
    case .enospc: "no space left on the device"
    case .edquot: "disk quota exceeded"
    case .erofs: "the file system is read-only"
    case .eio: "input/output error"
    case .eloop: "a symbolic link is in the way"
    case .enametoolong: "the name is too long"
    case .emfile, .enfile: "too many open files"
    case .efbig: "the file is too large for the file system"
    case .exdev: "it lies on another file system"
    case .ebusy: "it is in use"
    case .enodev, .enxio: "no such device"
    case .estale: "the network file system lost it"
    case .eilseq: "its path is not UTF-8"
    case .einval: "invalid argument"
    default: Self.rareWords[code] ?? "the system reports error \(code)"
    }
  }
}

extension ErrnoCode {
  /// True if nothing of that name exists.
  package var isMissing: Bool { self == .enoent }
}
