// SPDX-License-Identifier: Apache-2.0
package import SyncCore

extension JobError {
  /// One sentence without a full stop: the operation, its object, the error and the next step.
  package func words(_ invocation: Invocation = Invocation()) -> String {
    switch self {
    case .libraryIsNoDirectory(let path):
      "library.path names \(path.quoted), which is not a directory; name a directory or move the file away"
    case .file(let error): error.words
    case .player(let problem): problem.words
    case .stillFull(let error, let files, let freed):
      "\(error.words) (\(files.counted("file")) of the trash deleted for room, \(freed.words), which was not enough)"
    case .state(let error): error.words(invocation)
    case .failed(let failure): "\(failure.words); what was finished before is safe"
    case .notMounted(let library, let finished): Self.notMounted(library, finished, invocation)
    case .notInitialised(let library):
      "\(library.quoted) has no marker, so its disk is probably not mounted (library.require_mount): mount it. "
        + "Only for a new library: \(invocation.command("init"))"
    case .markLost(let library, let finished): Self.markLost(library, finished, invocation)
    case .stateElsewhere(let found, let wanted):
      "the state of this library is in \(found.quoted), but library.state names \(wanted.quoted), where none is; "
        + "move its files there, or remove library.state from the manifest"
    case .stateLost(let library): Self.stateLost(library, invocation)
    case .locked(let path, let holder, let waited): Self.locked(path, holder, waited)
    case .ofAnotherManifest(let library, let owner, let name):
      Self.ofAnotherManifest(library, owner: owner, name: name, invocation)
    case .stateNotEmpty(let library, let items):
      "\(items.counted("item")) of \(library.quoted) \(items == 1 ? "is" : "are") in its state already; nothing was imported. "
        + "To replace them: --replace"
    case .stateOfAnother(let library, let found, let own):
      "the export is of the library \(found.quoted), and \(library.quoted) is the library \(own.quoted); nothing was"
        + " imported. To take it over all the same: --replace"
    case .badExport(let path, .newerVersion(let found, let known)):
      "cannot import \(path.quoted): it has version \(found), and this syncjob knows version \(known); use a newer syncjob"
    case .badExport(let path, let problem):
      "cannot import \(path.quoted): \(problem.words); name a file that `syncjob state export` wrote"
    case .badPlan(let path, let problem): Self.badPlan(path, problem, invocation)
    case .stalePlan(let path, let staleness): Self.stalePlan(path, staleness, invocation)
    case .refusedPlan(let path, let reason):
      "the plan in \(path.quoted) must not be applied: \(reason.printable), as a flag of: "
        + invocation.command("plan -o \(path.shellWord)")
    case .clockDoubted(let warning): "\(warning.words); set the clock and try again"
    case .unknownDevice(let name): Self.unknownDevice(name, invocation)
    case .noSuchLogin(let name, let known): LoginTexts.noSuchLogin(name, known)
    case .printedTokens(let name): LoginTexts.printedTokens(name)
    case .noLicenseServer: "the manifest names no licence server; add licenses.server.url"
    case .secret(let owner, let key, let problem):
      "\(owner.words): auth.\(key): \(problem.words); nothing was fetched"
    case .sealedWithoutMarker(let library, let path): Self.sealedWithoutMarker(library, path, invocation)
    case .sealedForAnother(let library, let found): Self.sealedForAnother(library, found)
    case .partialsFolder(let error): "protect.partials: \(error.words)"
    case .keys(let problem): "\(problem.words(invocation)); nothing was done"
    case .caFile(let path, let code):
      "cannot read the certificates of downloads.tls.ca_file, \(path.quoted): \(code.words)"
    case .caFileEmpty(let path): Self.caFileEmpty(path)
    case .proxyEnvironment(let names): Self.proxyEnvironment(names)
    case .interrupted: "ended by a signal before anything was changed"
    case .process(let problem): problem.words
    case .engineFailed(let detail): Self.engineFailed(detail)
    }
  }

  private static func badPlan(_ path: String, _ problem: QueueFileProblem, _ invocation: Invocation) -> String {
    if case .missingField(.file, field: "basis") = problem {
      return "cannot apply \(path.quoted): it does not say what it rests on; write one that does with: "
        + invocation.command("plan -o FILE")
    }
    return "cannot apply \(path.quoted): \(problem.words); name a file that `syncjob plan -o` wrote"
  }

  private static func stalePlan(_ path: String, _ staleness: PlanStaleness, _ invocation: Invocation) -> String {
    "the plan in \(path.quoted) no longer holds: \(staleness.words); nothing was done. Make a new one with: "
      + invocation.command("plan -o \(path.shellWord)")
  }

  private static func notMounted(_ library: String, _ finished: Int, _ invocation: Invocation) -> String {
    "\(library.quoted) does not hold the library that the queue file knows"
      + (finished > 0 ? " (\(finished.counted("finished item")))" : "")
      + "; mount it. Only if it is really meant to start empty: \(invocation.command("init"))"
  }

