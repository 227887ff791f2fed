// SPDX-License-Identifier: Apache-2.0
package import SyncCore

/// The reason why bytes are not a valid queue file.
package enum QueueFileProblem: Error, Hashable, Sendable {
  /// No byte at all, or only blanks and NUL: a power cut leaves this of a file that was not flushed.
  case blank
  /// Line and column are counted from 1.
  case notJSON(JSONError, line: Int, column: Int)
  /// Something that is not such a file has its name: a folder, a link, a pipe, or a file of an impossible size.
  case notOurs(FileError)
  /// Another kind of file; `found` is the value of its `format`.
  case wrongFormat(found: String?)
  case newerVersion(found: Int, known: Int)
  /// A version number that was never used.
  case impossibleVersion(Int)
  case missingField(QueueFileOwner, field: String)
  /// A value of the wrong type or out of its range.
  case badField(QueueFileOwner, field: String)
  /// A field that has no meaning in the item's state.
  case misplacedField(QueueFileOwner, field: String, state: ItemState.Name)
  /// A field that occurs twice: two lines were joined, or a person made a mistake.
  case repeatedField(QueueFileOwner, field: String)
  /// The line of an item, or the whole file, differs from what was written.
  case wrongCheck(QueueFileOwner)
  /// A file of one line differs from what was written.
  case wrongSeal
  /// An older copy of the file: the files beside it were written later.
  case outdated(generation: Int)
  case duplicateID(ItemID)
  /// Two finished items have the same file.
  case duplicatePath(ItemID, ItemID, LibraryPath)
}

/// The owner of a field.
package enum QueueFileOwner: Hashable, Sendable {
  case file
  /// The item, as far as its id is known; `position` counts from 1.
  case item(id: String?, position: Int)
  case source(String)
}

/// The reason why the state cannot be read or written. Stops the run.
package enum StateError: Error, Hashable, Sendable {
  case file(FileError)
  /// A later version of the program wrote the file, which is left as it is.
  case newerVersion(path: String, found: Int, known: Int)
  /// The queue belongs to another library than the marker in this one.
  case anotherLibrary(path: String, found: String, expected: String)
  /// The queue file cannot be read, nor can the files from which it could be rebuilt.
  case nothingToRebuildFrom(path: String, QueueFileProblem)
  /// The library's marker cannot be read.
  case badMarker(path: String, QueueFileProblem)
  /// A write failed before.
  case stopped(after: FileError)

  package init(_ error: StateWriteError) {
    switch error {
    case .file(let cause): self = .file(cause)
    case .stopped(let cause): self = .stopped(after: cause)
    }
  }
}

/// The error of a write to the state of an open library.
package enum StateWriteError: Error, Hashable, Sendable {
  case file(FileError)
  /// A write failed before. It is unknown whether later writes reached the disk, so nothing more is written.
  case stopped(after: FileError)
}
