// SPDX-License-Identifier: Apache-2.0

package import SyncCore
package import SyncDisk
package import SyncFormats

/// Reads the secrets that the manifest only names: passwords, tokens, cookies. Done once, before the first request.
package struct CredentialsReader {
  private let runner: any ProcessRunner
  private let library: Library?
  private let invocation: Invocation
  private let emit: @Sendable (RunEvent) -> Void

  /// - Parameters:
  ///   - library: Has the logins. Nil for none.
  ///   - invocation: For the commands that messages name.
  package init(
    runner: any ProcessRunner, library: Library? = nil, invocation: Invocation = Invocation(),
    emit: @escaping @Sendable (RunEvent) -> Void
  ) {
    self.runner = runner
    (self.library, self.invocation) = (library, invocation)
    self.emit = emit
  }

  /// - Parameter scope: the playlists of the run; nil for all. The secrets of other playlists are not read.
  package func credentials(
    of manifest: Manifest, scope: Set<PlaylistName>?
  ) async throws(JobError) -> RunCredentials {
    var credentials = RunCredentials()
    credentials.accounts = try await accounts(of: manifest, scope)
    let accounts = credentials.accounts
    credentials.playlists = try await playlistCredentials(of: manifest, scope, accounts)
    credentials.licenses = try await licenseCredentials(of: manifest, accounts)
    credentials.histories = try await historyCredentials(of: manifest, accounts)
    return credentials
  }

  // MARK: Accounts

  private func accounts(
    of manifest: Manifest, _ scope: Set<PlaylistName>?
  ) async throws(JobError) -> [TokenSource: OAuthAccount] {
    var accounts: [TokenSource: OAuthAccount] = [:]
    for owner in manifest.tokenOwners where accounts[owner.source] == nil {
      if case .playlist(let name) = owner.owner, scope.map({ !$0.includesAny(of: name) }) ?? false { continue }
      accounts[owner.source] = try await account(of: owner)
    }
    return accounts
  }

  /// Reads the client's secret, and the id of the login.
  package func account(of owner: TokenOwner) async throws(JobError) -> OAuthAccount {
    let command = invocation.login(owner.name)
    guard let client = owner.source.client, let library else {
      return OAuthAccount(source: owner.source, command: command, secret: nil, store: nil, login: "")
    }
    var secret: Secret?
    if let place = client.secret {
      secret = try await attempt(owner.owner, "oauth." + place.key("client_secret")) { () async throws(SecretProblem) in
        try await self.secret(place)
      }
    }
    let store = TokenStore(client, state: library.stateFolder, library.files)
    var login = ""
    // A file that cannot be read is reported when its tokens are needed.
    do throws(LoginProblem) {
      login = try store.read()?.login ?? ""
      if try store.isPublic() { emit(.warned(.secretIsPublic(path: store.path))) }
    } catch { login = "" }
    return OAuthAccount(source: owner.source, command: command, secret: secret, store: store, login: login)
  }

  // MARK: Credentials

  private func playlistCredentials(
    of manifest: Manifest, _ scope: Set<PlaylistName>?, _ accounts: [TokenSource: OAuthAccount]
  ) async throws(JobError) -> [PlaylistName: Credentials] {
    var result: [PlaylistName: Credentials] = [:]
    // `defaults:` gives many playlists the same settings: each program runs once.
    var known: [AuthSettings: Credentials] = [:]
    for playlist in manifest.playlists where scope?.includesAny(of: playlist.name) ?? true {
      guard let auth = playlist.auth else { continue }
      var credentials: Credentials
      if let before = known[auth] {
        credentials = before
      } else {
        credentials = try await read(auth, of: .playlist(playlist.name), accounts)
      }
      known[auth] = credentials
      credentials.scope = playlist.credentialScope
      result[playlist.name] = credentials
    }
    return result
  }

  private func licenseCredentials(
    of manifest: Manifest, _ accounts: [TokenSource: OAuthAccount]
  ) async throws(JobError) -> Credentials? {
    guard let server = manifest.licenses.server, let auth = manifest.licenses.auth else { return nil }
    var credentials = try await read(auth, of: .licenses, accounts)
    credentials.scope = CredentialScope(origins: [server.origin], hosts: auth.scope)
    return credentials
  }

  /// They go to the server, or to its `scope`.
  private func historyCredentials(
    of manifest: Manifest, _ accounts: [TokenSource: OAuthAccount]
  ) async throws(JobError) -> [PlaylistName: Credentials] {
    var result: [PlaylistName: Credentials] = [:]
    for history in manifest.historyServers {
      var credentials = try await read(history.server.auth, of: .server(history.server.name), accounts)
      credentials.scope = CredentialScope(origins: [history.server.url.origin], hosts: history.server.auth.scope)
      result[history.server.name] = credentials
    }
    return result
  }

  private func read(
    _ auth: AuthSettings, of owner: SecretOwner, _ accounts: [TokenSource: OAuthAccount]
  ) async throws(JobError) -> Credentials {
    var credentials = Credentials(scope: CredentialScope(origins: []))
    switch auth.login {
    case .basic(let user, let source)?:
      let password = try await attempt(owner, source.key("password")) { () async throws(SecretProblem) in
        try await secret(source)
      }
      credentials.fields.append(.basic(user: user, password: password))
      credentials.passwords.append(password)
    case .bearer(let source)?:
      let bearer = try await attempt(owner, source.key("bearer")) { () async throws(SecretProblem) in
        try await token(source)
      }
      credentials.fields.append(.bearer(bearer))
    case .subsonic(let user, let source)?:
      let password = try await attempt(owner, source.key("password")) { () async throws(SecretProblem) in
        try await secret(source)
      }
      credentials.addSubsonicLogin(user, password)
    case .subsonicKey(let source)?:
      let key = try await attempt(owner, source.key("api_key")) { () async throws(SecretProblem) in
        try await token(source)
      }
      credentials.fields = [CredentialField("apiKey", key, in: .query)] + Credentials.subsonicClient
      credentials.passwords.append(key)
    case .listenBrainz(let source)?:
      let key = try await attempt(owner, source.key("api_key")) { () async throws(SecretProblem) in
        try await token(source)
      }
      credentials.fields.append(.listenBrainz(key))
    case .oauth(let source, let use)?:
      credentials.addTokens(of: source, login: accounts[source]?.login ?? "", for: use)
    case nil: break
    }
    credentials.fields += try await attempt(owner, "header_file") { () throws(SecretProblem) in
      try parsed(auth.headerFile, HeaderFileReader.read)
    }
    credentials.cookies = try await attempt(owner, "cookies_file") { () throws(SecretProblem) in
      try parsed(auth.cookiesFile, CookiesReader.read)
    }
    credentials.netrc = try await attempt(owner, "netrc") { () throws(SecretProblem) in
      try parsed(auth.netrc, NetrcReader.read)
    }
    return credentials
  }

  private func attempt<Value>(
    _ owner: SecretOwner, _ key: String, _ body: () async throws(SecretProblem) -> Value
  ) async throws(JobError) -> Value {
    do throws(SecretProblem) { return try await body() } catch {
      if Task.isCancelled { throw .interrupted(.terminated) }
      throw .secret(of: owner, key: key, error)
    }
  }

  /// The only line of a file.
  package static func line(of file: SecretFile) throws(SecretProblem) -> Secret {
    let contents = try SecretFileContents.read(file)
    return try oneLine(contents.text, .file(path: contents.path))
  }

  private func secret(_ source: SecretSource) async throws(SecretProblem) -> Secret {
    switch source {
    case .written(let secret): return secret
    case .file(let file): return try Self.oneLine(contents(of: file).text, .file(path: file.path))
    case .command(let words):
      let output = try await SecretCommand(words, runner: runner).output()
      return try Self.oneLine(output, .command(program: words[0]))
    }
  }

  private func token(_ source: SecretSource) async throws(SecretProblem) -> Secret {
    let token = try await secret(source)
    guard token.exposed.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else { throw .notSendable(source.place) }
    return token
  }

  /// Editors and `echo` end a line with a newline that does not belong to the secret.
  private static func oneLine(_ text: String, _ place: SecretPlace) throws(SecretProblem) -> Secret {
    var bytes = text.utf8[...]
    if bytes.last == UInt8(ascii: "\n") { bytes = bytes.dropLast() }
    if bytes.count < text.utf8.count, bytes.last == UInt8(ascii: "\r") { bytes = bytes.dropLast() }
    let line = String(Substring(bytes))
    guard !line.isEmpty else { throw .empty(place) }
    guard !line.hasControlCharacters else { throw .severalLines(place) }
    return Secret(line)
  }

  private func parsed<Element>(
    _ file: SecretFile?, _ read: (String) throws(CredentialSyntaxError) -> [Element]
  ) throws(SecretProblem) -> [Element] {
    guard let file else { return [] }
    let contents = try contents(of: file)
    do throws(CredentialSyntaxError) { return try read(contents.text) } catch {
      if let name = error.reserved { throw .reservedField(path: contents.path, line: error.line, name: name) }
      throw .malformed(path: contents.path, line: error.line)
    }
  }

  private func contents(of file: SecretFile) throws(SecretProblem) -> SecretFileContents {
    let contents = try SecretFileContents.read(file)
    if contents.isPublic { emit(.warned(.secretIsPublic(path: contents.path))) }
    return contents
  }
}

