// SPDX-License-Identifier: Apache-2.0
import SyncCore

/// The rows of the manual's tables of failures, generated from the code.
package enum FailureTables {
  /// One row for each status or range of statuses.
  package static var statuses: [[String]] {
    StatusMeaning.rows.map { row in
      let (first, last) = (row.statuses.lowerBound, row.statuses.upperBound)
      let words = Self.words(of: row.meaning)
      return [first == last ? "\(first)" : "\(first)–\(last)", words.means, words.then]
    }
  }

  private static func words(of meaning: StatusMeaning) -> (means: String, then: String) {
    switch meaning {
    case .interim: ("the answer is still to come", "wait for it")
    case .whole: ("the file", "take it, from its first byte")
    case .part: ("the part that was asked for", "go on with the partial; ask for everything if it is not that part")
    case .unusable: ("success without the file", then(.elsewhere))
    case .redirect: ("it is elsewhere", "follow, at most \(Redirects.limit) times, under the rules for redirects")
    case .unsatisfiable:
      ("nothing after what is here", "done if all is here; otherwise ask once for everything, \(then(.elsewhere))")
    case .transient: ("it will pass", then(.again))
    case .pause: ("too much at once", "with Retry-After: wait, or defer the item; without: \(then(.again))")
    case .final: ("it will not pass by itself", then(.elsewhere))
    }
  }

  /// One row for each meaning that ends a transfer, with all its codes.
  package static var codes: [[String]] {
    EngineCode.Meaning.allCases.map { meaning in
      return [
        list(of: meaning), meaning.kind.map { "`\($0.rawValue)`" } ?? "", Self.help(with: meaning),
        meaning.disposition.map(then) ?? "look at status, length and first bytes",
      ]
    }
  }

  private static func list(of meaning: EngineCode.Meaning) -> String {
    switch meaning {
    case .unexpected: "any other up to 99"
    case .unknown: "100 and above"
    default:
      EngineCode.all.filter { $0.meaning == meaning }
        .map { code in code.name.map { "\(code.number)\u{A0}\($0)" } ?? "\(code.number)" }.joined(separator: ", ")
    }
  }

  private static func then(_ disposition: Disposition) -> String {
    switch (disposition.next, disposition.isTemporary) {
    case (.retry, _): "again, then the next candidate; temporary"
    case (.nextCandidate, _): "the next candidate; for good"
    case (.stopRun, _): "the run stops"
    case (.giveUp, true): "the item is put back"
    case (.giveUp, false): "the item fails for good"
    }
  }

  private static func help(with meaning: EngineCode.Meaning) -> String {
    switch meaning {
    case .judged: "the answer is judged as above: libcurl's OK alone is not success"
    case .badURL: "the URL cannot be requested; correct it"
    case .unknownHost: "no address for the name: a typing error, or no name server"
    case .badProxy: "the proxy has no address, or refuses: look at `downloads.proxy`"
    case .unconnected: "nobody listens there, or there is no route to it: is the server up?"
    case .tooSlow: "no connection within `timeouts.connect`"
    case .broken: "the connection broke; the partial is kept"
    case .malformed: "the answer is not HTTP, or contradicts itself: tell whoever runs the server"
    case .untrusted: "certificate unknown, expired, revoked or another host's; `tls.ca_file` for a server of your own"
    case .notPinned: "the key matches none of `tls.pins`"
    case .noHandshake:
      "no version of TLS or cipher in common; `tls.min` says what is accepted. A connection that merely broke meanwhile counts as such"
    case .badAuthorities: "`tls.ca_file` holds no certificates in PEM form"
    case .wantsCertificate: "the server wants a certificate of its client, which syncjob does not have"
    case .badTLS: "the TLS library could not be set up: look at the system's OpenSSL"
    case .ended: "syncjob itself ended it, to stop"
    case .noMemory: "no memory, sockets or threads: close other programs, or lower `concurrency`"
    case .incapable: "this libcurl is too old or was built without something"
    case .unexpected: "from other protocols, from options that are never set, or obsolete; please report it"
    case .unknown: "newer than libcurl 7.88"
    }
  }
}
