// SPDX-License-Identifier: Apache-2.0

/// Who has which name in the library, and who gets one. Names are given in the order of the manifest, so that of two items
/// that want one name it is always the same that has it, whatever arrives first.
struct NameBook {
  private let naming: FileNaming
  private var taken: Set<NameKey> = []
  private var writer: PathWriter

  init(_ naming: FileNaming) {
    self.naming = naming
    writer = PathWriter(naming)
  }

  /// False when somebody has that name already.
  mutating func reserve(_ path: LibraryPath) -> Bool { taken.insert(naming.key(path)).inserted }

  /// The first free name of an item, which is its own from now on.
  mutating func place(
    _ fields: LayoutFields, in layout: LayoutTemplate, fileExtension: String
  ) -> (path: LibraryPath, attempt: Int) {
    // An item's own tag and a number: nobody else has many of them.
    for attempt in 0... {
      let path = writer.path(layout, fields, fileExtension: fileExtension, attempt: attempt)
      if reserve(path) { return (path, attempt) }
    }
    preconditionFailure("there is no last number")
  }
}
