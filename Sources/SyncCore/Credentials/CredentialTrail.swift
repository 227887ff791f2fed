// SPDX-License-Identifier: Apache-2.0

/// The credentials of one request on its way through redirects. When a redirect leaves their scope, they are dropped
/// and do not come back, as in the Fetch standard (HTTP-redirect fetch, step 13): a site outside the scope must not be
/// able to send the request back, with credentials, to a place of its choice. The manifest's own header fields follow
/// the same rule, because they may contain keys.
package struct CredentialTrail: Sendable {
  private let credentials: [Credentials]
  private let headers: [HTTPField]
  /// The scopes of the credentials, followed by those of the headers.
  private let scopes: [CredentialScope]
  private var wasInside: Set<Int> = []
  private var hasLeft: Set<Int> = []

  /// - Parameters:
  ///   - credentials: The first entry whose scope admits a URL is sent there.
  ///   - headers: Fields that are sent wherever one of `scopes` admits the URL.
  ///   - scopes: The scopes of the playlists that the request is for.
  package init(_ credentials: [Credentials], headers: [HTTPField] = [], scopes: [CredentialScope] = []) {
    self.credentials = credentials
    self.headers = headers
    self.scopes = credentials.map(\.scope) + scopes
  }

  /// Returns the fields of the next request.
  /// - Parameters:
  ///   - isRedirect: True if the previous request was redirected here. False starts a new trail.
  ///   - isPlain: True for a server that does not take tokens.
  package mutating func fields(
    for url: RemoteURL, isRedirect: Bool, isPlain: Bool = false, at now: Timestamp
  ) -> [CredentialField] {
    if !isRedirect { (wasInside, hasLeft) = ([], []) }
    let admitting = Set(scopes.indices.filter { scopes[$0].admits(url) })
    hasLeft.formUnion(wasInside.subtracting(admitting))
    wasInside.formUnion(admitting)
    let own = ownFields(for: url, isPlain, at: now)
    let names = Set(own.map(\.identity))
    let isAdmitted = admitting.contains { $0 >= credentials.count && !hasLeft.contains($0) }
    let further = isAdmitted ? headers.map { CredentialField($0.name, Secret($0.value)) } : []
    return own + further.filter { !names.contains($0.identity) }
  }

  private func ownFields(for url: RemoteURL, _ isPlain: Bool, at now: Timestamp) -> [CredentialField] {
    for (index, each) in credentials.enumerated() where !hasLeft.contains(index) {
      let fields = each.fields(for: url, isPlain: isPlain, at: now)
      if !fields.isEmpty { return fields }
    }
    return []
  }
}

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
