// SPDX-License-Identifier: Apache-2.0
package import SyncCore

extension Failure {
  package static let limitOfRunWords = "the run has reached its limit"

  /// The failure as one sentence without a full stop, for the queue file and every report.
  package var words: String {
    switch self {
    case .network(let detail): "the connection failed: \(detail.excerpt.printable)"
    case .proxy(let proxy, let detail):
      "the proxy \(proxy.printable) cannot be used: \(detail.excerpt.printable); look at downloads.proxy"
    case .engine(let code, let detail): code.words(detail.excerpt.printable)
    case .timeout(.connect, let after): "no connection within \(after.spanWords)"
    case .timeout(.stall, let after): "less than 1 KiB came in \(after.spanWords)"
    case .dns(let host): "the host name \(host.quoted) could not be resolved; check the name and the network"
    case .tls(let problem, let detail): problem.words(detail.excerpt.printable)
    case .http(let status): "the server answered \(status)\(Self.phrase(status).map { " (\($0))" } ?? "")"
    case .emptyBody: "the server answered with success and no bytes"
    case .shortBody(let received, let expected): "the body ended after \(received.words) of \(expected.words)"
    case .compressedBodyCut: "the compressed body is cut short"
    case .compressedBodyDamaged: "the compressed body is damaged"
    case .malformedResponse(let detail): "the server's answer cannot be used (\(detail.excerpt.printable))"
    case .notMedia(let found): "the server sent \(found) where media was expected"
    case .size(let expected, let actual):
      "the file has \(actual.bytes) bytes, the manifest declares \(expected.bytes)"
    case .checksum(let expected, let actual):
      "the \(expected.algorithm) is \(actual.prefix(12))…, the manifest declares \(expected.hex.prefix(12))…"
    case .duration(let declared, let actual):
      "the file plays \(actual.clockWords), and \(declared.clockWords) was declared (checks.duration)"
    case .storageFull(.erofs): "nothing can be written: the file system is read-only; mount it writable and run again"
    case .storageFull(let code): "no room left to write (\(code.words)); free some space or lower the budget"
    case .io(let operation, let path, let code):
      "\(FileError.Operation(rawValue: operation)?.attempt(path.quoted) ?? "cannot \(operation) \(path.quoted)"): \(code.words)"
    case .blocked(let path):
      "something that is not a folder stands in the way of \(path.quoted); move it away"
    case .folderClosed(let path, let code):
      "no file can be put into the folder \(path.quoted): \(code.words); \(code.folderAdvice)"
    case .nameRefused(let path, let code):
      "the file system does not accept the name \(path.shortened.quoted): \(code.words); change library.layout or library.profile"
    case .changedByOthers(let path):
      "somebody changed the file that was to be replaced, \(path.quoted); it is left as it is"
    case .lockReplaced(let path): FileError(.lock, path, .lockReplaced).words
    case .notReplaced(let path, .refused(let code)):
      "\(path.quoted) cannot be replaced: \(code.words); check who owns it and who may write into its folder"
    case .notReplaced(let path, .unproven):
      "the new file for \(path.quoted) may be cut: the server announced neither its length nor its end, and no"
        + " playing time proves that it is whole"
    case .invalidURL(let text): "\(text.excerpt.quoted) is not a URL that can be fetched"
    case .redirectRefused(let target, let problem):
      "a redirect to \(target.excerpt.quoted) is not followed: \(problem.words)"
    case .forbiddenAddress(let address):
      "the address \(address.printable) is private; \(PrivateAddressWords.allowing(address))"
    case .tooLarge(let limit): "the file is larger than downloads.max_item_size (\(limit.words))"
    case .tooLargeForFileSystem(let limit?):
      "the file is larger than \(limit.bytes) bytes, the most that the library's file system takes (library.profile)"
    case .tooLargeForFileSystem(nil):
      "the file is larger than the file system, or a limit of this user's (ulimit -f), allows"
    case .localFile(let path, let problem): problem.words(path.quoted)
    case .extraction(let problem): problem.words
    case .license(let problem, let server): problem.words(server)
    case .login(let problem, let command): problem.words(command)
    case .cancelled: "cancelled"
    }
  }

  /// Replaces a sentence that quotes former contents of the manifest.
  package static let inputsChangedWords = "it failed before its settings were changed"

  /// The reason phrases of RFC 9110 §15 that a person is likely to meet.
  private static func phrase(_ status: Int) -> String? {
    switch status {
    case 400: "bad request"
    case 401:
      "the login is missing or was refused: check the playlist's `auth`, and its `scope` for hosts that only the source names"
    case 407: "the proxy wants credentials; downloads.proxy gives them"
    case 403: "forbidden"
    case 404: "not found"
    case 408: "request timeout"
    case 410: "gone for good"
    case 416: "range not satisfiable"
    case 425: "too early"
    case 429: "too many requests"
    case 451: "withheld for legal reasons"
    case 500: "internal server error"
    case 502: "bad gateway"
    case 503: "service unavailable"
    case 504: "gateway timeout"
    default: nil
    }
  }
}

extension ErrnoCode {
  /// The way out if the files of one folder cannot be seen.
  var searchAdvice: String {
    switch self {
    case .estale, .enotconn: "mount it again"
    default: "check who owns it and who may read there"
    }
  }

  /// The way out for a folder that accepts no new files.
  var folderAdvice: String {
    switch self {
    case .erofs: "mount it writable"
    case .exdev: "a library is on one file system: put the real folder there, or give this one a library of its own"
    case .estale, .enotconn: "mount it again"
    case .enametoolong, .einval, .eilseq: "change library.layout or library.profile"
    default: "check who owns it and who may write there"
    }
  }
}

extension String {
  /// The beginning of a path that is too long to be shown.
  fileprivate var shortened: String { count > 120 ? "\(prefix(120))…" : self }
}

extension LocalFileProblem {
  fileprivate func words(_ path: String) -> String {
    switch self {
    case .outsideRoots:
      "\(path) is not below the folder of its list or one of its roots, or a symbolic link leads out of there; add its"
        + " real folder to roots"
    case .notAFile: "\(path) is not a regular file; name a file in the list"
    case .notMedia(let found): "the file \(path) is \(found), not media"
    case .empty: "the file \(path) is empty"
    case .changed: "the file \(path) changed while it was copied; the next run copies it again"
    case .unreadable(let code):
      "cannot read the file \(path): \(code.words); put it back, or make it readable"
    }
  }
}

extension RedirectProblem {
  fileprivate var words: String {
    switch self {
    case .notHTTP: "it is not an http or https URL"
    case .noHost: "it names no host"
    case .downgrade: "it leads from https to http"
    case .circle: "it leads back in a circle"
    case .tooMany(let limit): "there were \(limit) before it"
    }
  }
}

extension Failure.TLSProblem {
  fileprivate func words(_ detail: String) -> String {
    switch self {
    case .verification:
      "the server could not prove its identity: \(detail); look at its certificate and at your clock"
        + " (the authority of a server of your own goes into downloads.tls.ca_file)"
    case .pin:
      "the server's key matches none of downloads.tls.pins: \(detail); put the new key there if it was changed on purpose"
    case .handshake: "no secure connection could be agreed on (downloads.tls.min says what is accepted): \(detail)"
    case .caFile:
      "the certificates of downloads.tls.ca_file cannot be used: \(detail); name a file of certificates in PEM form"
    case .clientCertificate: "the server wants a certificate of its client, which syncjob does not have: \(detail)"
    case .other: "the secure connection failed: \(detail)"
    }
  }
}
