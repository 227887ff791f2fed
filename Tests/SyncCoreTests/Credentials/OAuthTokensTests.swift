// SPDX-License-Identifier: Apache-2.0
import SyncCore
import Testing

@Suite("when tokens are renewed")
struct OAuthTokensTests {
  private static let issued = Timestamp(secondsSince1970: 1_800_000_000)

  @Test(
    "a token is due in the last minute of its life, or in its last quarter",
    arguments: [
      (3600, 0, AccessToken.Standing.fresh), (3600, 3539, .fresh), (3600, 3540, .due), (3600, 3599, .due),
      (3600, 3600, .over), (3600, -1, .due), (8, 5, .fresh), (8, 6, .due), (8, 8, .over), (0, 0, .over),
      (nil, 1_000_000, .fresh), (nil, -1, .fresh),
    ] as [(Int?, Int, AccessToken.Standing)])
  func standing(lifetime: Int?, age: Int, expected: AccessToken.Standing) {
    let token = AccessToken(Secret("x"), issuedAt: Self.issued, lifetime: lifetime.map { .seconds($0) })
    #expect(token.standing(at: Self.issued + .seconds(age)) == expected)
    if expected == .due, age > 0 { #expect(token.last.standing(at: Self.issued + .seconds(age)) == .fresh) }
  }

  private func tokens(refresh: Bool, lifetime: Int? = 100) -> OAuthTokens {
    do {
      return OAuthTokens(
        login: "1", access: Secret("a"), refresh: refresh ? Secret("r") : nil, issuedAt: Self.issued,
        lifetime: lifetime.map { .seconds($0) },
        endpoints: OAuthEndpoints(token: try RemoteURL("https://p.example/token")))
    } catch { preconditionFailure("\(error)") }
  }

  @Test(
    "a token is used, renewed, or given up",
    arguments: [
      (true, 0, false, RenewalRule.Decision.use), (true, 80, false, .renew), (true, 200, false, .renew),
      (true, 0, true, .renew), (false, 0, false, .use), (false, 80, false, .use),
      (false, 200, false, .fail(.notRenewable)),
      (false, 0, true, .fail(.notRenewable)),
    ])
  func decision(refresh: Bool, age: Int, isRejected: Bool, expected: RenewalRule.Decision) {
    let now = Self.issued + .seconds(age)
    let rejected = Secret(isRejected ? "a" : "older")
    #expect(RenewalRule.decision(tokens(refresh: refresh), rejected: rejected, at: now) == expected)
  }

  @Test("a token that is due is used if its renewal fails for now, and no other")
  func goingOn() {
    let unavailable = LoginProblem.status(host: "p", 503)
    func mayGoOn(_ problem: LoginProblem, age: Int, rejected: Secret? = nil) -> Bool {
      RenewalRule.mayGoOn(
        with: tokens(refresh: true), after: problem, rejected: rejected, at: Self.issued + .seconds(age))
    }
    #expect(mayGoOn(unavailable, age: 80))
    #expect(!mayGoOn(unavailable, age: 100))
    #expect(!mayGoOn(unavailable, age: 80, rejected: Secret("a")))
    #expect(!mayGoOn(.loginOver, age: 80))
  }

  @Test("a refused refresh token means the end of the login, or the loss of an answer")
  func judged() {
    let refused = LoginProblem.refused(code: "invalid_grant", description: nil)
    #expect(RenewalRule.judged(refused, after: nil) == .loginOver)
    #expect(RenewalRule.judged(refused, after: Self.issued) == .loginLost(since: Self.issued))
    #expect(RenewalRule.judged(.denied, after: Self.issued) == .denied)
  }

  @Test("a renewal keeps the refresh token of a provider that gives no new one")
  func renewed() {
    let grant = TokenGrant(access: Secret("b"), lifetime: .seconds(5))
    let renewed = tokens(refresh: true).renewed(by: grant, at: Self.issued + .seconds(9))
    #expect(renewed.access == Secret("b") && renewed.refresh == Secret("r") && renewed.login == "1")
    #expect(renewed.issuedAt == Self.issued + .seconds(9) && renewed.lifetime == .seconds(5))
  }

  @Test(
    "the exit status says whether a later run may succeed",
    arguments: [
      (.notLoggedIn, false), (.loginOver, false), (.denied, false), (.expired, true), (.notRenewable, false),
      (.refused(code: "invalid_client", description: nil), false),
      (.refused(code: "temporarily_unavailable", description: nil), true),
      (.unanswered(host: "", .dns(host: "")), true), (.unanswered(host: "", .tls(.verification, detail: "")), false),
      (.status(host: "", 500), true), (.status(host: "", 404), false), (.status(host: "", 302), false),
      (.unusable(host: "", .notJSON), true), (.unusable(host: "", .insecure("")), false),
      (.file(FileError(.write, "", code: .enospc)), true), (.file(FileError(.open, "", code: .eacces)), true),
    ] as [(LoginProblem, Bool)])
  func isTemporary(problem: LoginProblem, expected: Bool) { #expect(problem.isTemporary == expected) }
}

@Suite("logins")
struct LoginFlowTests {
  private let client: OAuthClient
  private var endpoints: OAuthEndpoints

  init() throws {
    client = OAuthClient(
      .issuer(try RemoteURL("https://p.example")), id: "a client", scopes: ["read", "offline_access"])
    endpoints = OAuthEndpoints(
      authorization: try RemoteURL("https://p.example/a?x=1"), token: try RemoteURL("https://p.example/t"))
    endpoints.issuer = "https://p.example"
  }

  private func request(_ endpoints: OAuthEndpoints) -> CodeRequest {
    CodeRequest(
      client, endpoints, redirect: "http://127.0.0.1:1/", state: "st", verifier: Secret("v"),
      digest: [0xFB, 0xFF, 0xFE])
  }

  @Test("the page gets everything that is asked for, encoded")
  func url() {
    #expect(
      request(endpoints).url?.text
        == "https://p.example/a?x=1&response_type=code&client_id=a%20client&redirect_uri=http%3A%2F%2F127.0.0.1%3A1%2F"
        + "&state=st&code_challenge=-__-&code_challenge_method=S256&scope=read%20offline_access")
  }

  @Test(
    "an answer counts only for its own request",
    arguments: [
      ("code=c&state=st", nil), ("code=c&state=st&iss=https%3A%2F%2Fp.example", nil), ("code=c&state=x", .wrongState),
      ("code=c", .wrongState), ("code=c&state=st&state=st", .wrongState),
      ("code=c&state=st&iss=https://q.example", .wrongIssuer("https://q.example")),
      ("error=access_denied&state=st", .denied), ("error=access_denied&state=x", .wrongState),
      ("error=invalid_scope&state=st&error_description=no+way", .refused(code: "invalid_scope", description: "no way")),
      ("state=st", .unusable(host: "p.example", .member("code"))),
    ] as [(String, LoginProblem?)])
  func answer(query: String, problem: LoginProblem?) {
    do throws(LoginProblem) {
      #expect(try request(endpoints).code(in: FormText.values(query)) == Secret("c") && problem == nil)
    } catch { #expect(error == problem) }
  }

  @Test("a provider that names itself in every answer must do so")
  func namesIssuer() {
    var endpoints = endpoints
    endpoints.namesIssuer = true
    #expect(throws: LoginProblem.wrongIssuer("")) {
      try request(endpoints).code(in: ["code": "c", "state": "st"])
    }
  }

  // MARK: Devices

  private static let pending = LoginProblem.refused(code: "authorization_pending", description: nil)
  private static let slow = LoginProblem.refused(code: "slow_down", description: nil)

  private func polling(interval: Int, lifetime: Int) -> DevicePolling {
    DevicePolling(
      DeviceOffer(
        code: Secret("c"), userCode: "U", page: "https://p.example", wholePage: nil, lifetime: .seconds(lifetime),
        interval: .seconds(interval)))
  }

  @Test("the interval grows when the provider says so, and for each answer that does not come")
  func interval() {
    var polling = polling(interval: 2, lifetime: 1000)
    #expect(polling.first == .wait(.seconds(2)))
    func next(_ problem: LoginProblem) -> DevicePolling.Answer {
      polling.next(after: .failure(problem), elapsed: .zero)
    }
    #expect(next(Self.pending) == .wait(.seconds(2)))
    #expect(next(Self.slow) == .wait(.seconds(7)))
    #expect(next(Self.slow) == .wait(.seconds(12)))
    #expect(next(.status(host: "", 503)) == .wait(.seconds(24)))
    #expect(next(Self.pending) == .wait(.seconds(24)))
    #expect(next(.denied) == .failed(.denied))
    let grant = TokenGrant(access: Secret("a"))
    #expect(polling.next(after: .success(grant), elapsed: .zero) == .granted(grant))
  }

  @Test("the wait ends with the code, and a provider that stays silent is given up")
  func ends() {
    var polling = polling(interval: 0, lifetime: 10)
    #expect(polling.first == .wait(.seconds(1)))
    #expect(polling.next(after: .failure(Self.pending), elapsed: .seconds(8)) == .wait(.seconds(1)))
    #expect(polling.next(after: .failure(Self.pending), elapsed: .seconds(9)) == .failed(.expired))
    var silent = self.polling(interval: 1, lifetime: 100_000)
    let problem = LoginProblem.status(host: "", 503)
    for _ in 0..<5 { #expect(silent.next(after: .failure(problem), elapsed: .zero) != .failed(problem)) }
    #expect(silent.next(after: .failure(problem), elapsed: .zero) == .failed(problem))
  }

  // MARK: Ways

  @Test(
    "the way depends on the wish, on the browser and on the provider",
    arguments: [
      (nil, true, true, true, .browser), (nil, false, true, true, .device), (nil, false, true, false, .url),
      (nil, true, false, true, .device), (.device, true, true, true, .device), (.url, true, true, true, .url),
      (.device, true, true, false, nil), (.url, true, false, true, nil), (nil, true, false, false, nil),
    ] as [(LoginWay?, Bool, Bool, Bool, LoginWay?)])
  func way(wanted: LoginWay?, browser: Bool, page: Bool, device: Bool, expected: LoginWay?) throws {
    var endpoints = endpoints
    if !page { endpoints.authorization = nil }
    if device { endpoints.device = try RemoteURL("https://p.example/d") }
    do throws(LoginDefect) {
      #expect(try LoginWay.choose(wanted, hasBrowser: browser, endpoints) == expected)
    } catch { #expect(expected == nil) }
  }

  @Test(
    "a browser is one that BROWSER names, or a display at which the person is",
    arguments: [
      ([:], nil), (["DISPLAY": ":0"], "xdg-open"), (["WAYLAND_DISPLAY": "w"], "xdg-open"), (["DISPLAY": ""], nil),
      (["DISPLAY": ":0", "SSH_CONNECTION": "x"], nil), (["BROWSER": "w3m:lynx", "SSH_TTY": "x"], "w3m"),
    ] as [([String: String], String?)])
  func browser(variables: [String: String], opener: String?) { #expect(BrowserSigns(variables).opener == opener) }

  @Test(
    "secrets go over https, or to this machine",
    arguments: [
      ("https://p.example/", true), ("http://p.example/", false), ("http://127.0.0.1:80/", true),
      ("http://127.8.9.1/", true), ("http://localhost/", true), ("http://[::1]/", true),
      ("http://127.0.0.1.evil.example/", false), ("http://localhost.evil.example/", false),
    ])
  func safe(url: String, expected: Bool) throws { #expect(try RemoteURL(url).isSafeForTokens == expected) }

  @Test("logins of clients that differ in anything but the order of scopes are apart, and have legal file names")
  func identity() throws {
    var other = client
    other.scopes.reverse()
    #expect(other.identity == client.identity && client.fileName.hasPrefix("p.example-"))
    other.id = "b"
    #expect(other.identity != client.identity)
    other = client
    other.provider = .issuer(try RemoteURL("https://p.example/realm"))
    #expect(other.identity != client.identity)
  }
}
