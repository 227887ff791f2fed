// SPDX-License-Identifier: Apache-2.0
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
