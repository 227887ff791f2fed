// SPDX-License-Identifier: Apache-2.0
import Glibc
import SyncTestSupport
import Testing

/// Logins at a provider, with a browser that is a plain HTTP client.
@Suite("logins")
struct OAuthLoginTests {
  private let fixture: OAuthFixture
  private var provider: OAuthServer { fixture.provider }
  private var home: LibraryFixture { fixture.home }

  init() throws { fixture = try OAuthFixture() }

  // MARK: The browser

  @Test("a login through a browser fetches media, and its tokens are for their owner alone")
  func browser() throws {
    try fixture.declare()
    let (login, page) = try fixture.logIn()
    #expect(login.ending == .exited(0), "\(login.standardError)")
    #expect(page.hasPrefix("HTTP/1.1 200 OK\r\n") && page.contains("terminal"), "\(page)")
    #expect(login.standardOutput.contains("club: logged in at 127.0.0.1:\(provider.server.port)"))
    var facts = stat()
    #expect(stat(try fixture.tokenFile, &facts) == 0 && facts.st_mode & 0o777 == 0o600)
    #expect(stat("\(home.state)/oauth", &facts) == 0 && facts.st_mode & 0o777 == 0o700)
    try fixture.run()
    #expect(fixture.hasMedia && fixture.renewals == 0)
    #expect(provider.requests(to: "/a.mp3").map(\.status) == [200])
  }

  @Test("the provider checks the proof of the code")
  func proof() throws {
    try fixture.declare()
    try fixture.logIn()
    let exchange = try #require(provider.requests(to: provider.tokenPath).first)
    let form = OAuthForm.values(String(decoding: exchange.body, as: UTF8.self))
    let verifier = try #require(form["code_verifier"])
    #expect(verifier.utf8.count == 43)
    let page = try #require(provider.requests(to: provider.authorizePath).first)
    let query = OAuthForm.values(String(page.target.drop { $0 != "?" }.dropFirst()))
    #expect(query["code_challenge"] == OAuthForm.base64ForURL(SmallSHA256.digest(Array(verifier.utf8))))
    #expect(query["scope"] == nil && query["state"]?.utf8.count == 22)
  }

  @Test("an answer with another state is not used")
  func wrongState() throws {
    try fixture.declare()
    let (login, page) = try fixture.logIn { back in
      let start = back.firstRange(of: "state=")!.upperBound
      return back[..<start] + "evil" + back[start...].drop { $0 != "&" }
    }
    #expect(login.ending == .exited(3) && login.standardError.contains("not for this login"), "\(login)")
    #expect(page.hasPrefix("HTTP/1.1 400 "))
    #expect(provider.requests(to: provider.tokenPath).isEmpty)
    try fixture.run(3)
  }

  @Test("an answer of another issuer is not used")
  func wrongIssuer() throws {
    provider.change { $0.wrongIssuer = "https://evil.example" }
    try fixture.declare()
    let (login, _) = try fixture.logIn()
    #expect(login.ending == .exited(3) && login.standardError.contains("from another provider"), "\(login)")
    #expect(provider.requests(to: provider.tokenPath).isEmpty)
  }

  @Test("a refusal of the person is told")
  func denied() throws {
    provider.change { $0.refusal = "access_denied" }
    try fixture.declare()
    let (login, page) = try fixture.logIn()
    #expect(login.ending == .exited(3) && login.standardError.contains("access_denied"), "\(login)")
    #expect(page.contains("Not logged in"))
  }

