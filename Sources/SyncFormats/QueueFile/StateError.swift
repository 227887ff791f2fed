// SPDX-License-Identifier: Apache-2.0
package import SyncCore

/// Why the job's memory cannot be read or kept. Stops the run.
package enum StateError: Error, Hashable, Sendable {
  case file(FileError)
  /// Written by a later version of the program; the file is left as it is.
  case newerVersion(path: String, found: Int, known: Int)
  /// The queue belongs to another library than the marker in this one.
  case anotherLibrary(path: String, found: String, expected: String)
  /// The queue file cannot be read, nor can what it could be rebuilt from.
  case nothingToRebuildFrom(path: String, QueueFileProblem)
  /// The library's marker cannot be read.
  case badMarker(path: String, QueueFileProblem)
  /// A write failed before: whether what was written since is on the disk cannot be known, so nothing more is written.
  case stopped(after: FileError)
}
