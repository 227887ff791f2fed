// SPDX-License-Identifier: Apache-2.0
package import SyncCore

/// The answers of an OAuth 2 provider, in JSON.
package enum OAuthAnswer {
  /// Far more than the longest token.
  package static let maximumSize = ByteCount(64 << 10)

  /// The longest lifetime that is believed. A longer one, or a negative one, is as good as none.
  private static let longestLifetime: Int64 = 10 * 365 * 86_400

  // MARK: Tokens

  /// The tokens, or the error, in the answer of a token endpoint (RFC 6749 §5).
  package static func grant(
    _ body: [UInt8], status: Int, from host: String
  ) -> Result<TokenGrant, LoginProblem> {
    document(body, status: status, from: host).flatMap { document in
      guard let access = document["access_token"]?.string, isToken(access) else {
        return .failure(.unusable(host: host, .member("access_token")))
      }
      // RFC 6749 §7.1: a client must not use a token of a type that it does not understand.
      let type = document["token_type"]?.string ?? ""
      guard type.lowercased() == "bearer" else { return .failure(.unusable(host: host, .tokenType(type))) }
      let refresh = document["refresh_token"]?.string
      guard refresh.map(isToken) ?? true else { return .failure(.unusable(host: host, .member("refresh_token"))) }
      return .success(
        TokenGrant(
          access: Secret(access), refresh: refresh.map { Secret($0) }, lifetime: lifetime(document["expires_in"])))
    }
  }

  /// RFC 6749 appendix A.12 and A.17, without blanks, which no header field could carry unharmed.
  private static func isToken(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
  }

  /// A number, or a number in a text, as some providers write it.
  private static func lifetime(_ value: JSONValue?) -> Duration? {
    guard let seconds = value?.integer ?? value?.string.flatMap({ Int64($0) }) else { return nil }
    return (0...longestLifetime).contains(seconds) ? .seconds(seconds) : nil
  }

  /// The output of a program: an access token alone, or the answer of a token endpoint.
  package static func printed(_ output: String, by program: String) throws(SecretProblem) -> TokenGrant {
    let place = SecretPlace.command(program: program)
    var text = output[...]
    while let last = text.unicodeScalars.last, last == "\n" || last == "\r" { text.unicodeScalars.removeLast() }
    guard !text.isEmpty else { throw .empty(place) }
    if text.drop(while: \.isWhitespace).first == "{" {
      guard case .success(var grant) = printedGrant(Array(text.utf8)) else { throw .notSendable(place) }
      grant.refresh = nil
      return grant
    }
    guard !text.contains(where: \.isNewline) else { throw .severalLines(place) }
    guard isToken(String(text)) else { throw .notSendable(place) }
    return TokenGrant(access: Secret(String(text)))
  }

  /// A program may leave the type out.
  private static func printedGrant(_ body: [UInt8]) -> Result<TokenGrant, LoginProblem> {
    document(body, status: 200, from: "").flatMap { document in
      guard let access = document["access_token"]?.string, isToken(access) else {
        return .failure(.unusable(host: "", .member("access_token")))
      }
      return .success(TokenGrant(access: Secret(access), lifetime: lifetime(document["expires_in"])))
    }
  }

  // MARK: Devices

  /// The offer of a device authorization endpoint (RFC 8628 §3.2).
  package static func offer(
    _ body: [UInt8], status: Int, from host: String
  ) -> Result<DeviceOffer, LoginProblem> {
    document(body, status: status, from: host).flatMap { document in
      func member(_ name: String) -> Result<DeviceOffer, LoginProblem> {
        .failure(.unusable(host: host, .member(name)))
      }
      guard let code = document["device_code"]?.string, !code.isEmpty else { return member("device_code") }
      guard let userCode = document["user_code"]?.string, !userCode.isEmpty else { return member("user_code") }
      // Some providers follow a draft, with the name `verification_url`.
      guard let page = (document["verification_uri"] ?? document["verification_url"])?.string, isPage(page) else {
        return member("verification_uri")
      }
      guard let lifetime = lifetime(document["expires_in"]) else { return member("expires_in") }
      let whole = document["verification_uri_complete"]?.string
      return .success(
        DeviceOffer(
          code: Secret(code), userCode: userCode, page: page, wholePage: whole.flatMap { isPage($0) ? $0 : nil },
          lifetime: lifetime,
          interval: Self.lifetime(document["interval"]) ?? DeviceOffer.usualInterval))
    }
  }

  private static func isPage(_ text: String) -> Bool {
    do throws(RemoteURL.Problem) { return try !RemoteURL(text).hasCredentials } catch { return false }
  }

  // MARK: Metadata

  /// The URLs of the metadata of an issuer, the usual one first (RFC 8414 §3.1; OpenID Connect Discovery §4).
  package static func metadataURLs(of issuer: RemoteURL) -> [RemoteURL] {
    let path = issuer.path == "/" ? "" : issuer.path.hasSuffix("/") ? String(issuer.path.dropLast()) : issuer.path
    let origin = "\(issuer.scheme.rawValue)://\(issuer.origin.text)"
    let texts = [
      "\(origin)/.well-known/oauth-authorization-server\(path)", "\(origin)\(path)/.well-known/openid-configuration",
    ]
    return texts.compactMap { text in
      do throws(RemoteURL.Problem) { return try RemoteURL(text) } catch { return nil }
    }
  }

  /// The URLs that a provider's metadata names (RFC 8414 §2).
  package static func endpoints(
    _ body: [UInt8], of issuer: RemoteURL, from host: String
  ) -> Result<OAuthEndpoints, LoginProblem> {
    do throws(LoginDefect) {
      let document: JSONValue
      do throws(JSONError) { document = try JSONValue(parsing: body) } catch { throw .notJSON }
      let named = document["issuer"]?.string ?? ""
      guard withoutSlash(named) == withoutSlash(issuer.text) else { throw .otherIssuer(named) }
      guard let token = try url(.token, in: document) else { throw .noEndpoint(.token) }
      var endpoints = OAuthEndpoints(
        authorization: try url(.authorization, in: document), token: token, device: try url(.device, in: document),
        revocation: try url("revocation_endpoint", in: document))
      let challenges = document["code_challenge_methods_supported"]?.array?.compactMap(\.string)
      guard challenges?.contains("S256") ?? true else { throw .noPKCE }
      endpoints.issuer = named
      endpoints.namesIssuer = document["authorization_response_iss_parameter_supported"]?.bool ?? false
      let methods = document["token_endpoint_auth_methods_supported"]?.array?.compactMap(\.string) ?? []
      endpoints.takesSecretInBody =
        methods.contains("client_secret_post") && !methods.contains("client_secret_basic")
      return .success(endpoints)
    } catch { return .failure(.unusable(host: host, error)) }
  }

  private static func withoutSlash(_ text: String) -> Substring { text.hasSuffix("/") ? text.dropLast() : text[...] }

  private static func url(_ endpoint: LoginEndpoint, in document: JSONValue) throws(LoginDefect) -> RemoteURL? {
    try url(endpoint.rawValue, in: document)
  }

  private static func url(_ name: String, in document: JSONValue) throws(LoginDefect) -> RemoteURL? {
    guard let text = document[name]?.string else { return nil }
    let url: RemoteURL
    do throws(RemoteURL.Problem) { url = try RemoteURL(text) } catch { throw .member(name) }
    guard url.isSafeForTokens, !url.hasCredentials else { throw .insecure(url.redacted) }
    return url
  }

  // MARK: Errors

  /// The object of an answer, or the error that it states (RFC 6749 §5.2).
  private static func document(
    _ body: [UInt8], status: Int, from host: String
  ) -> Result<JSONValue, LoginProblem> {
    let document: JSONValue
    do throws(JSONError) { document = try JSONValue(parsing: body) } catch {
      return .failure((200..<300).contains(status) ? .unusable(host: host, .notJSON) : .status(host: host, status))
    }
    // Some providers send their errors with the status 200.
    if let code = document["error"]?.string {
      return .failure(CodeRequest.problem(code, document["error_description"]?.string))
    }
    guard (200..<300).contains(status) else { return .failure(.status(host: host, status)) }
    guard case .object = document else { return .failure(.unusable(host: host, .notJSON)) }
    return .success(document)
  }
}
