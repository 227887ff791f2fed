// SPDX-License-Identifier: Apache-2.0

/// The pings that tell a monitor how runs go, as the protocol of Healthchecks defines them
/// (https://healthchecks.io/docs/http_api/).
package struct PingSettings: Equatable, Sendable {
  package enum Address: Equatable, Sendable {
    case url(RemoteURL)
    /// A file that contains the URL.
    case file(SecretFile)
  }

  package var address: Address
  /// True to tell the beginning of a run, too.
  package var tellsStart = false

  /// Nil if it is in a file.
  package var url: RemoteURL? { if case .url(let url) = address { url } else { nil } }

  package init(_ address: Address, tellsStart: Bool = false) {
    self.address = address
    self.tellsStart = tellsStart
  }
}

/// The message of a ping.
package enum PingSignal: Hashable, Sendable {
  case start, success, failure

  /// The message at the end of a run. One that left something for the next run did not fail.
  package init(_ status: ExitStatus) { self = status.isSuccess ? .success : .failure }

  /// Returns the URL that takes this message, for the one that the monitor gave.
  package func url(_ url: RemoteURL) throws(RemoteURL.Problem) -> RemoteURL {
    let word: String
    switch self {
    case .start: word = "start"
    case .success: return url
    case .failure: word = "fail"
    }
    let text = url.text
    let end = text.firstIndex(of: "?") ?? text.endIndex
    return try RemoteURL("\(text[..<end])\(text[..<end].hasSuffix("/") ? "" : "/")\(word)\(text[end...])")
  }
}

/// The reason why a monitor was not told.
package enum PingProblem: Error, Hashable, Sendable {
  /// The file with the URL cannot be read.
  case file(SecretProblem)
  case notURL(path: String)
  case request(host: String, Failure)
  case tooSlow(host: String, after: Duration)
}
