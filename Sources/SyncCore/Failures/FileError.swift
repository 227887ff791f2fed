// SPDX-License-Identifier: Apache-2.0

/// A failed file operation. Holds facts; the sentences are in the words folder.
package struct FileError: Error, Hashable, Sendable {
  package enum Operation: String, CaseIterable, Sendable {
    case open, create, examine, list, read, write, truncate, sync, close, move, link, remove, reserve, lock
    case makeFolder = "make_folder"
    case syncFolder = "sync_folder"
    case measureSpace = "measure_space"
  }

  package enum Cause: Hashable, Sendable {
    case system(ErrnoCode)
    /// A directory, FIFO or device is in place of a file.
    case notAFile
    /// A file is in place of the folder that a person named.
    case notAFolder
    /// The file has more than one name, so writing would change the file under its other name too.
    case hardLinked
    case tooLarge(limit: ByteCount)
    /// The lock is a different file from the locked one, so another run may be active.
    case lockReplaced
    /// The file is shorter than it was when it was opened.
    case shortened
    /// The file is not the one that was read.
    case replaced
    /// The file is a pipe or a device, and did not end in this time.
    case noWriter(after: Duration)
    /// The folder or the output is syncjob's own, or in the state folder.
    case ownFolder
    /// The output would replace the manifest.
    case isManifest
    /// The output would replace a file that this key of the manifest names.
    case namedByManifest(key: String)
    /// The output would be among the media.
    case inLibrary
    /// The output would replace a file that is not an earlier output of its kind.
    case otherContents(than: Output)
  }

  /// An output that a person may write to a file.
  package enum Output: String, CaseIterable, Sendable {
    case plan, export, events, opml, m3u8, xspf, jspf, csv, page, reports
  }

  package var operation: Operation
  /// The path for people, from the root of the file system.
  package var path: String
  /// The target of a move or link.
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

  /// The system's error number. Nil if syncjob itself refused.
  package var code: ErrnoCode? {
    if case .system(let code) = cause { code } else { nil }
  }
}
