// SPDX-License-Identifier: Apache-2.0
import CPosix
import Glibc
import SyncCore

/// The way from a root to a directory below it, on which no symbolic link is followed.
struct PathWalk {
  private let root: FileRoot

  init(_ root: FileRoot) { self.root = root }

  /// Opens the directory and returns its handle, which the caller closes. A link on the way is ELOOP.
  func open(_ path: LibraryPath?, _ operation: FileError.Operation) throws(FileError) -> Int32 {
    let place = FilePlace(root, path)
    do throws(FileError) {
      return try call(operation, place.text) {
        syncjob_open_beneath(root.handle, path?.text ?? ".", syncjob_directory_handle_flags(), 0)
      }
    } catch {
      // There is no openat2 before Linux 5.6, and some containers forbid unknown calls; EAGAIN: a rename happened
      // during the lookup.
      guard let code = error.code?.code, [ENOSYS, EPERM, EAGAIN].contains(code) else { throw error }
      return try openStepwise(path, operation)
    }
  }

  /// Opens one component after the other.
  func openStepwise(_ path: LibraryPath?, _ operation: FileError.Operation) throws(FileError) -> Int32 {
    var current = try call(operation, root.path) { syncjob_open_component(root.handle, ".") }
    for component in path?.components ?? [] {
      let name = String(component)
      let folder = current
      defer { close(folder) }
      let next = syncjob_open_component(folder, name)
      guard next >= 0 else {
        let code = errno
        throw FileError(operation, FilePlace(root, path).text, code: ErrnoCode(isLink(name, in: folder) ? ELOOP : code))
      }
      current = next
    }
    return current
  }

  private func isLink(_ name: String, in directory: Int32) -> Bool {
    var facts = stat()
    return fstatat(directory, name, &facts, AT_SYMLINK_NOFOLLOW) == 0 && facts.st_mode & S_IFMT == S_IFLNK
  }
}
