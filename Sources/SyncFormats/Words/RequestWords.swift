// SPDX-License-Identifier: Apache-2.0
package import SyncCore

extension RequestStep {
  /// One line, for the most verbose output.
  package var words: String {
    switch self {
    case .sent(let url, .zero): "> GET \(url.redacted.printable)"
    case .sent(let url, let offset): "> GET \(url.redacted.printable) from byte \(offset.bytes)"
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
    return "warning: events cannot be written to \(path.quoted): \(why); the run goes on without them"
  }
}
