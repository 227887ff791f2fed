// SPDX-License-Identifier: Apache-2.0
import CPosix
import Glibc
package import SyncCore

/// An opened directory below which files are reached without ever following a symbolic link. It is closed when the last
/// reference is gone.
package final class FileRoot: Sendable {
  /// The path for messages and errors.
  package let path: String
  /// The file system's own number for it: a descriptor in the real one.
  package let handle: Int32
  private let release: @Sendable (Int32) -> Void

  package init(path: String, handle: Int32, release: @escaping @Sendable (Int32) -> Void) {
    self.path = path
    self.handle = handle
    self.release = release
  }

  deinit { release(handle) }
}

/// A root, or a path below one.
package struct FilePlace: Sendable {
  package let root: FileRoot
  /// Nil for the root itself.
  package let path: LibraryPath?

  package init(_ root: FileRoot, _ path: LibraryPath? = nil) {
    self.root = root
    self.path = path
  }

  /// A path below this place.
  package func appending(_ inner: LibraryPath) -> FilePlace {
    guard let path, let whole = LibraryPath("\(path.text)/\(inner.text)") else { return FilePlace(root, inner) }
    return FilePlace(root, whole)
  }

  /// Nil when `name` is not a legal component: it is empty, `.` or `..`, or contains `/` or NUL.
  package func child(_ name: some StringProtocol) -> FilePlace? {
    guard !name.contains("/"), let inner = LibraryPath(name) else { return nil }
    return appending(inner)
  }

  /// The directory that contains the place; the root is its own parent.
  package var parent: FilePlace { FilePlace(root, path?.parent) }

  /// The path for messages and errors.
  package var text: String {
    guard let path else { return root.path }
    return root.path.hasSuffix("/") ? root.path + path.text : "\(root.path)/\(path.text)"
  }
}

extension FileRoot {
  /// A path below this root.
  package subscript(path: LibraryPath) -> FilePlace { FilePlace(self, path) }
}

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
