// SPDX-License-Identifier: Apache-2.0
import SyncCore
import YAML

/// One candidate of an item while it is read.
struct CandidateDraft: Sendable {
  var url: RemoteURL?
  var title: String?
  var duration: Duration?

  static let section = Section<CandidateDraft>(
    [
      .optional("url", \.url, .url), .optional("title", \.title, .text),
      .optional("duration", \.duration, .duration()),
    ], rules: [.required(["url"])],
    check: { field, _, context in
      if field.lacks("url") {
        context.report(.key(.missing("url", section: field.path)), at: field.node.mark)
      }
    })

  /// Nil after a report.
  static func read(_ node: YAMLNode, _ context: ReadingContext) -> Candidate? {
    guard case .mapping = node.content else {
      context.report(
        .value(key: "alternatives", .wrongType(expected: .listOfMappings, found: node.found)), at: node.mark)
      return nil
    }
    var draft = CandidateDraft()
    section.read(Field(section: "", key: "alternatives", node: node), into: &draft, context)
    return draft.url.map { Candidate(url: $0, title: draft.title, duration: draft.duration) }
  }
}

extension CandidateDraft {
  init(_ candidate: Candidate) {
    url = candidate.url
    title = candidate.title
    duration = candidate.duration
  }
}

/// The `auth:` of a playlist or a server while it is read.
struct AuthDraft: Sendable {
  var user: String?
  var password: Secret?
  var passwordFile: SecretFile?
  var passwordCommand: [String]?
  var bearer: Secret?
  var bearerFile: SecretFile?
  var bearerCommand: [String]?
  var apiKey: Secret?
  var apiKeyFile: SecretFile?
  var apiKeyCommand: [String]?
  var headerFile: SecretFile?
  var cookiesFile: SecretFile?
  var netrc: SecretFile?
  var oauth: TokenSource?
  var scope: [ScopedHost] = []

  private static let loginKeys = [
    "password", "password_file", "password_command", "bearer", "bearer_file", "bearer_command", "api_key",
    "api_key_file",
    "api_key_command", "oauth",
  ]
  private static let passwordKeys = loginKeys.filter { $0.hasPrefix("password") }
  private static func loginRules(ofUser keys: [String]) -> [SectionRule] {
    [.atMostOneOf(loginKeys), .needs("user", anyOf: keys)] + passwordKeys.map { .needs($0, anyOf: ["user"]) }
  }
  private static let user: [ManifestKey<AuthDraft>] = [
    .optional("user", \.user, .credentialUser),
    .optional("password", \.password, .secret), .optional("password_file", \.passwordFile, .secretFile),
    .optional("password_command", \.passwordCommand, .command),
  ]
  private static let files: [ManifestKey<AuthDraft>] = [
    .optional("header_file", \.headerFile, .secretFile), .optional("cookies_file", \.cookiesFile, .secretFile),
    .optional("netrc", \.netrc, .secretFile), .oauth, .value("scope", \.scope, .scope),
  ]

  static let section = Section<AuthDraft>(
    user + [
      .optional("bearer", \.bearer, .secret), .optional("bearer_file", \.bearerFile, .secretFile),
      .optional("bearer_command", \.bearerCommand, .command),
    ] + files, rules: loginRules(ofUser: passwordKeys), check: { field, _, context in checkLogins(field, context) })

  /// The `auth:` of a server, whose requests always have a login.
  static let serverSection = Section<AuthDraft>(
    user + [
      .optional("api_key", \.apiKey, .secret), .optional("api_key_file", \.apiKeyFile, .secretFile),
      .optional("api_key_command", \.apiKeyCommand, .command),
    ] + files, rules: loginRules(ofUser: passwordKeys + ["oauth"]) + [.anyOf(["user"] + loginKeys)],
    check: { field, _, context in
      checkLogins(field, context, mayNameUser: true)
      // A key without a value is an empty mapping. Any other scalar was reported.
      guard field.node.isMappingOrNothing, (loginKeys + ["user"]).allSatisfy(field.lacks) else { return }
      context.report(.rule(.server(.noLogin)), at: field.node.mark)
    })

  /// - Parameter mayNameUser: True if a server may need the user besides a token.
  private static func checkLogins(_ field: Field, _ context: ReadingContext, mayNameUser: Bool = false) {
    guard case .mapping(let pairs) = field.node.content else { return }
    let found = pairs.map(\.key)
    let logins = found.filter(loginKeys.contains)
    let mark = pairs.first?.keyMark ?? field.node.mark
    if logins.count > 1 { return context.report(.rule(.severalLogins(found: logins)), at: mark) }
    let hasUser = found.contains("user")
    switch logins.first {
    // The other half is there, misspelt.
    case nil where field.misspelt.contains(where: loginKeys.contains): break
    case let key? where key.hasPrefix("password") && field.misspelt.contains("user"): break
    case nil where hasUser: context.report(.rule(.halfLogin(has: "user", lacks: "password_file")), at: mark)
    case let key? where key.hasPrefix("password"):
      if !hasUser { context.report(.rule(.halfLogin(has: key, lacks: "user")), at: mark) }
    case "oauth"? where mayNameUser: break
    case let key? where hasUser: context.report(.rule(.severalLogins(found: ["user", key])), at: mark)
    default: break
    }
  }

