// SPDX-License-Identifier: Apache-2.0

/// The request for an authorization code through a browser, with PKCE (RFC 6749 §4.1, RFC 7636, RFC 8252).
package struct CodeRequest: Sendable {
  package let client: OAuthClient
  package let endpoints: OAuthEndpoints
  /// The address on this machine to which the browser brings the answer.
  package let redirect: String
  /// Random. The answer must repeat it.
  package let state: String
  /// Random. It proves at the token endpoint that the code is ours.
  package let verifier: Secret
  /// The SHA-256 of the verifier.
  private let challenge: String

  /// - Parameters:
  ///   - state: At least 128 random bits.
  ///   - verifier: 43 to 128 characters of A-Z, a-z, 0-9, `-`, `.`, `_` and `~` (RFC 7636 §4.1).
  ///   - digest: The SHA-256 of the verifier.
  package init(
    _ client: OAuthClient, _ endpoints: OAuthEndpoints, redirect: String, state: String, verifier: Secret,
    digest: [UInt8]
  ) {
    (self.client, self.endpoints, self.redirect) = (client, endpoints, redirect)
    (self.state, self.verifier) = (state, verifier)
    challenge = Base64.encodedForURL(digest)
  }

  /// The URL that the browser opens. Nil without an authorization endpoint, or if it would be too long.
  package var url: RemoteURL? {
    guard let page = endpoints.authorization else { return nil }
    var form: [(String, String)] = [
      ("response_type", "code"), ("client_id", client.id), ("redirect_uri", redirect), ("state", state),
      ("code_challenge", challenge), ("code_challenge_method", "S256"),
    ]
    if !client.scopes.isEmpty { form.append(("scope", client.scopes.joined(separator: " "))) }
    do throws(RemoteURL.Problem) {
      return try RemoteURL(page.text + (page.hasQuery ? "&" : "?") + FormText.encoded(form))
    } catch { return nil }
  }

  /// The code in the query of the answer, once it is proven to be the answer to this request.
  package func code(in query: [String: String]) throws(LoginProblem) -> Secret {
    guard query["state"] == state else { throw .wrongState }
    if let issuer = endpoints.issuer {
      let found = query["iss"]
      guard found == issuer || found == nil && !endpoints.namesIssuer else { throw .wrongIssuer(found ?? "") }
    }
    if let error = query["error"] { throw Self.problem(error, query["error_description"]) }
    guard let code = query["code"], !code.isEmpty else {
      throw .unusable(host: client.host, .member("code"))
    }
    return Secret(code)
  }

  /// The request that exchanges the code for tokens.
  package func exchange(_ code: Secret) -> [(String, String)] {
    [
      ("grant_type", "authorization_code"), ("code", code.exposed), ("redirect_uri", redirect),
      ("code_verifier", verifier.exposed),
    ]
  }

  /// The meaning of an error code of a provider.
  package static func problem(_ code: String, _ description: String?) -> LoginProblem {
    switch code {
    case "access_denied": .denied
    case "expired_token": .expired
    default: .refused(code: code, description: description)
    }
  }
}

/// Texts of the form `name=value&name=value` (application/x-www-form-urlencoded).
package enum FormText {
  package static func encoded(_ form: [(String, String)]) -> String {
    form.map { "\(encoded($0))=\(encoded($1))" }.joined(separator: "&")
  }

  package static func encoded(_ text: String) -> String { RemoteURL.encoded(text) }

  /// The values by their names. Of a repeated name nothing is kept, because it may be read either way
  /// (RFC 6749 §3.1).
  package static func values(_ text: some StringProtocol) -> [String: String] {
    var values: [String: String] = [:]
    var repeated: Set<String> = []
    for pair in text.split(separator: "&") {
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(decoded)
      if values.updateValue(parts.count > 1 ? parts[1] : "", forKey: parts[0]) != nil { repeated.insert(parts[0]) }
    }
    return values.filter { !repeated.contains($0.key) }
  }

  private static func decoded(_ text: some StringProtocol) -> String {
    let bytes = text.utf8.map { $0 == UInt8(ascii: "+") ? UInt8(ascii: " ") : $0 }
    return String(decoding: RemoteURL.decoded(bytes), as: UTF8.self)
  }
}
