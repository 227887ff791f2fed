// SPDX-License-Identifier: Apache-2.0
package import SyncCore

extension LoginProblem {
  /// The reason why there is no access token, as one sentence without a full stop.
  /// - Parameter command: The command that makes a new login.
  package func words(_ command: String) -> String {
    switch self {
    case .notLoggedIn: "there is no login yet; log in with: \(command)"
    case .loginOver: "the login has ended or was revoked; log in again with: \(command)"
    case .loginLost(let since):
      "the login is lost: a run was stopped at \(since.rfc3339) while it renewed the tokens, or its connection broke,"
        + " and the provider no longer takes the old ones; log in again with: \(command)"
    case .notRenewable:
      "the login is over, and the provider gave no token to renew it with (some give one for the scope offline_access);"
        + " log in again with: \(command)"
    case .denied: "the login was refused (access_denied)"
    case .expired: "nobody finished the login in time; begin again with: \(command)"
    case .refused(let code, let description):
      "the provider refuses: \(code.excerpt.quoted)\(description.map { " (\($0.excerpt.printable))" } ?? "")"
        + "; \(Self.advice(code))"
    case .unanswered(let host, let failure): "no token from \(host.printable): \(failure.words)"
    case .status(let host, let status): "no token from \(host.printable): \(Self.words(of: status))"
    case .unusable(let host, let defect): "no token from \(host.printable): \(defect.words)"
    case .wrongState: "the answer of the browser is not for this login, and was not used; begin again with: \(command)"
    case .wrongIssuer(let issuer):
      "the answer of the browser is from another provider (\(issuer.excerpt.quoted)), and was not used; check"
        + " auth.oauth.issuer"
    case .noListener(let code):
      "no port of 127.0.0.1 can be opened for the answer of the browser: \(code.words); log in without one: \(command)"
        + " --device"
    case .file(let error): error.words
    case .fileForeign(let path):
      "\(path.quoted) is not a file of tokens and stays as it is; give auth.oauth.token_file another name"
    case .fileDamaged(let path): "\(path.quoted) is not as it was written; log in again with: \(command)"
    case .busy(let path, let after):
      "another process has been renewing the tokens in \(path.quoted) for \(after.spanWords); see what it does"
    case .command(let problem): "auth.oauth.token_command: \(problem.words)"
    }
  }

  private static func advice(_ code: String) -> String {
    switch code {
    case "invalid_client", "unauthorized_client":
      "check client_id and the client's secret under auth.oauth, and what the provider lets this client do"
    case "invalid_scope": "check auth.oauth.scopes"
    case "temporarily_unavailable", "server_error": "the next run tries again"
    default: "check auth.oauth"
    }
  }

  private static func words(of status: Int) -> String {
    switch status {
    case 300..<400:
      "the server redirects (\(status)), which is not followed with secrets; check the URLs under auth.oauth"
    case 400..<500 where status != 408 && status != 429:
      "\(Failure.http(status: status).plainWords); check the URLs under auth.oauth"
    default: Failure.http(status: status).plainWords
    }
  }
}

extension Failure {
  /// The status without advice, which is that for media.
  fileprivate var plainWords: String { "the server answered \(status ?? 0)" }
}

extension LoginDefect {
  fileprivate var words: String {
    switch self {
    case .notJSON: "its answer is not JSON; see whether something in between answers in its place"
    case .tooLarge(let limit): "its answer is larger than \(limit.words)"
    case .member(let name): "its answer has no usable \(name.excerpt.quoted)"
    case .tokenType(let type): "its token is of the type \(type.excerpt.quoted), and only \"Bearer\" is known"
    case .otherIssuer(let issuer):
      "its metadata is that of the issuer \(issuer.excerpt.quoted); if that is the right one, write it as auth.oauth.issuer"
    case .insecure(let url): "\(url.excerpt.quoted) does not begin with https://, and secrets would go there"
    case .noEndpoint(.authorization):
      "it has no page for a login in a browser (authorization_endpoint); log in with --device"
    case .noEndpoint(.device): "it offers no login without a browser (device_authorization_endpoint)"
    case .noEndpoint(.token): "its metadata has no \"token_endpoint\""
    case .noPKCE: "it does not take S256 challenges (PKCE), without which a login through a browser is not safe"
    }
  }
}

extension LoginTexts {
  /// One sentence without a full stop.
  static func noSuchLogin(_ name: String, _ known: [String]) -> String {
    known.isEmpty
      ? "nothing named \(name.quoted) has auth.oauth in the manifest, and neither has anything else"
      : "nothing named \(name.quoted) has auth.oauth in the manifest; name one of: \(known.joined(separator: ", "))"
  }

  /// One sentence without a full stop.
  static func printedTokens(_ name: String) -> String {
    "the tokens of \(name.quoted) come from auth.oauth.token_command: there is no login to make or to end"
  }

  /// One sentence without a full stop.
  package static func notRevoked(_ name: String, _ problem: LoginProblem, command: String) -> String {
    "\(name): the tokens are removed here, but the provider could not be told, and may still take them:"
      + " \(problem.words(command))"
  }
}
