// SPDX-License-Identifier: Apache-2.0
package import SyncCore

/// Why bytes are not a queue file.
package enum QueueFileProblem: Error, Hashable, Sendable {
  /// No byte at all, or nothing but blanks and NUL: what a power cut leaves of a file that was not flushed.
  case blank
  /// Line and column are counted from 1.
  case notJSON(JSONError, line: Int, column: Int)
  /// Another kind of file; `found` is what its `format` says.
  case wrongFormat(found: String?)
  case newerVersion(found: Int, known: Int)
  /// A version number that never was.
  case impossibleVersion(Int)
  case missingField(QueueFileOwner, field: String)
  /// A value of the wrong type or out of its range.
  case badField(QueueFileOwner, field: String)
  /// A field that says nothing in the item's state.
  case misplacedField(QueueFileOwner, field: String, state: ItemState.Name)
  /// A field that occurs twice: two lines were joined, or somebody slipped.
  case repeatedField(QueueFileOwner, field: String)
  /// The line of an item, or the whole file, is not as it was written.
  case wrongCheck(QueueFileOwner)
  case duplicateID(ItemID)
  /// Two finished items have one file.
  case duplicatePath(ItemID, ItemID, LibraryPath)
}

/// What a field belongs to.
package enum QueueFileOwner: Hashable, Sendable {
  case file
  /// As far as its id is known; `position` counts from 1.
  case item(id: String?, position: Int)
  case source(String)
}
