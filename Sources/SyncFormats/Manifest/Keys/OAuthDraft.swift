// SPDX-License-Identifier: Apache-2.0
import SyncCore
import YAML

/// The `oauth:` of an `auth` while it is read.
struct OAuthDraft: Sendable {
  var issuer: RemoteURL?
  var authorizeURL: RemoteURL?
  var tokenURL: RemoteURL?
  var deviceURL: RemoteURL?
  var revocationURL: RemoteURL?
  var clientID: String?
  var secretFile: SecretFile?
  var secretCommand: [String]?
  /// Nil for none: they are not written, because beside a program they mean nothing.
  var scopes: [String]?
  var tokenFile: String?
  var tokenCommand: [String]?

  private static let places = ["issuer", "token_url", "token_command"]
  private static let secrets = ["client_secret_file", "client_secret_command"]
  private static let urls = ["authorize_url", "device_authorization_url", "revocation_url"]
  private static let ofLogin = ["client_id"] + secrets + ["scopes", "token_file"]

  static let section = Section<OAuthDraft>(
    [
      .optional("issuer", \.issuer, .providerURL), .optional("authorize_url", \.authorizeURL, .providerURL),
      .optional("token_url", \.tokenURL, .providerURL),
      .optional("device_authorization_url", \.deviceURL, .providerURL),
      .optional("revocation_url", \.revocationURL, .providerURL), .optional("client_id", \.clientID, .clientID),
      .optional("client_secret_file", \.secretFile, .secretFile),
      .optional("client_secret_command", \.secretCommand, .command), .optional("scopes", \.scopes, .oauthScopes),
      .optional("token_file", \.tokenFile, .path), .optional("token_command", \.tokenCommand, .command),
    ],
    rules: [
      .oneOf(places), .atMostOneOf(secrets), .excludes("issuer", urls), .excludes("token_command", urls + ofLogin),
      .needs("issuer", anyOf: ["client_id"]), .needs("token_url", anyOf: ["client_id"]),
      .needs("token_url", anyOf: ["authorize_url", "device_authorization_url"]),
    ], check: { field, _, context in check(field, context) })

  private static func check(_ field: Field, _ context: ReadingContext) {
    guard case .mapping(let pairs) = field.node.content else {
      if field.node.isNothing { context.report(.rule(.oauth(.noProvider)), at: field.node.mark) }
      return
    }
    let found = pairs.map(\.key)
    let mark = pairs.first?.keyMark ?? field.node.mark
    func report(_ problem: OAuthRuleProblem) { context.report(.rule(.oauth(problem)), at: mark) }
    let chosen = found.filter(places.contains)
    if chosen.count > 1 { return report(.severalProviders(found: chosen)) }
    guard let place = chosen.first else {
      if !field.misspelt.contains(where: places.contains) { report(.noProvider) }
      return
    }
    let foreign = found.filter {
      place == "issuer" && urls.contains($0) || place == "token_command" && (urls + ofLogin).contains($0)
    }
    if !foreign.isEmpty { return report(.beside(place, found: foreign)) }
    let given = found.filter(secrets.contains)
    if given.count > 1 { return context.report(.rule(.severalLogins(found: given)), at: mark) }
    guard place != "token_command" else { return }
    if field.lacks("client_id") {
      context.report(.key(.missing("client_id", section: field.path)), at: field.node.mark)
    }
    if place == "token_url", urls.prefix(2).allSatisfy(field.lacks) { report(.noWayIn) }
  }

  /// Nil after a report.
  var source: TokenSource? {
    if let tokenCommand { return .command(tokenCommand) }
    guard let clientID, let provider else { return nil }
    return .login(
      OAuthClient(
        provider, id: clientID, secret: secretFile.map { .file($0) } ?? secretCommand.map { .command($0) },
        scopes: scopes ?? [], tokenFile: tokenFile))
  }

  private var provider: OAuthClient.Provider? {
    if let issuer { return .issuer(issuer) }
    return tokenURL.map {
      .endpoints(OAuthEndpoints(authorization: authorizeURL, token: $0, device: deviceURL, revocation: revocationURL))
    }
  }
}

extension OAuthDraft {
  init(_ source: TokenSource) {
    switch source {
    case .command(let words): tokenCommand = words
    case .login(let client):
      (clientID, tokenFile) = (client.id, client.tokenFile)
      scopes = client.scopes.isEmpty ? nil : client.scopes
      switch client.provider {
      case .issuer(let url): issuer = url
      case .endpoints(let endpoints):
        (authorizeURL, tokenURL) = (endpoints.authorization, endpoints.token)
        (deviceURL, revocationURL) = (endpoints.device, endpoints.revocation)
      }
      switch client.secret {
      case .file(let file)?: secretFile = file
      case .command(let words)?: secretCommand = words
      case .written?, nil: break
      }
    }
  }
}

extension ManifestKey where Root == AuthDraft {
  /// Written only if it is there.
  static let oauth = ManifestKey(
    name: "oauth", paths: OAuthDraft.section.paths,
    schema: { OAuthDraft.section.schema(at: $0.path, isElement: true) },
    read: { field, root, context in
      var draft = OAuthDraft()
      OAuthDraft.section.read(field, into: &draft, context)
      root.oauth = draft.source
    },
    write: { $0.oauth.map { OAuthDraft.section.write(OAuthDraft($0)) } })
}

extension Codec where Value == RemoteURL {
  /// A URL of a provider: codes and tokens go there.
  fileprivate static let providerURL = Codec(
    .url, schema: { .shared(.url) },
    read: { field, context in
      guard let url = url.read(field, context) else { return nil }
      guard url.isSafeForTokens, !url.hasCredentials else {
        context.report(.providerURL, of: field)
        return nil
      }
      return url
    }, write: url.write)
}

extension Codec where Value == String {
  /// RFC 6749 §2.2 and appendix A.1.
  fileprivate static let clientID = Codec(
    .text,
    read: { field, context in
      guard let scalar = context.scalar(field, expecting: .text) else { return nil }
      guard !scalar.text.isEmpty, scalar.text.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) else {
        context.report(.unsendable, of: field, hidesValue: true)
        return nil
      }
      return scalar.text
    }, write: { .string($0) })
}

extension Codec where Value == [String] {
  /// RFC 6749 §3.3: a blank would separate two of them.
  fileprivate static let oauthScopes = Codec(
    .list, schema: { .list(of: .shared(.text)) },
    read: { field, context in
      guard let nodes = context.elements(of: field) else { return nil }
      return nodes.compactMap { node in
        let element = Field(section: field.section, key: field.key, node: node)
        guard let scalar = context.scalar(element, expecting: .text) else { return nil }
        let isScope = scalar.text.utf8.allSatisfy {
          (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\")
        }
        guard !scalar.text.isEmpty, isScope else {
          context.report(.oauthScope, of: element)
          return nil
        }
        return scalar.text
      }
    }, write: { .list($0.map { .string($0) }) })
}
