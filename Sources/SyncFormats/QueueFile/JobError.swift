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
  /// The marker is missing, although the library's memory is in it.
  case markLost(library: String, finished: Int)
  /// The library has a memory in `found`, but its manifest names another, empty folder.
  case memoryElsewhere(found: String, wanted: String)
  /// The library's files are there and what was known of them is not; only a run can make up for that.
  case memoryLost(library: String)
  /// The library was marked for a manifest of another name, which has none of the playlists that its items are of.
  case ofAnotherManifest(library: String, owner: String, name: String)
  /// An import would forget what is remembered.
  case memoryNotEmpty(library: String, items: Int)
  /// An import is of the library `found`, and this one is `own`.
  case memoryOfAnother(library: String, found: String, own: String)
  /// A file that is to be imported is no export.
  case badExport(path: String, QueueFileProblem)
  /// A file that is to be applied is no saved plan.
  case badPlan(path: String, QueueFileProblem)
  /// A saved plan does not hold any more.
  case stalePlan(path: String, PlanStaleness)
  /// A saved plan must not be carried out; `reason` is what it says of itself.
  case refusedPlan(path: String, reason: String)
  /// The clock cannot be believed, and something was to be judged by age.
  case clockDoubted(Warning)
  /// Another run holds the lock; `holder` is who it says it is.
  case locked(path: String, holder: String?, waited: Duration)
  case engineFailed(detail: String)
  /// The system gives the process too little.
  case process(ProcessProblem)
  /// A playlist's credentials could not be had; `key` is that of `auth`.
  case secret(playlist: PlaylistName, key: String, SecretProblem)
  /// Variables of the environment that should name a proxy.
  case proxyEnvironment(names: [String])
  /// The certificates that the manifest names cannot be read.
  case caFile(path: String, ErrnoCode)
  case caFileEmpty(path: String)
  /// A signal came before anything was changed: the exit status that it asks for.
  case interrupted(ExitStatus)

  package var status: ExitStatus {
    switch self {
    case .libraryIsNoDirectory, .engineFailed, .secret, .caFile, .caFileEmpty, .proxyEnvironment, .memoryLost,
      .badExport, .badPlan:
      .fatal
    case .file(let error), .state(.file(let error)), .state(.stopped(let error)): error.status
    case .failed(let failure): failure.statusOfRun
    case .state: .fatal
    case .notMounted, .notInitialised, .markLost, .memoryElsewhere, .ofAnotherManifest, .memoryNotEmpty,
      .memoryOfAnother,
      .stalePlan, .refusedPlan, .clockDoubted:
      .safety
    case .locked: .locked
    case .interrupted(let status): status
    case .process(let problem): problem.status
    }
  }
}

extension FileError {
  /// A disk that is full, read-only or broken is the storage's trouble; a path that is wrong or forbidden is not.
  fileprivate var status: ExitStatus {
    switch code {
    case .enoent, .enotdir, .eacces, .eperm, .eloop, .eisdir, .enametoolong, .einval, nil: .fatal
    default: .storage
    }
  }
}