extension Credentials {
  /// The parameters of every request of the Subsonic API, version 1.16.1.
  fileprivate static let subsonicClient = [
    CredentialField("v", Secret("1.16.1"), in: .query, isSecret: false),
    CredentialField("c", Secret("syncjob"), in: .query, isSecret: false),
  ]

  /// Adds the token of a provider, and what a server wants besides.
  fileprivate mutating func addTokens(of source: TokenSource, login: String, for use: AuthSettings.TokenUse) {
    fields.append(.bearer(from: source, login: login))
    guard case .subsonic(let user) = use else { return }
    fields += [user.map { CredentialField("u", Secret($0), in: .query, isSecret: false) }].compactMap(\.self)
    fields += Self.subsonicClient
  }

  /// Adds the token that the API makes of a password and a random salt, and for servers without tokens the password in
  /// hexadecimal digits.
  fileprivate mutating func addSubsonicLogin(_ user: String, _ password: Secret) {
    let salt = String(UInt128.random(in: .min ... .max), radix: 36)
    let name = CredentialField("u", Secret(user), in: .query, isSecret: false)
    fields =
      [
        name, CredentialField("t", Secret(Self.token(password, salt)), in: .query),
        CredentialField("s", Secret(salt), in: .query),
      ] + Self.subsonicClient
    let encoded = "enc:" + Self.digits(of: password.exposed.utf8)
    plainFields = [name, CredentialField("p", Secret(encoded), in: .query)] + Self.subsonicClient
    passwords.append(password)
  }

  private static func token(_ password: Secret, _ salt: String) -> String {
    var digest = RunningDigest(also: .md5)
    Array((password.exposed + salt).utf8).withUnsafeBytes { digest.update($0) }
    guard let token = digest.finish().declared else { preconditionFailure("the digest was asked for") }
    return token
  }

  private static func digits(of bytes: some Sequence<UInt8>) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}

extension SecretSource {
  fileprivate func key(_ name: String) -> String {
    switch self {
    case .written: name
    case .file: "\(name)_file"
    case .command: "\(name)_command"
    }
  }

  fileprivate var place: SecretPlace {
    switch self {
    case .written: .manifest
    case .file(let file): .file(path: file.path)
    case .command(let words): .command(program: words[0])
    }
  }
}