  /// Nil when it is empty, which cancels the `auth:` of `defaults:`.
  var settings: AuthSettings? {
    var settings = AuthSettings()
    if let user, let source = Self.source(password, passwordFile, passwordCommand) {
      settings.login = .basic(user: user, password: source)
    } else if let source = Self.source(bearer, bearerFile, bearerCommand) {
      settings.login = .bearer(source)
    } else if let oauth {
      settings.login = .oauth(oauth, for: user.map { .user($0) } ?? .media)
    }
    settings.headerFile = headerFile
    settings.cookiesFile = cookiesFile
    settings.netrc = netrc
    settings.scope = scope
    return settings.isEmpty ? nil : settings
  }

  /// The settings of a server; nil without a login, which was reported.
  var serverSettings: AuthSettings? {
    var settings = settings ?? AuthSettings()
    settings.scope = scope
    switch settings.login {
    case .basic(let user, let password)?: settings.login = .subsonic(user: user, password: password)
    case .oauth(let source, _)?: settings.login = .oauth(source, for: .subsonic(user: user))
    default: settings.login = Self.source(apiKey, apiKeyFile, apiKeyCommand).map { .subsonicKey($0) }
    }
    return settings.login == nil ? nil : settings
  }

  /// The settings of a server that takes a user, with a password or a token of a provider.
  var userSettings: AuthSettings? {
    switch settings?.login {
    case .basic?, .oauth(_, .user)?: settings
    default: nil
    }
  }

  /// The settings of a server that takes a key or a token of a provider.
  var keySettings: AuthSettings? {
    if case .oauth(_, .media)? = settings?.login { return settings }
    guard user == nil, let source = Self.source(apiKey, apiKeyFile, apiKeyCommand) else { return nil }
    var settings = settings ?? AuthSettings()
    (settings.login, settings.scope) = (.listenBrainz(source), scope)
    return settings
  }

  /// True if a key of an API is given.
  var hasKey: Bool { apiKey != nil || apiKeyFile != nil || apiKeyCommand != nil }

  private static func source(_ written: Secret?, _ file: SecretFile?, _ command: [String]?) -> SecretSource? {
    written.map(SecretSource.written) ?? file.map(SecretSource.file) ?? command.map(SecretSource.command)
  }
}

extension AuthDraft {
  init(_ settings: AuthSettings) {
    switch settings.login {
    case .basic(let user, let source)?, .subsonic(let user, let source)?:
      self.user = user
      switch source {
      case .written(let secret): password = secret
      case .file(let file): passwordFile = file
      case .command(let command): passwordCommand = command
      }
    case .bearer(.written(let secret))?: bearer = secret
    case .bearer(.file(let file))?: bearerFile = file
    case .bearer(.command(let command))?: bearerCommand = command
    case .subsonicKey(.written(let secret))?, .listenBrainz(.written(let secret))?: apiKey = secret
    case .subsonicKey(.file(let file))?, .listenBrainz(.file(let file))?: apiKeyFile = file
    case .subsonicKey(.command(let command))?, .listenBrainz(.command(let command))?: apiKeyCommand = command
    case .oauth(let source, let use)?:
      oauth = source
      switch use {
      case .media: break
      case .user(let user): self.user = user
      case .subsonic(let user): self.user = user
      }
    case nil: break
    }
    headerFile = settings.headerFile
    cookiesFile = settings.cookiesFile
    netrc = settings.netrc
    scope = settings.scope
  }
}

extension YAMLNode {
  fileprivate var isMappingOrNothing: Bool { if case .mapping = content { true } else { isNothing } }
}

extension AuthSettings {
  fileprivate var isEmpty: Bool { login == nil && headerFile == nil && cookiesFile == nil && netrc == nil }
}

extension ManifestKey where Root == PlaylistSettings {
  /// Taken over from `defaults:` as a whole or not at all.
  static let auth = ManifestKey(
    name: "auth", paths: AuthDraft.section.paths, schema: { AuthDraft.section.schema(at: $0.path) },
    read: { field, root, context in
      var draft = AuthDraft()
      AuthDraft.section.read(field, into: &draft, context)
      root.auth = draft.settings
    },
    write: { $0.auth.map { AuthDraft.section.write(AuthDraft($0)) } })
}
