// SPDX-License-Identifier: Apache-2.0

/// What a manifest says about proving who asks for a playlist's source and media (`auth`).
package struct AuthSettings: Hashable, Sendable {
  package enum Login: Hashable, Sendable {
    /// RFC 7617. The user has no colon.
    case basic(user: String, password: SecretSource)
    /// RFC 6750.
    case bearer(SecretSource)
  }

  package var login: Login?
  /// Lines of `Name: value`.
  package var headerFile: SecretFile?
  /// In Netscape's format.
  package var cookiesFile: SecretFile?
  package var netrc: SecretFile?
  /// Who may have the credentials besides the origins that the manifest wrote.
  package var scope: [ScopedHost] = []
  package init() {}
}
