// SPDX-License-Identifier: Apache-2.0
package import SyncCore

/// A media file that was found in a collection.
package struct CollectionFile: Sendable {
  /// The path from the folder of the collection.
  package var path: LibraryPath
  package var size: ByteCount
  /// The path in the library, if the file is in it.
  package var inLibrary: LibraryPath?
  /// True if a rename can take it into the library.
  package var isMovable: Bool
}
