// SPDX-License-Identifier: Apache-2.0
import Glibc
package import SyncCore

extension FileError {
  /// No room, or none left of the quota.
  package var isStorageFull: Bool { code == ErrnoCode(ENOSPC) || code == ErrnoCode(EDQUOT) }
  package var isReadOnly: Bool { code == ErrnoCode(EROFS) }
  package var isMissing: Bool { code == ErrnoCode(ENOENT) }
  package var isPresent: Bool { code == ErrnoCode(EEXIST) }
  package var isDenied: Bool { code == ErrnoCode(EACCES) || code == ErrnoCode(EPERM) }
  /// The system does not let this one file, or this folder, be changed; others it may.
  package var isRefusal: Bool { isDenied || isReadOnly || code == ErrnoCode(EBUSY) }
  /// The system does not let this one file be examined, moved or deleted; others it may.
  package var isOfOneFile: Bool { isRefusal || isStale || isOtherFileSystem }
  /// One place of somebody else's folder cannot be read: it is refused, gone, replaced, damaged, or too deep. Other places
  /// there can.
  package var isOfOnePlace: Bool {
    isOfOneFile || isMissing || isOfName || isObstructed || code == .eio || code == .euclean
  }
  /// The system refuses one folder. Other folders of the same library may accept files.
  var isOfOneFolder: Bool {
    code.map { [.eacces, .eperm, .ebusy, .erofs, .exdev, .estale, .enotconn, .enoent].contains($0) } ?? false
  }
  /// The file system does not accept the name, because of its length or its characters.
  var isOfName: Bool { code?.isOfName ?? false }
  /// A network file system, or one in user space, has lost its server.
  var isStale: Bool { code == .estale || code == .enotconn }
  /// The two places of a move lie on different file systems.
  package var isOtherFileSystem: Bool { code == ErrnoCode(EXDEV) }
  package var isNotEmpty: Bool { code == ErrnoCode(ENOTEMPTY) || code == ErrnoCode(EEXIST) }
  /// A symbolic link, or something else than a directory, stands in the path; or something else than a plain file at its
  /// end.
  package var isObstructed: Bool {
    switch cause {
    case .notAFile, .notAFolder, .hardLinked: true
    case .system(let code): [ELOOP, ENOTDIR, EISDIR, ENXIO].contains(code.code)
    case .lockReplaced, .tooLarge, .shortened, .replaced, .ownFolder, .isManifest, .namedByManifest, .inLibrary,
      .otherContents, .noWriter:
      false
    }
  }

  /// Something that syncjob did not write has the name of one of its files.
  package var isOfStranger: Bool {
    if case .tooLarge = cause { true } else { isObstructed }
  }

  /// The same as the failure of an item's transfer.
  package var failure: Failure {
    if cause == .lockReplaced { return .lockReplaced(path: path) }
    let code = code ?? ErrnoCode(cause == .shortened ? EIO : EINVAL)
    // FAT behind FUSE, or a limit of the shell: other files fit all the same.
    if code == .efbig { return .tooLargeForFileSystem(limit: nil) }
    return isStorageFull || isReadOnly
      ? .storageFull(code) : .io(operation: operation.rawValue, path: target ?? path, code)
  }
}

extension ErrnoCode {
  /// See `FileError.isOfName`.
  var isOfName: Bool { [.enametoolong, .einval, .eilseq].contains(self) }

  static let missing = ErrnoCode(ENOENT)
}

/// Returns the result of a system call that reports failure by -1, and repeats a call that a signal interrupted.
func call(
  _ operation: FileError.Operation, _ path: @autoclosure () -> String, to target: @autoclosure () -> String? = nil,
  _ body: () -> Int32
) throws(FileError) -> Int32 {
  while true {
    let result = body()
    if result != -1 { return result }
    let code = errno
    if code != EINTR { throw FileError(operation, path(), to: target(), code: ErrnoCode(code)) }
  }
}
