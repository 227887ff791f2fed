// SPDX-License-Identifier: Apache-2.0

/// A cookie supplied by the user.
package struct Cookie: Hashable, Sendable {
  /// Lower case, without a leading dot.
  package var domain: String
  package var includesSubdomains: Bool
  package var path: String
  /// True if the cookie is sent only over https.
  package var isSecure: Bool
  /// Nil for a session cookie, which never expires in a file.
  package var expiresAt: Timestamp?
  package var name: String
  package var value: Secret

  package init(
    domain: String, includesSubdomains: Bool, path: String, isSecure: Bool, expiresAt: Timestamp?, name: String,
    value: Secret
  ) {
    self.domain = domain
    self.includesSubdomains = includesSubdomains
    self.path = path
    self.isSecure = isSecure
    self.expiresAt = expiresAt
    self.name = name
    self.value = value
  }

  /// True if the cookie may be sent with a request for `url` (RFC 6265 §5.4).
  func fits(_ url: RemoteURL, at now: Timestamp) -> Bool {
    let isHost = url.host == domain
    // An IP address has no subdomains.
    let isBelow = includesSubdomains && url.host.hasSuffix(".\(domain)") && IPAddress(url.host) == nil
    guard isHost || isBelow, !isSecure || url.scheme == .https else { return false }
    return fits(path: url.path) && expiresAt.map { now < $0 } ?? true
  }

  /// Path matching (RFC 6265 §5.1.4).
  private func fits(path other: String) -> Bool {
    other == path || other.hasPrefix(path) && (path.hasSuffix("/") || other.dropFirst(path.count).hasPrefix("/"))
  }
}
