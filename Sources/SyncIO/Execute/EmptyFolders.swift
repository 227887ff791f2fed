// SPDX-License-Identifier: Apache-2.0
import SyncCore

/// Folders of the library that a file has left.
struct EmptyFolders {
  let library: Library

  /// A folder that has become empty is of no use; one that is not, or that refuses, stays.
  func remove(above path: LibraryPath) {
    var folder = path.parent
    while let current = folder {
      do throws(FileError) { try library.files.removeFolder(library.root[current]) } catch { return }
      folder = current.parent
    }
  }
}
