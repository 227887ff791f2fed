// SPDX-License-Identifier: Apache-2.0

/// An OAuth 2 provider on loopback with resources that want its tokens: metadata, an authorization page that agrees at
/// once, tokens with rotation and PKCE, the device flow, revocation.
///
///     let provider = try OAuthServer()
///     provider.change { $0.accessSeconds = 5 }
///     provider.serve("/a.mp3", Resource(bytes: audio))
///     provider.script(provider.tokenPath, [.status(503), .honest])
///
/// A script applies before the policy. A response that breaks off has been given all the same: that is how the answer
/// with a rotated token is lost.
package final class OAuthServer: Sendable {
  /// The HTTP server, for its log and its further faults.
  package let server: FaultServer
  private let responder: OAuthResponder

  /// - Parameter address: An IPv4 loopback address.
  package init(address: String = "127.0.0.1", policy: Policy = Policy()) throws(SystemCallError) {
    server = try FaultServer(address: address)
    let responder = OAuthResponder(issuer: server.url(), policy: policy)
    self.responder = responder
    server.handle { responder.answer(to: $0) }
  }

  /// The issuer, whose metadata is at its well-known place.
  package var url: String { server.url() }
  package func url(of path: String) -> String { server.url(path) }

  package var authorizePath: String { "/authorize" }
  package var tokenPath: String { "/token" }
  package var devicePath: String { "/device" }
  package var revocationPath: String { "/revoke" }

  package var policy: Policy { responder.policy }
  /// Changes the policy between two requests. The closure must not use the server.
  package func change(_ change: (inout Policy) -> Void) { responder.change(change) }

  /// Serves a resource to whoever has a valid token.
  package func serve(_ path: String, _ resource: Resource) { server.serve(path, resource) }
  package func script(_ path: String, _ behaviours: [Behaviour]) { server.script(path, behaviours) }
  package func requests(to path: String) -> [LoggedRequest] { server.requests(to: path) }

  /// Gives tokens without any login, for a client that has them already.
  package func issue() -> (access: String, refresh: String) { responder.issue() }

  /// Makes every access token invalid, as a provider may do at any time. Refresh tokens stay.
  package func invalidateAccess() { responder.invalidateAccess() }
  /// Makes every token invalid.
  package func revokeAll() { responder.revokeAll() }

  /// Every secret that the provider has given out: tokens and codes.
  package var secrets: [String] { responder.secrets }
  /// The refresh tokens that are valid now.
  package var validRefreshTokens: Int { responder.validRefreshTokens }
  /// How often a refresh token was used a second time.
  package var reuses: Int { responder.reuses }

  package func stop() { server.stop() }
}

extension OAuthServer {
  /// The way in which the provider answers. A test may change it at any time.
  package struct Policy: Sendable {
    package var clientID = "syncjob-test"
    /// Nil for a public client.
    package var clientSecret: String?
    /// The lifetime of access tokens, and what is told of it. Nil tells nothing.
    package var accessSeconds = 3600
    package var toldSeconds: Int? = 3600
    /// False for a provider that gives no refresh tokens.
    package var givesRefresh = true
    /// False for a provider whose refresh tokens stay.
    package var rotates = true
    /// The error at the authorization page. Nil agrees.
    package var refusal: String?
    /// The errors of the first polls of each device; then the login is granted.
    package var deviceErrors = ["authorization_pending"]
    package var deviceSeconds = 600
    package var deviceInterval = 1
    /// Members of the metadata that are left out.
    package var hidden: Set<String> = []
    /// The state or the issuer that the browser brings back instead of the right ones.
    package var wrongState: String?
    package var wrongIssuer: String?
    /// The time in seconds since 1970.
    package var now: @Sendable () -> Int = { OAuthClock.now() }

    package init() {}

    /// The same lifetime in truth and in the answers.
    package mutating func setLifetime(_ seconds: Int) { (accessSeconds, toldSeconds) = (seconds, seconds) }
  }
}
