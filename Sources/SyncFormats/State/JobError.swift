// SPDX-License-Identifier: Apache-2.0
package import SyncCore

/// The reason why a command stops before it can do its work. It contains facts only. The sentences are in the words
/// folder.
package enum JobError: Error, Hashable, Sendable {
  /// The library's path names something other than a directory.
  case libraryIsNoDirectory(path: String)
  /// One of syncjob's own files or folders cannot be used.
  case file(FileError)
  /// The disk refuses every write, although the run deleted these files of the trash to make room.
  case stillFull(FileError, trashFiles: Int, freed: ByteCount)
  case state(StateError)
  /// Something that concerns no single item failed during the work.
  case failed(Failure)
  /// The marker is missing although the queue knows finished files.
  case notMounted(library: String, finished: Int)
  case notInitialised(library: String)
  /// The marker is missing, although the library contains its state.
  case markLost(library: String, finished: Int)
  /// The library's state is in `found`, but its manifest names another, empty folder.
  case stateElsewhere(found: String, wanted: String)
  /// The library's files are present but the state is lost. Only a run can rebuild it.
  case stateLost(library: String)
  /// The marker names another manifest, and the present one has none of the playlists of the library's items.
  case ofAnotherManifest(library: String, owner: String, name: String)
  /// The import would replace a state that is not empty.
  case stateNotEmpty(library: String, items: Int)
  /// The import is from the library `found`, and this one is `own`.
  case stateOfAnother(library: String, found: String, own: String)
  /// The file to import is not an export.
  case badExport(path: String, QueueFileProblem)
  /// The file to apply is not a saved plan.
  case badPlan(path: String, QueueFileProblem)
  /// The saved plan is no longer valid.
  case stalePlan(path: String, PlanStaleness)
  /// The saved plan must not be carried out. `reason` is recorded in the plan itself.
  case refusedPlan(path: String, reason: String)
  /// The clock cannot be trusted, and something had to be judged by its age.
  case clockDoubted(Warning)
  /// Another run holds the lock. `holder` is the process that it recorded.
  case locked(path: String, holder: String?, waited: Duration)
  case engineFailed(detail: String)
  /// The system gives the process too little.
  case process(ProcessProblem)
  /// The manifest names no licence server.
  case noLicenseServer
  /// Nothing of that name gets tokens from a provider. `known` are those that do.
  case noSuchLogin(String, known: [String])
  /// The tokens of that name come from a program, so that there is no login.
  case printedTokens(String)
  /// The licence server knows no such device, or several whose ids begin so.
  case unknownDevice(String)
  /// Credentials could not be read. `key` is the key in `auth`.
  case secret(of: SecretOwner, key: String, SecretProblem)
  /// The folder has no marker, but sealed files of a library whose id is unknown.
  case sealedWithoutMarker(library: String, LibraryPath)
  /// The export has sealed files, which open only in the library `found`.
  case sealedForAnother(library: String, found: String)
  /// The folder of `protect.partials` cannot be used.
  case partialsFolder(FileError)
  /// The keys of a library that is or was sealed cannot be used.
  case keys(KeysProblem)
  /// These environment variables should name a proxy but do not.
  case proxyEnvironment(names: [String])
  /// The certificates that the manifest names cannot be read.
  case caFile(path: String, ErrnoCode)
  case caFileEmpty(path: String)
  /// The player cannot be used, or there is nothing for it.
  case player(PlayerProblem)
  /// A signal arrived before anything was changed. The exit status is that of the signal.
  case interrupted(ExitStatus)

  package var status: ExitStatus {
    switch self {
    case .player(let problem): problem.status
    case .libraryIsNoDirectory, .engineFailed, .secret, .caFile, .caFileEmpty, .proxyEnvironment, .stateLost,
      .badExport, .badPlan:
      .fatal
    case .file(let error), .stillFull(let error, _, _), .state(.file(let error)), .state(.stopped(let error)):
      error.status
    case .failed(let failure): failure.statusOfRun
    case .state: .fatal
    case .notMounted, .notInitialised, .markLost, .stateElsewhere, .ofAnotherManifest, .stateNotEmpty,
      .stateOfAnother,
      .stalePlan, .refusedPlan, .clockDoubted:
      .safety
    case .keys(.ofAnotherLibrary), .sealedWithoutMarker, .sealedForAnother: .safety
    case .keys, .noLicenseServer: .fatal
    case .unknownDevice, .noSuchLogin, .printedTokens: .usage
    case .partialsFolder(let error): error.status
    case .locked: .locked
    case .interrupted(let status): status
    case .process(let problem): problem.status
    }
  }
}

extension FileError {
  /// A full, read-only or broken disk is a storage error. A wrong or forbidden path is not.
  fileprivate var status: ExitStatus {
    switch code {
    case .enoent, .enotdir, .eacces, .eperm, .eloop, .eisdir, .enametoolong, .einval, nil: .fatal
    default: .storage
    }
  }
}
