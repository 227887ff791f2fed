// SPDX-License-Identifier: Apache-2.0
import SyncCore
import SyncFormats
import Testing

@Suite("the answers of OAuth 2 providers")
struct OAuthAnswerTests {
  private static func failed(_ defect: LoginDefect) -> Result<TokenGrant, LoginProblem> {
    .failure(.unusable(host: "p", defect))
  }

  @Test(
    "tokens and errors",
    arguments: [
      (200, #"{"access_token":"a","token_type":"bearer"}"#, .success(TokenGrant(access: Secret("a")))),
      (
        200, #"{"access_token":"a","token_type":"Bearer","expires_in":60,"refresh_token":"r","scope":"x","new":{}}"#,
        .success(TokenGrant(access: Secret("a"), refresh: Secret("r"), lifetime: .seconds(60)))
      ),
      (
        200, #"{"access_token":"a","token_type":"Bearer","expires_in":"60"}"#,
        .success(TokenGrant(access: Secret("a"), lifetime: .seconds(60)))
      ),
      (
        200, #"{"access_token":"a","token_type":"Bearer","expires_in":-5}"#, .success(TokenGrant(access: Secret("a")))
      ),
      (200, #"{"access_token":"a b","token_type":"Bearer"}"#, failed(.member("access_token"))),
      (200, #"{"access_token":"a","token_type":"Bearer","refresh_token":""}"#, failed(.member("refresh_token"))),
      (200, #"{"access_token":"a"}"#, failed(.tokenType(""))), (200, "[]", failed(.notJSON)),
      (200, "", failed(.notJSON)), (502, "<html>", .failure(.status(host: "p", 502))),
      (400, "{}", .failure(.status(host: "p", 400))),
      (
        400, #"{"error":"invalid_grant","error_description":"x"}"#,
        .failure(.refused(code: "invalid_grant", description: "x"))
      ),
      (200, #"{"error":"expired_token"}"#, .failure(.expired)), (400, #"{"error":"access_denied"}"#, .failure(.denied)),
    ] as [(Int, String, Result<TokenGrant, LoginProblem>)])
  func grant(status: Int, body: String, expected: Result<TokenGrant, LoginProblem>) {
    #expect(OAuthAnswer.grant(Array(body.utf8), status: status, from: "p") == expected)
  }

  @Test("the offer of a code, with the usual interval where none is named")
  func offer() throws {
    let body =
      #"{"device_code":"d","user_code":"U","verification_uri":"https://p/a","expires_in":900,"verification_uri_complete":"x:y"}"#
    let offer = try OAuthAnswer.offer(Array(body.utf8), status: 200, from: "p").get()
    #expect(
      offer
        == DeviceOffer(
          code: Secret("d"), userCode: "U", page: "https://p/a", wholePage: nil, lifetime: .seconds(900),
          interval: .seconds(5)))
    for member in ["device_code", "user_code", "verification_uri", "expires_in"] {
      let lacking = Array(body.replacing("\"\(member)\"", with: "\"x\"").utf8)
      #expect(throws: LoginProblem.unusable(host: "p", .member(member))) {
        try OAuthAnswer.offer(lacking, status: 200, from: "p").get()
      }
    }
  }

  @Test(
    "the places of metadata",
    arguments: [
      (
        "https://p.example",
        [
          "https://p.example/.well-known/oauth-authorization-server",
          "https://p.example/.well-known/openid-configuration",
        ]
      ),
      (
        "https://p.example:8443/realms/x/",
        [
          "https://p.example:8443/.well-known/oauth-authorization-server/realms/x",
          "https://p.example:8443/realms/x/.well-known/openid-configuration",
        ]
      ),
    ])
  func places(issuer: String, urls: [String]) throws {
    #expect(OAuthAnswer.metadataURLs(of: try RemoteURL(issuer)).map(\.text) == urls)
  }

  @Test(
    "metadata that cannot be used is refused",
    arguments: [
      (#"{"issuer":"https://q","token_endpoint":"https://p/t"}"#, LoginDefect.otherIssuer("https://q")),
      (#"{"issuer":"https://p"}"#, .noEndpoint(.token)),
      (#"{"issuer":"https://p","token_endpoint":"http://p/t"}"#, .insecure("http://p/t")),
      (#"{"issuer":"https://p","token_endpoint":"nonsense"}"#, .member("token_endpoint")),
      (
        #"{"issuer":"https://p","token_endpoint":"https://p/t","code_challenge_methods_supported":["plain"]}"#, .noPKCE
      ), ("<html>", .notJSON),
    ])
  func badMetadata(body: String, defect: LoginDefect) throws {
    #expect(throws: LoginProblem.unusable(host: "h", defect)) {
      try OAuthAnswer.endpoints(Array(body.utf8), of: RemoteURL("https://p"), from: "h").get()
    }
  }

  @Test("the client's secret goes where the provider takes it")
  func methods() throws {
    func inBody(_ methods: String) throws -> Bool {
      let body =
        #"{"issuer":"https://p/","token_endpoint":"https://p/t","token_endpoint_auth_methods_supported":[\#(methods)]}"#
      return try OAuthAnswer.endpoints(Array(body.utf8), of: RemoteURL("https://p"), from: "h").get().takesSecretInBody
    }
    #expect(try !inBody("") && !inBody(#""client_secret_basic","client_secret_post""#))
    #expect(try inBody(#""client_secret_post""#))
  }

  @Test("the output of a program")
  func printed() throws {
    #expect(try OAuthAnswer.printed("a\r\n", by: "p") == TokenGrant(access: Secret("a")))
    let json = " {\"access_token\":\"a\",\"expires_in\":9,\"refresh_token\":\"r\"}\n"
    #expect(try OAuthAnswer.printed(json, by: "p") == TokenGrant(access: Secret("a"), lifetime: .seconds(9)))
    #expect(throws: SecretProblem.empty(.command(program: "p"))) { try OAuthAnswer.printed("\n", by: "p") }
    #expect(throws: SecretProblem.severalLines(.command(program: "p"))) { try OAuthAnswer.printed("a\nb", by: "p") }
    #expect(throws: SecretProblem.notSendable(.command(program: "p"))) { try OAuthAnswer.printed("a b", by: "p") }
    #expect(throws: SecretProblem.notSendable(.command(program: "p"))) { try OAuthAnswer.printed("{}", by: "p") }
  }
}
