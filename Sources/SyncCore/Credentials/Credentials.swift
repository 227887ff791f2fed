// SPDX-License-Identifier: Apache-2.0

/// A name with a secret value that goes out with a request.
package struct CredentialField: Hashable, Sendable {
  package enum Place: Hashable, Sendable {
    /// A header field.
    case header
    /// A parameter of the URL's query, as servers of the Subsonic API want it.
    case query
  }

  package var name: String
  package var value: Secret
  package var place: Place
  /// False for a value that goes along with a secret, such as the user. It may be part of many texts.
  package var isSecret: Bool
  /// The source of the access token that takes the place of `value` when the request goes out. Nil for any other field.
  package var tokens: TokenSource?

  package init(_ name: String, _ value: Secret, in place: Place = .header, isSecret: Bool = true) {
    self.name = name
    self.value = value
    self.place = place
    self.isSecret = isSecret
  }

  /// Two fields of the same identity cannot go out together. The names of header fields ignore the case of letters
  /// (RFC 9110 §5.1), those of parameters do not.
  struct Identity: Hashable {
    let name: String
    let place: Place
  }

  var identity: Identity { Identity(name: place == .header ? name.lowercased() : name, place: place) }
}

/// All credentials of one playlist and the scope in which they may be sent.
package struct Credentials: Hashable, Sendable {
  package var scope: CredentialScope
  /// In order of precedence: of two fields with the same name, the first is sent.
  package var fields: [CredentialField] = []
  /// Sent in place of `fields` to a server that does not take the tokens there. Nil if there is no other way.
  package var plainFields: [CredentialField]?
  package var cookies: [Cookie] = []
  package var netrc: [NetrcEntry] = []
  /// The passwords that `fields` contain in another form.
  package var passwords: [Secret] = []

  /// All values that must never be shown.
  package var secrets: [Secret] {
    let secrets = (fields + (plainFields ?? [])).filter { field in
      field.isSecret && (field.place == .query || !Self.publicNames.contains(field.name.lowercased()))
    }
    // A header's value without the scheme in front, such as `Basic`.
    let values = secrets.compactMap { field in
      field.place == .query ? field.value.exposed[...] : field.value.exposed.split(separator: " ").last
    }
    return passwords + values.map { Secret(String($0)) } + cookies.map(\.value) + netrc.map(\.password)
  }

  /// Header fields from header files that are not secret. Parts of their values appear in many texts.
  private static let publicNames: Set<String> = [
    "referer", "user-agent", "accept", "accept-language", "origin", "from", "dnt",
  ]

  package init(scope: CredentialScope) { self.scope = scope }

  /// The fields of a request for `url`. Empty outside the scope.
  /// - Parameter isPlain: True for a server that does not take tokens.
  package func fields(for url: RemoteURL, isPlain: Bool = false, at now: Timestamp) -> [CredentialField] {
    guard scope.admits(url) else { return [] }
    let found = [cookieField(for: url, at: now), netrcField(for: url)].compactMap { $0 }
    var names: Set<CredentialField.Identity> = []
    // A user and password in the URL itself are the choice of its author.
    if url.hasCredentials { names.insert(CredentialField.Identity(name: "authorization", place: .header)) }
    return ((isPlain ? plainFields ?? fields : fields) + found).filter { names.insert($0.identity).inserted }
  }

  private func netrcField(for url: RemoteURL) -> CredentialField? {
    let entry = netrc.first { $0.host == url.host } ?? netrc.first { $0.host == nil }
    return entry.map { .basic(user: $0.user, password: $0.password) }
  }

  /// The longest path comes first (RFC 6265 §5.4).
  private func cookieField(for url: RemoteURL, at now: Timestamp) -> CredentialField? {
    let fitting = cookies.filter { $0.fits(url, at: now) }
    guard !fitting.isEmpty else { return nil }
    let ordered = fitting.enumerated().sorted {
      ($1.element.path.utf8.count, $0.offset) < ($0.element.path.utf8.count, $1.offset)
    }
    let pairs = ordered.map { "\($0.element.name)=\($0.element.value.exposed)" }
    return CredentialField("Cookie", Secret(pairs.joined(separator: "; ")))
  }
}

extension CredentialField {
  /// A field for Basic authentication (RFC 7617), in UTF-8.
  package static func basic(user: String, password: Secret) -> CredentialField {
    CredentialField("Authorization", Secret("Basic " + Base64.encoded(Array("\(user):\(password.exposed)".utf8))))
  }

  /// A field for a bearer token (RFC 6750 §2.1).
  package static func bearer(_ token: Secret) -> CredentialField {
    CredentialField("Authorization", Secret("Bearer " + token.exposed))
  }

  /// A field for the access token of a login (RFC 6750 §2.1), which is known only when the request goes out.
  /// - Parameter login: Identifies the login. Empty if there is none yet.
  package static func bearer(from tokens: TokenSource, login: String) -> CredentialField {
    var field = CredentialField("Authorization", Secret(login), isSecret: false)
    field.tokens = tokens
    return field
  }

  /// A field with the token of a user of the ListenBrainz API.
  package static func listenBrainz(_ token: Secret) -> CredentialField {
    CredentialField("Authorization", Secret("Token " + token.exposed))
  }
}

