// SPDX-License-Identifier: Apache-2.0
import SyncCore

/// Removes folders of the library that a file has left.
struct EmptyFolders {
  let library: Library

  /// Removes the empty folders above `path`; a folder that is not empty, or that refuses, stays.
  func remove(above path: LibraryPath) {
    var folder = path.parent
    while let current = folder {
      do throws(FileError) { try library.files.removeFolder(library.root[current]) } catch { return }
      folder = current.parent
    }
  }
}