  private static func unknownDevice(_ name: String, _ invocation: Invocation) -> String {
    "no single device at the licence server has the id \(name.printable); see them with:"
      + " \(invocation.command("licenses devices"))"
  }

  private static func caFileEmpty(_ path: String) -> String {
    "downloads.tls.ca_file, \(path.quoted), is not a file of certificates in PEM: none begins with -----BEGIN CERTIFICATE-----"
  }

  private static func sealedForAnother(_ library: String, _ found: String) -> String {
    "the export is of the library \(found.quoted) and has sealed files, which would not open in \(library.quoted); nothing was"
      + " imported. Import it into a folder that is not a library yet"
  }

  private static func sealedWithoutMarker(
    _ library: String, _ path: LibraryPath, _ invocation: Invocation
  ) -> String {
    "\(library.quoted) has sealed files, such as \(path.text.quoted), and no .syncjob/library.json, without whose id nobody"
      + " can open them; bring that file back from a copy. To begin anew without them: \(invocation.command("init"))"
  }

  private static func stateLost(_ library: String, _ invocation: Invocation) -> String {
    "the state of the library in \(library.quoted) is lost; let a run rebuild it first: "
      + invocation.command("run")
  }

  private static func locked(_ path: String, _ holder: String?, _ waited: Duration) -> String {
    let other = "\(path.quoted)\(holder.map { " (\($0.printable))" } ?? "")"
    guard waited > .zero else {
      return "another run holds \(other); wait for it to end, or let this one wait with --lock-wait 10m"
    }
    return
      "another run still holds \(other) after \(waited.spanWords); check what it is doing, or wait longer with --lock-wait"
  }

  private static func markLost(_ library: String, _ finished: Int, _ invocation: Invocation) -> String {
    "\(library.quoted) has lost its marker, .syncjob/library.json, and still has its state (\(finished.counted("finished item")));"
      + " make it again with: \(invocation.command("init"))"
  }

  private static func ofAnotherManifest(
    _ library: String, owner: String, name: String, _ invocation: Invocation
  ) -> String {
    "\(library.quoted) belongs to the manifest \(owner.quoted), and none of the playlists that its files are of is in this"
      + " one (\(name.quoted)), so all of them would be orphans; name another library.path, put the playlists into one"
      + " manifest, or write name: \(owner.printable) into it. Only to take the library over: \(invocation.command("init"))"
  }

  private static func engineFailed(_ detail: String) -> String {
    "the transfer engine could not be started: \(detail.printable); install libcurl4, version 7.87 or later"
  }

  private static func proxyEnvironment(_ names: [String]) -> String {
    "\(names.joined(separator: " and ")) in the environment \(names.count == 1 ? "names" : "name") no proxy; "
      + "write SCHEME://[USER:PASSWORD@]HOST[:PORT] with one of \(ProxyURL.schemes.joined(separator: ", ")), "
      + "or write \"downloads: { proxy: none }\" in the manifest"
  }
}

/// Sentences about the manifest's file.
package enum ManifestFileWords {
  /// One sentence without a full stop: the operation, the error and the next step.
  /// - Parameter plan: The saved plan that names the manifest.
  package static func words(
    path: String, operation: String, _ cause: FileError.Cause, plan: String? = nil
  ) -> String {
    switch cause {
    case .system(let code): return words(path: path, operation: operation, code: code, plan: plan)
    case .tooLarge(let limit):
      return
        "cannot \(operation) the manifest \(path.quoted): it is larger than \(limit.words); split it, or see whether it"
        + " is a manifest"
    default: return words(path: path, operation: operation, code: .einval, plan: plan)
    }
  }

  package static func words(path: String, operation: String, code: ErrnoCode, plan: String? = nil) -> String {
    if let plan, code == .enoent {
      return
        "the plan in \(plan.quoted) is for the manifest \(path.quoted), which is not there any more; put it back, or"
        + " make a plan of another one with `syncjob plan -o`"
    }
    return
      "cannot \(operation) the manifest \(path.quoted): \(code.words)\(wayOut(path, operation, code).map { "; \($0)" } ?? "")"
  }

  private static func wayOut(_ path: String, _ operation: String, _ code: ErrnoCode) -> String? {
    switch code {
    case .enoent where operation == "create": "make the folder first, or name a file in another one"
    case .enoent: "name another file, or write a starter with: syncjob init \(path.printable)"
    case .eisdir: "name a file in it"
    case .eacces, .eperm: "check who owns it and who may \(operation == "create" ? "write" : "read") it"
    default: nil
    }
  }
}

extension SecretOwner {
  /// Its place in the manifest.
  fileprivate var words: String {
    switch self {
    case .playlist(let name): name.text
    case .licenses: "licenses.server"
    case .server(let name): "servers.\(name)"
    }
  }
}
