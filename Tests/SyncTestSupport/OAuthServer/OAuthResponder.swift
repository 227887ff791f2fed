// SPDX-License-Identifier: Apache-2.0
import Glibc
import Synchronization

enum OAuthClock {
  static func now() -> Int { time(nil) }
}

/// Answers the requests of clients and browsers. It does not use a socket.
final class OAuthResponder: Sendable {
  private struct Grant {
    var challenge: String
    var redirect: String
  }

  private struct Content {
    var policy: OAuthServer.Policy
    var codes: [String: Grant] = [:]
    /// The access tokens, with the times of their ends.
    var access: [String: Int] = [:]
    /// The refresh tokens, with the number of the login. A used one is kept, so that a second use is noticed.
    var refresh: [String: (login: Int, isUsed: Bool)] = [:]
    /// The device codes, with the number of their polls.
    var devices: [String: Int] = [:]
    var logins = 0
    var reuses = 0
    var secrets: [String] = []

    mutating func newSecret(_ kind: String) -> String {
      let chance = String(UInt128.random(in: .min ... .max), radix: 36)
      let secret = "\(kind)-\(secrets.count)-\(chance)"
      secrets.append(secret)
      return secret
    }
  }

  private let issuer: String
  private let content: Mutex<Content>

  init(issuer: String, policy: OAuthServer.Policy) {
    self.issuer = issuer
    content = Mutex(Content(policy: policy))
  }

  var policy: OAuthServer.Policy { content.withLock { $0.policy } }
  func change(_ change: (inout OAuthServer.Policy) -> Void) { content.withLock { change(&$0.policy) } }
  var secrets: [String] { content.withLock { $0.secrets } }
  var reuses: Int { content.withLock { $0.reuses } }
  var validRefreshTokens: Int { content.withLock { $0.refresh.values.count { !$0.isUsed } } }
  func invalidateAccess() { content.withLock { $0.access = [:] } }
  func revokeAll() { content.withLock { ($0.access, $0.refresh) = ([:], [:]) } }

  func issue() -> (access: String, refresh: String) {
    content.withLock { content in
      content.logins += 1
      let (access, refresh) = (content.newSecret("AT"), content.newSecret("RT"))
      content.access[access] = content.policy.now() + content.policy.accessSeconds
      content.refresh[refresh] = (content.logins, false)
      return (access, refresh)
    }
  }

  func answer(to request: LoggedRequest) -> Behaviour.Answer {
    let policy = policy
    switch (request.method, request.path) {
    case ("GET", "/.well-known/oauth-authorization-server"): return json(200, metadata(policy))
    case ("GET", "/authorize"): return authorize(request, policy)
    case ("POST", "/token"): return withClient(request, policy) { token($0, policy) }
    case ("POST", "/device"): return withClient(request, policy) { _ in device(policy) }
    case ("POST", "/revoke"):
      return withClient(request, policy) { form in
        revoke(form["token"] ?? "")
        return .status(200, headers: [], body: [])
      }
    default:
      guard let words = request.authorization?.split(separator: " "), words.count == 2, words[0] == "Bearer",
        content.withLock({ $0.access[String(words[1])].map { policy.now() < $0 } ?? false })
      else {
        return .status(401, headers: [HTTPHeader("WWW-Authenticate", "Bearer error=\"invalid_token\"")], body: [])
      }
      return .resource
    }
  }

  // MARK: The browser

  private func metadata(_ policy: OAuthServer.Policy) -> [(String, String)] {
    [
      ("issuer", Self.quoted(issuer)), ("authorization_endpoint", Self.quoted("\(issuer)/authorize")),
      ("token_endpoint", Self.quoted("\(issuer)/token")),
      ("device_authorization_endpoint", Self.quoted("\(issuer)/device")),
      ("revocation_endpoint", Self.quoted("\(issuer)/revoke")),
      ("code_challenge_methods_supported", "[\"S256\"]"),
      ("authorization_response_iss_parameter_supported", "true"),
    ].filter { !policy.hidden.contains($0.0) }
  }

  /// Agrees at once, and sends the browser back.
  private func authorize(_ request: LoggedRequest, _ policy: OAuthServer.Policy) -> Behaviour.Answer {
    let query = OAuthForm.values(String(request.target.drop { $0 != "?" }.dropFirst()))
    guard query["client_id"] == policy.clientID, query["response_type"] == "code",
      query["code_challenge_method"] == "S256", let challenge = query["code_challenge"], challenge.utf8.count == 43,
      let redirect = query["redirect_uri"], redirect.hasPrefix("http://127.0.0.1:"), let state = query["state"]
    else { return json(400, [("error", "\"invalid_request\"")]) }
    var parameters = [("state", policy.wrongState ?? state), ("iss", policy.wrongIssuer ?? issuer)]
    if let refusal = policy.refusal {
      parameters.append(("error", refusal))
    } else {
      let code = content.withLock { content in
        let code = content.newSecret("CODE")
        content.codes[code] = Grant(challenge: challenge, redirect: redirect)
        return code
      }
      parameters.append(("code", code))
    }
    let location = redirect + "?" + parameters.map { "\($0.0)=\(OAuthForm.encoded($0.1))" }.joined(separator: "&")
    return .status(302, headers: [HTTPHeader("Location", location)], body: [])
  }

