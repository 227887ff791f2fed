// SPDX-License-Identifier: Apache-2.0

/// The place from which access tokens come, as the manifest declares it (`auth.oauth`). Playlists and servers with equal
/// settings share one login.
package enum TokenSource: Hashable, Sendable {
  /// A login that `syncjob login` makes.
  case login(OAuthClient)
  /// A program that prints an access token: its name or path, then its arguments.
  case command([String])

  package var client: OAuthClient? { if case .login(let client) = self { client } else { nil } }
}

/// This program as a client of an OAuth 2 provider (RFC 6749 §2).
package struct OAuthClient: Hashable, Sendable {
  package enum Provider: Hashable, Sendable {
    /// The URLs are in the metadata of the provider (RFC 8414).
    case issuer(RemoteURL)
    case endpoints(OAuthEndpoints)
  }

  package var provider: Provider
  /// The name under which the provider knows the client.
  package var id: String
  /// A client without a secret is a public one, as most programs on a person's machine are (RFC 8252 §8.4).
  package var secret: SecretSource?
  package var scopes: [String]
  /// The absolute path of the file of the tokens. Nil for one in the state folder.
  package var tokenFile: String?

  package init(
    _ provider: Provider, id: String, secret: SecretSource? = nil, scopes: [String] = [], tokenFile: String? = nil
  ) {
    (self.provider, self.id, self.secret) = (provider, id, secret)
    (self.scopes, self.tokenFile) = (scopes, tokenFile)
  }

  /// The host of the provider, for people.
  package var host: String {
    switch provider {
    case .issuer(let url): url.origin.text
    case .endpoints(let endpoints): endpoints.token.origin.text
    }
  }

  /// A text that differs for clients with different logins. It contains no secret.
  package var identity: String {
    var digest = InputDigest()
    switch provider {
    case .issuer(let url): digest.add("issuer", url.text)
    case .endpoints(let endpoints): digest.add("token", endpoints.token.text)
    }
    digest.add(id)
    for scope in scopes.sorted() { digest.add(scope) }
    let digits = String(digest.value, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }

  /// The name of its file in the state folder: the host for people, and its identity.
  package var fileName: String {
    let name = String(host.map { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "." || $0 == "-") ? $0 : "_" })
    return "\(name.prefix(100).drop { $0 == "." })-\(identity).json"
  }
}

/// The URLs of a provider.
package struct OAuthEndpoints: Hashable, Sendable {
  /// The page on which the person agrees.
  package var authorization: RemoteURL?
  package var token: RemoteURL
  package var device: RemoteURL?
  package var revocation: RemoteURL?
  /// The issuer as its metadata states it. Nil if the manifest names the URLs.
  package var issuer: String?
  /// True if every answer of the authorization endpoint names its issuer (RFC 9207).
  package var namesIssuer = false
  /// True if the client's secret goes into the body, because the provider takes no Basic authentication.
  package var takesSecretInBody = false

  package init(
    authorization: RemoteURL? = nil, token: RemoteURL, device: RemoteURL? = nil, revocation: RemoteURL? = nil
  ) {
    (self.authorization, self.token, self.device, self.revocation) = (authorization, token, device, revocation)
  }
}

extension RemoteURL {
  /// True if tokens and codes may go there: over https, or to this machine.
  package var isSafeForTokens: Bool { scheme == .https || scheme == .http && isOfThisMachine }

  private var isOfThisMachine: Bool {
    let host = host
    return host == "localhost" || host == "::1" || host.hasPrefix("127.") && IPAddress(host) != nil
  }
}
