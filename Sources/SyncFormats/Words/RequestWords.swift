// SPDX-License-Identifier: Apache-2.0
package import SyncCore

extension RequestStep {
  /// One line, for the most verbose output.
  package var words: String {
    switch self {
    case .sent(let url, .zero, let isPost): "> \(isPost ? "POST" : "GET") \(url.redacted.printable)"
    case .sent(let url, let offset, _): "> GET \(url.redacted.printable) from byte \(offset.bytes)"
    case .answered(let url, let status): "< \(status) \(url.redacted.printable)"
    case .unanswered(let url, let failure): "< nothing from \(url.redacted.printable): \(failure.words)"
    }
  }
}

/// Words about where events are written.
package enum EventLogWords {
  /// The message before the run, without a full stop.
  package static func cannotOpen(_ path: String, _ code: ErrnoCode) -> String {
    "cannot write events to \(path.quoted): \(code.words); name a file in a folder that exists"
  }

  /// The message during the run, which goes on.
  package static func gaveUp(_ path: String, _ code: ErrnoCode?) -> String {
    let why =
      switch code {
      case nil, .enxio, .epipe: "nobody reads them"
      case let code?: code.words
      }
    return "events cannot be written to \(path.quoted): \(why); the run goes on without them"
  }
}

/// The way out of a failure that stays until somebody acts.
enum RetryWords {
  /// - Parameter kind: the kind of the failure; nil if it is not known.
  static func wayOut(of kind: FailureKind?, _ id: ItemID, _ invocation: Invocation) -> String {
    let retry = "try again with: \(invocation.item("retry", id))"
    return switch kind {
    case .checksum?:
      "correct its checksum in the manifest, or, if the server had the wrong file, \(retry)"
    case .size?:
      "correct its size in the manifest, or, if the server had the wrong file, \(retry)"
    case .login?: "after a login the next run tries again"
    default: retry
    }
  }
}

extension SourceHealth {
  /// The last readings of a source, for people.
  package var words: String {
    let success = succeededAt.map { "last read \($0.rfc3339)" }
    guard let failure else {
      guard let success else { return "not read yet" }
      let moved = move.map { ", moved to \($0.to.redacted.printable)" } ?? ""
      return success + (changedAt.map { ", last change \($0.rfc3339)" } ?? "") + moved
    }
    let consequence =
      if failure.goneFor != nil {
        "it is not asked for again until the manifest changes"
      } else if failure.isPermanent {
        "each run tries again, and ends with 3 until it can be read"
      } else {
        "the next run tries again"
      }
    return "failing since \(failure.since.rfc3339): \(failure.message); \(success ?? "never read"); \(consequence)"
  }
}

extension EngineCode {
  /// The event, as one sentence without a full stop.
  /// - Parameter detail: libcurl's own text, printable.
  func words(_ detail: String) -> String {
    switch meaning {
    case .noMemory:
      "libcurl could not get what it needs of the system: \(detail); close other programs, or lower downloads.concurrency"
    case .incapable:
      "this libcurl cannot do what syncjob needs (\(label): \(detail)); install libcurl 7.85 or a later one"
    case .unexpected:
      "libcurl ended the transfer with \(label), which no transfer of this program should: \(detail); please report it"
    case .unknown: "libcurl ended the transfer with \(label), which this program does not know: \(detail)"
    default: "the connection failed: \(detail)"
    }
  }

  private var label: String { name.map { "CURLE_\($0)" } ?? "code \(number)" }
}

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