/// One user and password of a netrc file.
package struct NetrcEntry: Hashable, Sendable {
  /// Lower case. Nil applies to every host without an entry of its own.
  package var host: String?
  package var user: String
  package var password: Secret
  package init(host: String?, user: String, password: Secret) {
    self.host = host
    self.user = user
    self.password = password
  }
}

/// Base64 with the standard alphabet (RFC 4648 §4).
package enum Base64 {
  private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  package static func encoded(_ bytes: [UInt8]) -> String {
    var result: [UInt8] = []
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[start..<min(start + 3, bytes.count)]
      let bits = group.reduce(UInt32(0)) { $0 << 8 | UInt32($1) } << (8 * UInt32(3 - group.count))
      for position in 0..<4 {
        let isData = position <= group.count
        result.append(isData ? alphabet[Int(bits >> (18 - 6 * UInt32(position)) & 63)] : UInt8(ascii: "="))
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// The alphabet for URLs, without padding (RFC 4648 §5).
  package static func encodedForURL(_ bytes: [UInt8]) -> String {
    let digits = encoded(bytes).utf8.filter { $0 != UInt8(ascii: "=") }.map { digit in
      digit == UInt8(ascii: "+") ? UInt8(ascii: "-") : digit == UInt8(ascii: "/") ? UInt8(ascii: "_") : digit
    }
    return String(decoding: digits, as: UTF8.self)
  }

  /// Nil for a text with other characters. Padding may be absent.
  package static func decoded(_ text: Substring) -> [UInt8]? {
    var (bytes, bits, count): ([UInt8], UInt32, Int) = ([], 0, 0)
    for character in text.utf8 where character != UInt8(ascii: "=") {
      guard let value = alphabet.firstIndex(of: character) else { return nil }
      (bits, count) = (bits << 6 | UInt32(value), count + 6)
      if count >= 8 {
        count -= 8
        bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
      }
    }
    return bytes
  }
}

/// A playlist's credentials as the manifest declares them (`auth`), for its source and its media.
package struct AuthSettings: Hashable, Sendable {
  package enum Login: Hashable, Sendable {
    /// Basic authentication (RFC 7617). The user contains no colon.
    case basic(user: String, password: SecretSource)
    /// A bearer token (RFC 6750).
    case bearer(SecretSource)
    /// The login of the Subsonic API: a token that is made from the password.
    case subsonic(user: String, password: SecretSource)
    /// A key of the OpenSubsonic API, which names the user by itself.
    case subsonicKey(SecretSource)
    /// The token of a user of the ListenBrainz API.
    case listenBrainz(SecretSource)
    /// A bearer token that an OAuth 2 provider issues and that is renewed.
    case oauth(TokenSource, for: TokenUse)

    /// The place of the password, the token, the key, or the client's secret. Nil if there is none.
    package var secret: SecretSource? {
      switch self {
      case .basic(_, let secret), .subsonic(_, let secret): secret
      case .bearer(let secret), .subsonicKey(let secret), .listenBrainz(let secret): secret
      case .oauth(.login(let client), _): client.secret
      case .oauth(.command(let words), _): .command(words)
      }
    }

    package var tokens: TokenSource? { if case .oauth(let tokens, _) = self { tokens } else { nil } }
  }

  /// The kind of server that gets a token, and what it wants besides.
  package enum TokenUse: Hashable, Sendable {
    /// Nothing.
    case media
    /// The user, whom the addresses of the server name.
    case user(String)
    /// A server of the Subsonic API.
    case subsonic(user: String?)
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

/// The names of header fields and query parameters with secret values, recognised by a part of the name.
package enum SecretNames {
  private static let parts = [
    "authorization", "cookie", "token", "secret", "api-key", "apikey", "password", "key", "sig", "auth", "pass",
  ]

  package static func contain(_ name: some StringProtocol) -> Bool {
    let name = name.lowercased()
    return parts.contains { name.contains($0) }
  }
}

extension RemoteURL {
  /// The URL including the user and the credentials that go into its query, for sending the request. A parameter that
  /// the URL has already is the choice of its author and stays alone.
  package func requestText(with credentials: [CredentialField]) -> String {
    let present = Set(queryNames)
    let parameters = credentials.filter { $0.place == .query }
      .map { (Self.encoded($0.name), Self.encoded($0.value.exposed)) }
      .filter { !present.contains($0.0) }
      .map { "\($0.0)=\($0.1)" }
    guard !parameters.isEmpty else { return requestText }
    return requestText + (hasQuery ? "&" : "?") + parameters.joined(separator: "&")
  }

  private var queryNames: [String] {
    guard let mark = text.firstIndex(of: "?") else { return [] }
    return text[text.index(after: mark)...].split(separator: "&").map { String($0.prefix { $0 != "=" }) }
  }

  /// Everything but unreserved characters percent-encoded (RFC 3986 §2).
  static func encoded(_ text: String) -> String {
    text.utf8.reduce(into: "") { result, byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
        UInt8(ascii: "~"):
        result.unicodeScalars.append(Unicode.Scalar(byte))
      default: result += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
      }
    }
  }
}

extension AuthSettings {
  /// The user of a login. Empty without one.
  package var userName: String {
    switch login {
    case .basic(let user, _)?, .subsonic(let user, _)?: user
    case .oauth(_, .user(let user))?, .oauth(_, .subsonic(let user?))?: user
    case .oauth?: ""
    case .bearer?, .subsonicKey?, .listenBrainz?, nil: ""
    }
  }
}
