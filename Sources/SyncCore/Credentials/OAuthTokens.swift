// SPDX-License-Identifier: Apache-2.0

/// The tokens of one login.
package struct OAuthTokens: Hashable, Sendable {
  /// Identifies the login. It stays when tokens are renewed, and is not a secret.
  package var login: String
  package var access: Secret
  /// Nil if the provider gave none. The login ends with the access token then.
  package var refresh: Secret?
  /// The time at which the access token was asked for, by the clock of this machine.
  package var issuedAt: Timestamp
  /// The lifetime of the access token. Nil if the provider did not tell it.
  package var lifetime: Duration?
  /// The URLs of the provider at the time of the login.
  package var endpoints: OAuthEndpoints

  package init(
    login: String, access: Secret, refresh: Secret?, issuedAt: Timestamp, lifetime: Duration?,
    endpoints: OAuthEndpoints
  ) {
    (self.login, self.access, self.refresh) = (login, access, refresh)
    (self.issuedAt, self.lifetime, self.endpoints) = (issuedAt, lifetime, endpoints)
  }

  /// The tokens after a renewal. A provider that does not rotate refresh tokens gives none (RFC 6749 §6).
  package func renewed(by grant: TokenGrant, at now: Timestamp) -> OAuthTokens {
    OAuthTokens(
      login: login, access: grant.access, refresh: grant.refresh ?? refresh, issuedAt: now, lifetime: grant.lifetime,
      endpoints: endpoints)
  }

  package var token: AccessToken { AccessToken(access, issuedAt: issuedAt, lifetime: lifetime) }

  /// All values that must never be shown.
  package var secrets: [Secret] { [access, refresh].compactMap(\.self) }
}

/// The answer of a token endpoint (RFC 6749 §5.1).
package struct TokenGrant: Hashable, Sendable {
  package var access: Secret
  package var refresh: Secret?
  /// Nil if the provider does not tell it.
  package var lifetime: Duration?

  package init(access: Secret, refresh: Secret? = nil, lifetime: Duration? = nil) {
    (self.access, self.refresh, self.lifetime) = (access, refresh, lifetime)
  }
}

/// One access token, and how long it is good.
package struct AccessToken: Hashable, Sendable {
  /// The use of a token at a time.
  package enum Standing: Hashable, Sendable {
    case fresh
    /// It is still good, and another should take its place.
    case due
    case over
  }

  package let secret: Secret
  private let issuedAt: Timestamp
  private let lifetime: Duration?
  /// The end of its life in which it is due.
  private var margin: Duration

  package init(_ secret: Secret, issuedAt: Timestamp, lifetime: Duration?) {
    (self.secret, self.issuedAt, self.lifetime) = (secret, issuedAt, lifetime)
    margin = min(Self.longestMargin, (lifetime ?? .zero) / 4)
  }

  /// The same, to be used up to its end, because it could not be renewed.
  package var last: AccessToken {
    var token = self
    token.margin = .zero
    return token
  }

  /// A token is renewed in the last minute of its life, or in its last quarter if that is shorter, so that a request
  /// does not arrive with one that has just ended.
  private static let longestMargin = Duration.seconds(60)

  /// If the clock was set back behind the time of issue, the age is unknown, and the token is due.
  package func standing(at now: Timestamp) -> Standing {
    guard let lifetime else { return .fresh }
    let age = now - issuedAt
    guard age >= .zero else { return .due }
    if age >= lifetime { return .over }
    return age >= lifetime - margin ? .due : .fresh
  }
}

/// The steps of a renewal, as far as a decision needs them.
package enum RenewalRule {
  package enum Decision: Hashable, Sendable {
    case use
    case renew
    /// There is nothing to renew it with.
    case fail(LoginProblem)
  }

  /// - Parameter rejected: The token that a server has just refused. Another process may have renewed it meanwhile.
  package static func decision(_ tokens: OAuthTokens, rejected: Secret?, at now: Timestamp) -> Decision {
    let isRejected = tokens.access == rejected
    let standing = tokens.token.standing(at: now)
    if !isRejected, standing == .fresh { return .use }
    if tokens.refresh != nil { return .renew }
    return isRejected || standing == .over ? .fail(.notRenewable) : .use
  }

  /// True if the present token may be used although its renewal failed.
  package static func mayGoOn(
    with tokens: OAuthTokens, after problem: LoginProblem, rejected: Secret?, at now: Timestamp
  ) -> Bool {
    problem.isTemporary && tokens.access != rejected && tokens.token.standing(at: now) == .due
  }

  /// The problem that a refusal of the refresh token shows (`invalid_grant`).
  /// - Parameter interruption: The time of an earlier renewal whose answer never came.
  package static func judged(_ problem: LoginProblem, after interruption: Timestamp?) -> LoginProblem {
    guard case .refused("invalid_grant", _) = problem else { return problem }
    return interruption.map { .loginLost(since: $0) } ?? .loginOver
  }
}
