// SPDX-License-Identifier: Apache-2.0
package import SyncCore

extension ProtectionChange {
  /// The change that was made, in a report.
  var done: String {
    switch self {
    case .seal: "sealed"
    case .unseal: "in clear again"
    case .reseal: "sealed with the new key"
    }
  }

  /// The code for programs.
  var code: String {
    switch self {
    case .seal: "to_be_sealed"
    case .unseal: "to_be_in_clear"
    case .reseal: "to_be_sealed_again"
    }
  }
}

package enum KeyWords {
  /// The line about a keyset that was written.
  package static func wrote(
    _ key: KeyID, to path: String, isPrimary: Bool, _ invocation: Invocation = Invocation()
  ) -> String {
    isPrimary
      ? "key \(key.number) in \(path.quoted) seals from now on; keep a copy of this file elsewhere: without it the media"
        + " are lost"
      : "added key \(key.number) to \(path.quoted); it opens files, and seals after:"
        + " \(invocation.command("key rotate --to \(key.number)"))"
  }

  package static func decryptFile(_ path: String) -> String { "\(path.quoted) does not name a file" }

  package static let decryptToStandardOutput = "-o - is not a file; write an item to standard output with syncjob cat"
  package static let decryptNeeds = "name an item, or a playlist with --playlist"
  package static let decryptBoth = "name an item or a playlist, not both"
}
