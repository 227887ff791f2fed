// SPDX-License-Identifier: Apache-2.0

/// A file operation that did not succeed. Facts only; sentences live in the words folder.
package struct FileError: Error, Hashable, Sendable {
  package enum Operation: String, CaseIterable, Sendable {
    case open, create, examine, list, read, write, truncate, sync, close, move, link, remove, reserve, lock
    case makeFolder = "make_folder"
    case syncFolder = "sync_folder"
    case measureSpace = "measure_space"
  }

  package enum Cause: Hashable, Sendable {
    case system(ErrnoCode)
    /// A directory, a FIFO, a device where a file is expected.
    case notAFile
    /// The file has more than one name, so that writing would change what somebody else keeps under the other.
    case hardLinked
    case tooLarge(limit: ByteCount)
    /// The lock is another file now than the one that is locked: another run may be at work.
    case lockReplaced
    /// The file ended before the bytes that it had when it was opened.
    case shortened
    /// What a person asked for is not written where the job keeps its memory.
    case ownFolder
    /// Nor over the manifest,
    case isManifest
    /// over a file that a key of it names,
    case namedByManifest(key: String)
    /// or among the media,
    case inLibrary
    /// or over what is no earlier one of its kind.
    case otherContents(than: Output)
  }

  /// What a person may ask for in a file of its own.
  package enum Output: String, CaseIterable, Sendable { case plan, export, events }

  package var operation: Operation
  /// As a person knows it: from the root of the file system.
  package var path: String
  /// Where to, of a move or link.
  package var target: String?
  package var cause: Cause

  package init(_ operation: Operation, _ path: String, to target: String? = nil, _ cause: Cause) {
    self.operation = operation
    self.path = path
    self.target = target
    self.cause = cause
  }

  package init(_ operation: Operation, _ path: String, to target: String? = nil, code: ErrnoCode) {
    self.init(operation, path, to: target, .system(code))
  }

  /// The system's error number; nil when the refusal was our own.
  package var code: ErrnoCode? {
    if case .system(let code) = cause { code } else { nil }
  }
}