  @Test("other requests of a browser are answered, and do not end the login")
  func otherRequests() throws {
    try fixture.declare()
    let running = try fixture.login("--print-url").start()
    let back = try OAuthFixture.agree(to: try #require(running.firstLine()), at: provider)
    let base = String(back.prefix { $0 != "?" })
    #expect(try OAuthFixture.open(base + "favicon.ico").hasPrefix("HTTP/1.1 404 "))
    #expect(try OAuthFixture.open(base).hasPrefix("HTTP/1.1 404 "))
    #expect(try OAuthFixture.open(back).hasPrefix("HTTP/1.1 200 "))
    #expect(running.wait().ending == .exited(0))
  }

  @Test("the address at which a browser elsewhere ends can be pasted")
  func pasted() throws {
    try fixture.declare()
    let pipe = home.folder.file("typed")
    #expect(mkfifo(pipe, 0o600) == 0)
    let keyboard = open(pipe, O_RDWR | O_CLOEXEC)
    defer { close(keyboard) }
    let login = fixture.login("--print-url")
    let running = try Command(
      "/bin/sh", ["-c", "exec \"$0\" \"$@\" < '\(pipe)'", login.executable] + login.arguments
    ).start()
    let back = try OAuthFixture.agree(to: try #require(running.firstLine()), at: provider)
    let typed = Array("not an address\n\(back)\n".utf8)
    #expect(write(keyboard, typed, typed.count) == typed.count)
    let result = running.wait()
    #expect(result.ending == .exited(0), "\(result)")
    try fixture.run()
  }

  @Test("a client with a secret proves it, and the secret is shown nowhere", arguments: ["file", "command"])
  func secret(place: String) throws {
    provider.change { $0.clientSecret = "client-hush-1234" }
    try FileBytes.write("client-hush-1234\n", to: home.folder.file("secret"))
    let key =
      place == "file" ? "client_secret_file: ./secret" : "client_secret_command: [cat, \(home.folder.file("secret"))]"
    try fixture.declare("issuer: \"\(provider.url)\", client_id: syncjob-test, \(key)")
    let (login, _) = try fixture.logIn("-vv")
    #expect(login.ending == .exited(0), "\(login.standardError)")
    let run = try fixture.run(0, "-vv")
    #expect(try !home.traces(login, run).contains("client-hush-1234"))
  }

  // MARK: Devices

  @Test("a code is typed at a page, and a provider that is asked too often is asked more slowly")
  func device() throws {
    provider.change { $0.deviceErrors = ["authorization_pending", "slow_down"] }
    try fixture.declare()
    let login = try fixture.login("--device").run()
    #expect(login.ending == .exited(0), "\(login.standardError)")
    #expect(login.standardError.contains("WDJB-MJHT") && login.standardError.contains("\(provider.url)/activate"))
    let polls = provider.requests(to: provider.tokenPath).map(\.startedAt)
    #expect(polls.count == 3 && polls[1] - polls[0] >= 0.9 && polls[2] - polls[1] >= 5.9, "\(polls)")
    try fixture.run()
    #expect(fixture.hasMedia)
  }

  @Test("a refused or forgotten code is told", arguments: [("access_denied", Int32(3)), ("expired_token", 5)])
  func deviceEnds(error: String, status: Int32) throws {
    provider.change { $0.deviceErrors = ["authorization_pending", error] }
    try fixture.declare()
    let login = try fixture.login("--device").run()
    let words = status == 3 ? "access_denied" : "in time"
    #expect(login.ending == .exited(status) && login.standardError.contains(words), "\(login)")
  }

  @Test("without a browser a code is asked for, and without that the URL is printed")
  func noBrowser() throws {
    provider.change { $0.deviceErrors = [] }
    try fixture.declare()
    var command = fixture.login()
    command.environment.merge(["DISPLAY": ":1", "SSH_CONNECTION": "10.0.0.1 1 10.0.0.2 22"]) { $1 }
    let login = try command.run()
    #expect(login.ending == .exited(0) && login.standardError.contains("WDJB-MJHT"), "\(login)")
    provider.change { $0.hidden = ["device_authorization_endpoint"] }
    let refused = try fixture.login("--device").run()
    #expect(refused.ending == .exited(3) && refused.standardError.contains("no login without a browser"), "\(refused)")
  }

  @Test("a browser that BROWSER names gets the URL")
  func opener() throws {
    try fixture.declare()
    let browser = home.folder.file("browser")
    try FileBytes.write("#!/bin/sh\nexec curl -sL -o /dev/null \"$1\"\n", to: browser)
    #expect(chmod(browser, 0o755) == 0)
    var command = fixture.login()
    command.environment["BROWSER"] = browser
    let login = try command.run()
    #expect(login.ending == .exited(0), "\(login)")
    #expect(login.standardError.contains("A browser should open"))
  }

  // MARK: Logout

  @Test("a logout revokes the tokens and removes them")
  func logout() throws {
    try fixture.declare()
    try fixture.logIn()
    let file = try fixture.tokenFile
    let logout = try home.editing("logout", "club").run()
    #expect(logout.ending == .exited(0) && logout.standardOutput.contains("logged out"), "\(logout)")
    #expect(access(file, F_OK) != 0 && provider.validRefreshTokens == 0)
    let again = try home.editing("logout", "club").run()
    #expect(again.ending == .exited(0) && again.standardOutput.contains("there is no login"), "\(again)")
    let run = try fixture.run(3)
    #expect((run.standardError + run.standardOutput).contains("syncjob login -m \(home.manifest) club"), "\(run)")
  }

  @Test("a logout that the provider does not hear of removes the tokens all the same")
  func unheardLogout() throws {
    try fixture.declare()
    try fixture.logIn()
    let file = try fixture.tokenFile
    provider.stop()
    let logout = try home.editing("logout", "club").run()
    #expect(logout.ending == .exited(5) && logout.standardError.contains("could not be told"), "\(logout)")
    #expect(access(file, F_OK) != 0)
  }

  @Test("a rehearsal asks nobody and writes nothing")
  func rehearsal() throws {
    try fixture.declare()
    let login = try fixture.login("--dry-run").run()
    #expect(login.ending == .exited(0) && login.standardOutput.contains("would ask"), "\(login)")
    #expect(provider.server.requestCount == 0 && access(home.state, F_OK) != 0)
    try fixture.logIn()
    let logout = try home.editing("logout", "-n", "club").run()
    #expect(logout.ending == .exited(0) && logout.standardOutput.contains("would end"))
    #expect(access(try fixture.tokenFile, F_OK) == 0)
  }

  @Test("a name without a provider is a usage error that lists those with one")
  func unknownName() throws {
    try fixture.declare()
    let login = try home.editing("login", "clubb").run()
    #expect(login.ending == .exited(64) && login.standardError.contains("name one of: club"), "\(login)")
  }

  // MARK: Bad providers

  @Test("a bad provider is named with a sentence", arguments: BadProvider.allCases)
  func badProvider(kind: BadProvider) throws {
    try fixture.declare()
    kind.prepare(provider)
    let running = try fixture.login("--print-url").start()
    if let url = running.firstLine(seconds: kind.reachesBrowser ? 10 : 1) {
      _ = try OAuthFixture.open(try OAuthFixture.agree(to: url, at: provider))
    }
    let login = running.wait()
    #expect(login.ending == .exited(kind.status), "\(kind): \(login.standardError)")
    #expect(login.standardError.contains(kind.words), "\(kind): \(login.standardError)")
    #expect(try FileTree.files("\(home.state)/oauth", hidden: true).allSatisfy { $0.hasSuffix(".lock") })
  }

  enum BadProvider: CaseIterable {
    case gone, notJSON, otherIssuer, insecure, huge, notFound, noPKCE, tokenNotJSON, tokenType, tokenRedirect,
      badClient,
      unavailable

    var reachesBrowser: Bool {
      switch self {
      case .tokenNotJSON, .tokenType, .tokenRedirect, .badClient, .unavailable: true
      default: false
      }
    }

    var status: Int32 {
      switch self {
      case .gone, .notJSON, .huge, .tokenNotJSON, .unavailable: 5
      default: 3
      }
    }

    var words: String {
      switch self {
      case .gone: "connection refused"
      case .notJSON, .tokenNotJSON: "not JSON"
      case .otherIssuer: "another.example"
      case .insecure: "does not begin with https://"
      case .huge: "larger than"
      case .notFound: "answered 404"
      case .noPKCE: "PKCE"
      case .tokenType: "only \"Bearer\" is known"
      case .tokenRedirect: "redirects"
      case .badClient: "invalid_client"
      case .unavailable: "answered 503"
      }
    }

    func prepare(_ provider: OAuthServer) {
      let place = "/.well-known/oauth-authorization-server"
      func metadata(_ more: String, issuer: String? = nil) -> Behaviour {
        .status(
          200, body: "{\"issuer\":\"\(issuer ?? provider.url)\",\"token_endpoint\":\"\(provider.url)/token\"\(more)}")
      }
      switch self {
      case .gone: provider.stop()
      case .notJSON: provider.script(place, [.status(200, body: "<html>")])
      case .otherIssuer: provider.script(place, [metadata("", issuer: "https://another.example")])
      case .insecure:
        provider.script(place, [metadata(",\"authorization_endpoint\":\"http://example.net/authorize\"")])
      case .huge: provider.script(place, [.status(200, body: String(repeating: " ", count: 1_000_000))])
      case .notFound:
        provider.script(place, [.status(404)])
        provider.script("/.well-known/openid-configuration", [.status(404)])
      case .noPKCE: provider.script(place, [metadata(",\"code_challenge_methods_supported\":[\"plain\"]")])
      case .tokenNotJSON: provider.script("/token", [.status(200, body: "hello")])
      case .tokenType:
        provider.script("/token", [.status(200, body: "{\"access_token\":\"x\",\"token_type\":\"mac\"}")])
      case .tokenRedirect: provider.script("/token", [.redirect(to: "http://127.0.0.1:9/token", status: 307)])
      case .badClient: provider.script("/token", [.status(401, body: "{\"error\":\"invalid_client\"}")])
      case .unavailable: provider.script("/token", [.status(503)])
      }
    }
  }
}