  // MARK: Clients

  private func withClient(
    _ request: LoggedRequest, _ policy: OAuthServer.Policy, _ body: ([String: String]) -> Behaviour.Answer
  ) -> Behaviour.Answer {
    let form = OAuthForm.values(String(decoding: request.body, as: UTF8.self))
    let login = "\(policy.clientID):\(policy.clientSecret ?? "")"
    let isKnown =
      policy.clientSecret == nil
      ? form["client_id"] == policy.clientID && request.authorization == nil
      : request.authorization == "Basic \(OAuthForm.base64(Array(login.utf8)))"
    return isKnown ? body(form) : json(401, [("error", "\"invalid_client\"")])
  }

  private func token(_ form: [String: String], _ policy: OAuthServer.Policy) -> Behaviour.Answer {
    switch form["grant_type"] {
    case "authorization_code":
      guard let grant = content.withLock({ $0.codes.removeValue(forKey: form["code"] ?? "") }),
        form["redirect_uri"] == grant.redirect, let verifier = form["code_verifier"],
        OAuthForm.base64ForURL(SmallSHA256.digest(Array(verifier.utf8))) == grant.challenge
      else { return Self.refused("invalid_grant") }
      return granted(policy, login: nil)
    case "refresh_token": return refresh(form["refresh_token"] ?? "", policy)
    case "urn:ietf:params:oauth:grant-type:device_code": return poll(form["device_code"] ?? "", policy)
    default: return Self.refused("unsupported_grant_type")
    }
  }

  /// A refresh token that comes a second time was stolen, or its answer was lost: its login ends (RFC 9700 §4.14.2).
  private func refresh(_ token: String, _ policy: OAuthServer.Policy) -> Behaviour.Answer {
    let login: Int? = content.withLock { content in
      guard let known = content.refresh[token] else { return nil }
      if known.isUsed {
        content.reuses += 1
        content.refresh = content.refresh.filter { $0.value.login != known.login }
        content.access = [:]
        return nil
      }
      if policy.rotates { content.refresh[token]?.isUsed = true }
      return known.login
    }
    return login.map { granted(policy, login: $0) } ?? Self.refused("invalid_grant")
  }

  private func poll(_ code: String, _ policy: OAuthServer.Policy) -> Behaviour.Answer {
    let polls: Int? = content.withLock { content in
      guard let polls = content.devices[code] else { return nil }
      content.devices[code] = polls + 1
      return polls
    }
    guard let polls else { return Self.refused("invalid_grant") }
    guard polls >= policy.deviceErrors.count else { return Self.refused(policy.deviceErrors[polls]) }
    content.withLock { $0.devices[code] = nil }
    return granted(policy, login: nil)
  }

  private func granted(_ policy: OAuthServer.Policy, login: Int?) -> Behaviour.Answer {
    content.withLock { content in
      let access = content.newSecret("AT")
      content.access[access] = policy.now() + policy.accessSeconds
      var members = [("access_token", Self.quoted(access)), ("token_type", "\"Bearer\"")]
      if let seconds = policy.toldSeconds { members.append(("expires_in", "\(seconds)")) }
      if policy.givesRefresh, login == nil || policy.rotates {
        let refresh = content.newSecret("RT")
        if login == nil { content.logins += 1 }
        content.refresh[refresh] = (login ?? content.logins, false)
        members.append(("refresh_token", Self.quoted(refresh)))
      }
      return json(200, members)
    }
  }

  private func device(_ policy: OAuthServer.Policy) -> Behaviour.Answer {
    let code = content.withLock { content in
      let code = content.newSecret("DC")
      content.devices[code] = 0
      return code
    }
    return json(
      200,
      [
        ("device_code", Self.quoted(code)), ("user_code", "\"WDJB-MJHT\""),
        ("verification_uri", Self.quoted("\(issuer)/activate")), ("expires_in", "\(policy.deviceSeconds)"),
        ("interval", "\(policy.deviceInterval)"),
      ])
  }

  private func revoke(_ token: String) {
    content.withLock { content in
      content.access[token] = nil
      guard let login = content.refresh[token]?.login else { return }
      content.refresh = content.refresh.filter { $0.value.login != login }
      content.access = [:]
    }
  }

  // MARK: JSON

  private static func refused(_ code: String) -> Behaviour.Answer {
    .status(
      400, headers: [HTTPHeader("Content-Type", "application/json")], body: Array("{\"error\":\"\(code)\"}".utf8))
  }

  private func json(_ status: Int, _ members: [(String, String)]) -> Behaviour.Answer {
    let text = "{" + members.map { "\(Self.quoted($0.0)):\($0.1)" }.joined(separator: ",") + "}"
    return .status(status, headers: [HTTPHeader("Content-Type", "application/json")], body: Array(text.utf8))
  }

  private static func quoted(_ text: String) -> String { "\"\(text)\"" }
}
