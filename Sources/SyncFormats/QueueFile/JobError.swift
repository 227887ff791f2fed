// SPDX-License-Identifier: Apache-2.0
package import SyncCore

/// Why a command stops before it could do its work. Facts; the sentence is made in the words folder.
package enum JobError: Error, Hashable, Sendable {
  /// The library's path names something that is no directory.
  case libraryIsNoDirectory(path: String)
  /// One of the job's own files or folders cannot be used.
  case file(FileError)
  case state(StateError)
  /// Something that belongs to no item failed while the job was at work.
  case failed(Failure)
  /// The marker is missing although the queue knows finished files.
  case notMounted(library: String, finished: Int)
  case notInitialised(library: String)
  /// Another run holds the lock; `holder` is who it says it is.
  case locked(path: String, holder: String?)
  case engineFailed(detail: String)
  /// A signal came before anything was changed: the exit status that it asks for.
  case interrupted(ExitStatus)

  package var status: ExitStatus {
    switch self {
    case .libraryIsNoDirectory, .engineFailed: .fatal
    case .file, .failed, .state(.file), .state(.stopped): .storage
    case .state: .fatal
    case .notMounted, .notInitialised: .safety
    case .locked: .locked
    case .interrupted(let status): status
    }
  }
}
