// SPDX-License-Identifier: Apache-2.0
package import SyncCore

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
  /// A write failed before. It is unknown whether later writes reached the disk, so nothing more is written.
  case stopped(after: FileError)
}
