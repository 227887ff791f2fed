// SPDX-License-Identifier: Apache-2.0

package import SyncCore

extension SecretProblem {
  /// The problem and the remedy, without a full stop; never contains the secret.
  package var words: String {
    switch self {
    case .unreadable(let path, let code): "cannot read \(path.quoted): \(code.words)"
    case .tooLarge(let path, let limit):
      "\(path.quoted) is larger than \(limit.words), too large for a file of credentials"
    case .notText(let path): "\(path.quoted) is not text in UTF-8"
    case .empty(let place): "\(place.words) is empty"
    case .severalLines(let place): "\(place.words) has more than one line, or control characters in it"
    case .notSendable(let place): "\(place.words) has characters that no header field can carry"
    case .notStarted(let program, let code): "cannot start \(program.quoted): \(code.words)"
    case .failed(let program, let status, false): "\(program.quoted) ended with status \(status)"
    case .failed(let program, let signal, true): "\(program.quoted) was ended by signal \(signal)"
    case .noWriter(let path, let after):
      "\(path.quoted) is not a plain file, and its writer did not finish within \(after.spanWords)"
    case .tookTooLong(let program, let after): "\(program.quoted) did not end within \(after.spanWords)"
    case .reservedField(let path, let line, let name):
      "line \(line) of \(path.quoted) sets \(name), which belongs to the transfer itself; take it out"
    case .malformed(let path, let line): "line \(line) of \(path.quoted) is not of the form that is expected there"
    }
  }
}

extension SecretPlace {
  fileprivate var words: String {
    switch self {
    case .manifest: "the manifest's text"
    case .file(let path): path.quoted
    case .command(let program): "the output of \(program.quoted)"
    }
  }
}
