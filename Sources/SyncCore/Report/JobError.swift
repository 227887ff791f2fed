// SPDX-License-Identifier: Apache-2.0

/// Why a run stops before it could do its work. Facts; sentences live in the words folder.
package enum JobError: Error, Equatable, Sendable {
  /// The library's path names something that is no directory.
  case libraryIsNoDirectory(path: String)
  /// A directory of the job's own cannot be made, read or written.
  case unusable(path: String, operation: String, ErrnoCode)
  /// The marker is missing although something says that it must be there.
  case notMounted(library: String, finished: Int)
  case notInitialised(library: String)
  /// Another run holds the lock.
  case locked(path: String, holder: String?)
  /// The queue file cannot be used and nothing is there to rebuild it from.
  case queueUnusable(path: String, detail: String)
  /// The queue file or library is of a newer version.
  case newerVersion(path: String, found: Int, known: Int)
  /// The state belongs to another library.
  case otherLibrary(state: String, expected: String, found: String)
  case stateFailed(path: String, operation: String, ErrnoCode)
  case safety(SafetyStop)
  case engineFailed(detail: String)

  package var status: ExitStatus {
    switch self {
    case .libraryIsNoDirectory, .queueUnusable, .newerVersion, .otherLibrary, .engineFailed: .fatal
    case .unusable, .stateFailed: .storage
    case .notMounted, .notInitialised, .safety: .safety
    case .locked: .locked
    }
  }
}
