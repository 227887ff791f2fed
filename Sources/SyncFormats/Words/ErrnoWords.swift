// SPDX-License-Identifier: Apache-2.0
import Glibc
package import SyncCore

extension ErrnoCode {
  /// What the system means by it, in English whatever the locale.
  package var words: String {
    switch code {
    case EACCES: "permission denied"
    case EPERM: "operation not permitted"
    case ENOENT: "no such file or directory"
    case ENOTDIR: "a part of the path is not a directory"
    case EISDIR: "it is a directory"
    case EEXIST: "it exists already"
    case ENOSPC: "no space left on the device"
    case EDQUOT: "disk quota exceeded"
    case EROFS: "the file system is read-only"
    case EIO: "input/output error"
    case ELOOP: "a symbolic link is in the way"
    case ENAMETOOLONG: "the name is too long"
    case EMFILE, ENFILE: "too many open files"
    case EFBIG: "the file is too large for the file system"
    case EXDEV: "it lies on another file system"
    case EBUSY: "it is in use"
    case ENODEV, ENXIO: "no such device"
    case ESTALE: "the network file system lost it"
    case EINVAL: "invalid argument"
    default: "system error \(code)"
    }
  }
}

extension ErrnoCode {
  /// There is nothing of that name.
  package var isMissing: Bool { code == ENOENT }
}
