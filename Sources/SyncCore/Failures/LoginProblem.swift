// SPDX-License-Identifier: Apache-2.0

/// The reason why there is no access token of an OAuth 2 provider.
package indirect enum LoginProblem: Error, Hashable, Sendable {
  /// Nobody has logged in yet, or somebody has logged out.
  case notLoggedIn
  /// The provider does not accept the refresh token any more: the login has ended or was revoked.
  case loginOver
  /// The same, after a run was stopped between its request for new tokens and their arrival at `since`. The provider had
  /// exchanged the refresh token, and its answer was lost.
  case loginLost(since: Timestamp)
  /// The access token is over or was refused, and the provider gave no refresh token.
  case notRenewable
  /// The person, or the provider on behalf of the person, refused (`access_denied`).
  case denied
  /// The person did not finish in time (`expired_token`).
  case expired
  /// Any other error of the provider (RFC 6749 §4.1.2.1, §5.2), such as `invalid_client`.
  case refused(code: String, description: String?)
  /// The request had no answer.
  case unanswered(host: String, Failure)
  /// The answer has this status and is not an error of OAuth.
  case status(host: String, Int)
  case unusable(host: String, LoginDefect)
  /// The answer of the browser is not for this login: its `state` is another one.
  case wrongState
  /// The answer of the browser names another issuer (RFC 9207).
  case wrongIssuer(String)
  /// The port for the answer of the browser could not be opened.
  case noListener(ErrnoCode)
  /// The file of the tokens cannot be read or written.
  case file(FileError)
  /// The file of the tokens is not as it was written.
  case fileDamaged(path: String)
  /// Something else than tokens is in the place of the file. It stays.
  case fileForeign(path: String)
  /// Another process held the file of the tokens for so long.
  case busy(path: String, after: Duration)
  /// The program that prints the token failed.
  case command(SecretProblem)

  /// True if a later run may succeed without anybody's help.
  package var isTemporary: Bool {
    switch self {
    case .unanswered(_, let failure): failure.disposition.isTemporary
    case .status(_, let status): status >= 500 || status == 408 || status == 429
    case .unusable(_, let defect): defect.isTemporary
    // Whoever mends the disk or a program does not have to log in again.
    case .busy, .command, .expired, .file: true
    case .refused(let code, _): ["temporarily_unavailable", "server_error"].contains(code)
    case .notLoggedIn, .loginOver, .loginLost, .notRenewable, .denied, .wrongState, .wrongIssuer, .noListener,
      .fileDamaged, .fileForeign:
      false
    }
  }

  /// True if the provider may have acted on a request whose answer was lost, this one or an earlier one.
  package var leavesDoubt: Bool {
    switch self {
    case .unanswered, .unusable, .loginLost: true
    case .status(_, let status): status >= 500 || status == 408
    default: false
    }
  }

  /// True if a new login is the way out.
  package var wantsLogin: Bool {
    switch self {
    case .notLoggedIn, .loginOver, .loginLost, .notRenewable, .fileDamaged: true
    default: false
    }
  }
}

/// The reason why the answer of a provider cannot be used.
package enum LoginDefect: Error, Hashable, Sendable {
  case notJSON
  case tooLarge(limit: ByteCount)
  /// A member that is missing or has a wrong value.
  case member(String)
  /// The type of the token is not `Bearer`.
  case tokenType(String)
  /// The metadata names another issuer than the manifest (RFC 8414 §3.3).
  case otherIssuer(String)
  /// A URL in the metadata does not use https.
  case insecure(String)
  /// The provider has no such endpoint, as far as the manifest and its metadata tell.
  case noEndpoint(LoginEndpoint)
  /// The provider does not take the challenges of PKCE with S256 (RFC 7636).
  case noPKCE

  var isTemporary: Bool {
    switch self {
    // An answer of something in between, such as the page of a hotel.
    case .notJSON, .tooLarge: true
    case .member, .tokenType, .otherIssuer, .insecure, .noEndpoint, .noPKCE: false
    }
  }
}

/// The endpoints of a provider that a login needs.
package enum LoginEndpoint: String, CaseIterable, Sendable {
  case authorization = "authorization_endpoint"
  case token = "token_endpoint"
  case device = "device_authorization_endpoint"
}
