// SPDX-License-Identifier: Apache-2.0

/// Assigns unique names in the library. Names are assigned in the order of the manifest, so of two items that want the
/// same name always the same one gets it, whichever arrives first.
struct NameAllocator {
  private let naming: FileNaming
  private var taken: Set<NameKey> = []
  private var writer: PathWriter

  init(_ naming: FileNaming) {
    self.naming = naming
    writer = PathWriter(naming)
  }

  /// Returns false if the name is taken.
  mutating func reserve(_ path: LibraryPath) -> Bool { taken.insert(naming.key(path)).inserted }

  /// Finds and reserves the first free name for an item.
  mutating func place(
    _ fields: LayoutFields, in layout: LayoutTemplate, fileExtension: String
  ) -> (path: LibraryPath, attempt: Int) {
    // Later attempts contain the item's own tag and a number, so few of them can be taken.
    for attempt in 0... {
      let path = writer.path(layout, fields, fileExtension: fileExtension, attempt: attempt)
      if reserve(path) { return (path, attempt) }
    }
    preconditionFailure("there is no last number")
  }
}
