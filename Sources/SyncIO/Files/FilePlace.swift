// SPDX-License-Identifier: Apache-2.0
package import SyncCore

/// An opened directory below which files are reached, without ever following a symbolic link. Closed when the last
/// reference goes.
package final class FileRoot: Sendable {
  /// For people and errors.
  package let path: String
  /// The file system's own number of it: a descriptor, for the real one.
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
  /// Nil: the root itself.
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

  /// Nil when `name` is no legal component: empty, `.`, `..`, with `/` or NUL.
  package func child(_ name: some StringProtocol) -> FilePlace? {
    guard !name.contains("/"), let inner = LibraryPath(name) else { return nil }
    return appending(inner)
  }

  /// The directory that holds it; the root's is the root.
  package var parent: FilePlace { FilePlace(root, path?.parent) }

  /// For people and errors.
  package var text: String {
    guard let path else { return root.path }
    return root.path.hasSuffix("/") ? root.path + path.text : "\(root.path)/\(path.text)"
  }
}

extension FileRoot {
  /// A path below this root.
  package subscript(path: LibraryPath) -> FilePlace { FilePlace(self, path) }
}
