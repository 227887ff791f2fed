// SPDX-License-Identifier: Apache-2.0

/// A playlist's credentials as the manifest declares them (`auth`), for its source and its media.
package struct AuthSettings: Hashable, Sendable {
  package enum Login: Hashable, Sendable {
    /// Basic authentication (RFC 7617). The user contains no colon.
    case basic(user: String, password: SecretSource)
    /// A bearer token (RFC 6750).
    case bearer(SecretSource)
  }

  package var login: Login?
  /// A file with lines of `Name: value`.
  package var headerFile: SecretFile?
  /// A file in Netscape's cookie format.
  package var cookiesFile: SecretFile?
  package var netrc: SecretFile?
  /// The hosts that may get the credentials besides the origins written in the manifest.
  package var scope: [ScopedHost] = []
  package init() {}
}
