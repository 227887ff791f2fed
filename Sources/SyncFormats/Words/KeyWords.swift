// SPDX-License-Identifier: Apache-2.0
package import SyncCore

extension KeysProblem {
  package func words(_ invocation: Invocation = Invocation()) -> String {
    switch self {
    case .missing(let path):
      "the keys are not there: there is no file \(path.quoted); bring it back from a copy, or for a new library make it"
        + " with: \(invocation.command("key new"))"
    case .unreadable(let problem): "cannot read the keys: \(problem.words)"
    case .noCredentials(let name):
      "the keys are the credential \(name.quoted), and there is no $CREDENTIALS_DIRECTORY; run this as a service with"
        + " LoadCredential=\(name):FILE"
    case .unusable(let place, let problem):
      "\(place.keysWords) \(problem.words); bring them back from a copy"
    case .ofAnotherLibrary(let place, let library):
      "\(place.keysWords) are not those of \(library.quoted), whose files they do not open; check protect.keys_file"
    }
  }
}

extension SecretPlace {
  fileprivate var keysWords: String {
    switch self {
    case .manifest: "the keys"
    case .file(let path): "the keys in \(path.quoted)"
    case .command(let program): "the keys that \(program.quoted) prints"
    }
  }
}

extension KeysetProblem {
  /// As in "the keys in … are not …".
  var words: String {
    switch self {
    case .notAKeyset: "are not a keyset in Tink's JSON form"
    case .encrypted: "are encrypted themselves; decrypt them with tinkey convert-keyset, or in protect.keys_command"
    case .noKeys: "are an empty keyset"
    case .repeatedID(let id): "have two keys with the id \(id.number)"
    case .noPrimary(let id): "do not contain their primary key, \(id.number)"
    case .primaryNotEnabled(let id): "have a primary key, \(id.number), that is not enabled"
    case .primaryOfOtherKind(let id, let type):
      "have a primary key, \(id.number), of another kind (\(type.printable)); syncjob needs AES256_GCM_HKDF_1MB"
    case .badKey(let id): "have a key, \(id.number), that is damaged"
    case .segmentTooLarge(let id, let size):
      "have a key, \(id.number), with segments of \(size.words); at most \(SealingKey.largestSegment.words) are read"
    }
  }
}

extension ProtectionFailure {
  func words(_ path: LibraryPath) -> String {
    let file = path.text.quoted
    return switch self {
    case .noRoom(let lacking):
      "\(file) stays as it is, sealed or not: the new file beside it lacks \(lacking.words)"
    case .io(let error): "\(file) stays as it is, sealed or not: \(error.words)"
    case .stopped: "\(file) stays as it is, sealed or not: the run was stopped"
    case .changed: "\(file) stays as it is: somebody has changed it"
    case .damaged:
      "\(file) does not open: it is damaged, or sealed for another item; see it with: syncjob verify --deep"
    }
  }
}

extension MediaProblem {
  package func words(_ invocation: Invocation = Invocation()) -> String {
    switch self {
    case .unknown(let problem): problem.words(invocation)
    case .noFile(let id, let state): "\(id.text.quoted) has no file in the library: it is \(state.rawValue)"
    case .file(let error): error.words
    case .stopped: JobError.interrupted(.terminated).words(invocation)
    case .taken(let path):
      "\(path.quoted) is another file and is left alone; move it away, or name another place with -o"
    case .inLibrary(let path):
      "\(path.quoted) is in the library, where no media are to be in clear; name a place outside of it"
    case .notLicensed(let id, let expiresAt?):
      "the licence of \(id.text.quoted) was over at \(expiresAt.rfc3339); a run asks for a new one:"
        + " \(invocation.command("run"))"
    case .notLicensed(let id, nil):
      "\(id.text.quoted) has no licence yet; a run asks for one: \(invocation.command("run"))"
    case .notServed(let id):
      "\(id.text.quoted) is sealed, and no server for the player can be started on this machine (127.0.0.1)"
    case .exportForbidden(let id):
      "the licence of \(id.text.quoted) forbids its media outside the library (allows_export)"
    case .noKeys(let id): "\(id.text.quoted) is sealed, and the manifest names no keys; add protect.keys_file"
    case .notOpened(let id, let path):
      "\(path.text.quoted) does not open as the file of \(id.text.quoted): no key fits, or it belongs to another item"
    case .changed(let path):
      "\(path.text.quoted) was changed since it was put there, so no copy of it is written; see what to do"
        + " with: \(invocation.command("verify --deep"))"
    case .damaged(_, let path, let place):
      "\(path.text.quoted) is damaged after byte \(place.bytes), and nothing after that was written; have it fetched"
        + " again with: \(invocation.command("verify --deep --repair"))"
    }
  }
}

extension KeyEditProblem {
  package func words(_ invocation: Invocation = Invocation()) -> String {
    switch self {
    case .noPlace:
      "the manifest does not say where the keys are; add, for instance: protect: { keys_file: ~/.config/syncjob/car.keys }"
    case .notAFile(.command(let program)):
      "the keys are what \(program.quoted) prints, and not a file that syncjob could write; name a file in"
        + " protect.keys_file for this command"
    case .notAFile(let place):
      "\(place.keysWords) are a credential of the service manager, and no file to write; name its source in protect.keys_file for this command"
    case .present(let path):
      "\(path.quoted) is there already; another keyset would not open what it has sealed. For a new key:"
        + " \(invocation.command("key rotate"))"
    case .librarySealed(let files):
      "the library has \(files.counted("sealed file")), which new keys would not open; bring the old keys back from a copy."
        + " To begin anew, remove the files first: \(invocation.command("remove --all --yes"))"
    case .job(let error): error.words(invocation)
    case .unknownKey(let id):
      "no enabled key has the number \(id.number); see them with: \(invocation.command("key list"))"
    case .keys(let problem): problem.words(invocation)
    case .file(let error): error.words
    }
  }
}
