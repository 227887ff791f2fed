// SPDX-License-Identifier: Apache-2.0
import Glibc
import SyncTestSupport
import Testing

/// Runs whose tokens end, are refused or are renewed by somebody else.
@Suite("tokens in runs")
struct OAuthRunTests {
  private let fixture: OAuthFixture
  private var provider: OAuthServer { fixture.provider }
  private var home: LibraryFixture { fixture.home }

  init() throws { fixture = try OAuthFixture() }

  @Test("tokens are renewed across runs, and each renewal uses the latest")
  func rotation() throws {
    provider.change { $0.setLifetime(0) }
    try fixture.declare()
    try fixture.logIn()
    provider.change { $0.setLifetime(60) }
    try fixture.run()
    #expect(fixture.hasMedia && fixture.renewals == 1)
    for count in 2...4 {
      fixture.serve("b\(count)")
      try fixture.declare(items: ["a", "b\(count)"])
      try fixture.run(0, "--now", "20\(30 + count)-01-01T00:00:00Z")
      #expect(fixture.renewals == count && provider.reuses == 0 && provider.validRefreshTokens == 1)
    }
  }

  @Test("a provider that does not rotate keeps its refresh token")
  func withoutRotation() throws {
    provider.change {
      $0.rotates = false
      $0.setLifetime(0)
    }
    try fixture.declare()
    try fixture.logIn()
    provider.change { $0.setLifetime(60) }
    try fixture.run()
    fixture.serve("b")
    try fixture.declare(items: ["a", "b"])
    try fixture.run(0, "--now", "2030-01-01T00:00:00Z")
    #expect(fixture.renewals == 2)
  }

  @Test("a token that the server refuses is renewed once, and the request goes out again")
  func refusedToken() throws {
    try fixture.declare()
    try fixture.logIn()
    provider.invalidateAccess()
    try fixture.run()
    #expect(fixture.hasMedia && fixture.renewals == 1)
    #expect(provider.requests(to: "/a.mp3").map(\.status) == [401, 200])
  }

  @Test("a server that refuses every token is not asked for ever")
  func refusedAlways() throws {
    let items = (1...20).map { "i\($0)" }
    for item in items { provider.script("/\(item).mp3", [.status(401)]) }
    try fixture.declare(items: items)
    try fixture.logIn()
    let run = try fixture.run(3)
    #expect((run.standardError + run.standardOutput).contains("401"))
    #expect((1...2).contains(fixture.renewals))
    #expect(items.allSatisfy { provider.requests(to: "/\($0).mp3").count <= 2 })
  }

  @Test("tokens that end in the middle of a run are renewed, and a long download goes on where it was")
  func endInRun() throws {
    let long = GeneratedAudio(title: "Long Road", seconds: 300, seed: 9, bitRate: .kbps64).bytes
    provider.serve("/long.mp3", Resource(bytes: long, etag: "\"long\""))
    try fixture.declare(items: ["long"], retries: 2)
    try fixture.logIn()
    // The provider forgets the token while the answer is under way.
    provider.script("/long.mp3", [.breakOff(after: 600_000, .reset), .status(401), .honest])
    try fixture.run()
    let requests = provider.requests(to: "/long.mp3")
    #expect(requests.map(\.status) == [200, 401, 206], "\(requests.map(\.line))")
    #expect(requests[1].range == requests[2].range && requests[2].range != nil)
    #expect(fixture.renewals == 1)
    #expect(try FileBytes.read("\(home.library)/club/long.mp3") == long)
  }

  @Test("many requests at once renew the tokens once")
  func atOnce() throws {
    let items = (1...40).map { "i\($0)" }
    for item in items { fixture.serve(item) }
    provider.change { $0.setLifetime(0) }
    try fixture.declare(items: items)
    try fixture.logIn()
    provider.change { $0.setLifetime(60) }
    try fixture.run(0, "--concurrency", "16")
    #expect(fixture.renewals == 1 && provider.reuses == 0)
  }

  @Test("a file that is not of tokens is neither replaced by a login nor removed by a logout")
  func foreignFile() throws {
    let (file, text) = (home.folder.file("notes.json"), Array("my only copy\n".utf8))
    try fixture.declare("issuer: \"\(provider.url)\", client_id: syncjob-test, token_file: \"\(file)\"")
    try FileBytes.write(text, to: file)
    for command in ["login", "logout"] {
      let result = try home.command([command, "--manifest", home.manifest, "club"]).run()
      #expect(result.ending == .exited(3) && result.standardError.contains("not a file of tokens"), "\(result)")
      #expect(try FileBytes.read(file) == text)
    }
    try FileTree.remove(file)
    try fixture.logIn()
    try FileBytes.write(Array(try FileBytes.read(file).prefix(60)), to: file)
    #expect(try home.command(["logout", "--manifest", home.manifest, "club"]).run().ending == .exited(0))
    #expect(access(file, F_OK) != 0)
  }

  @Test("two runs on libraries with one login renew it one after the other")
  func twoRuns() throws {
    let file = home.folder.file("tokens.json")
    let keys = "issuer: \"\(provider.url)\", client_id: syncjob-test, token_file: \"\(file)\""
    try fixture.declare(keys)
    let other = try LibraryFixture()
    try FileBytes.write(try FileBytes.read(home.manifest), to: other.manifest)
    for round in 0..<5 {
      provider.change { $0.setLifetime(0) }
      try fixture.logIn()
      provider.change { $0.setLifetime(60) }
      let before = fixture.renewals
      let runs = [home, other].map { home in
        home.command("run", "--now", "20\(40 + round)-01-01T00:00:00Z")
      }
      for home in [home, other] where access(home.library, F_OK) == 0 { try FileTree.remove(home.library) }
      let results = try runs.map { try $0.start() }.map { $0.wait() }
      for result in results { #expect(result.ending == .exited(0), "\(result.standardError) \(result.standardOutput)") }
      #expect(fixture.renewals == before + 1 && provider.reuses == 0, "round \(round)")
    }
    var facts = stat()
    #expect(stat(file, &facts) == 0 && facts.st_mode & 0o777 == 0o600)
  }

  @Test("a plan renews tokens as a run does")
  func plan() throws {
    let feed = """
      <rss version="2.0"><channel><title>Club</title><item><title>One</title><guid>1</guid>
      <enclosure url="\(provider.url(of: "/a.mp3"))" length="1" type="audio/mpeg"/></item></channel></rss>
      """
    provider.serve("/feed.xml", Resource(text: feed, contentType: "application/rss+xml"))
    provider.change { $0.setLifetime(0) }
    try home.declare(
      """
      storage: { min_free: 0 }
      downloads: { network: { allow_private: true } }
      playlists:
        club:
          auth: { oauth: { issuer: "\(provider.url)", client_id: syncjob-test } }
          feed: "\(provider.url(of: "/feed.xml"))"
      """)
    try fixture.logIn()
    provider.change { $0.setLifetime(60) }
    let plan = try home.command("plan").run()
    #expect(plan.ending == .exited(0), "\(plan)")
    #expect(fixture.renewals == 1 && provider.requests(to: "/feed.xml").map(\.status) == [200])
    try fixture.run()
    #expect(fixture.renewals == 1)
  }

  // MARK: Ends

  @Test("a login that has ended is told with the command for a new one, and a new login mends everything")
  func over() throws {
    provider.change { $0.setLifetime(0) }
    try fixture.declare()
    try fixture.logIn()
    provider.revokeAll()
    let run = try fixture.run(3)
    let text = run.standardError + run.standardOutput
    #expect(text.contains("the login has ended or was revoked; log in again with: syncjob login -m"), "\(text)")
    // The next run does not ask again for nothing.
    let count = fixture.renewals
    try fixture.run(3)
    #expect(fixture.renewals == count)
    provider.change { $0.setLifetime(60) }
    try fixture.logIn()
    try fixture.run()
    #expect(fixture.hasMedia)
  }

  @Test("a provider that cannot be reached is a passing failure, and a token that is still good is used")
  func unreachable() throws {
    provider.change { $0.setLifetime(3600) }
    try fixture.declare()
    try fixture.logIn()
    provider.script(provider.tokenPath, [.status(503)])
    // In the last minute of its life.
    let soon = Int(time(nil)) + 3570
    var fields = tm()
    var seconds = time_t(soon)
    gmtime_r(&seconds, &fields)
    func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let text =
      "\(fields.tm_year + 1900)-\(two(fields.tm_mon + 1))-\(two(fields.tm_mday))T\(two(fields.tm_hour)):\(two(fields.tm_min)):\(two(fields.tm_sec))Z"
    try fixture.run(0, "--now", text)
    #expect(fixture.hasMedia && fixture.renewals == 1)
    // After its end.
    fixture.serve("b")
    try fixture.declare(items: ["a", "b"])
    let run = try fixture.run(5, "--now", "2090-01-01T00:00:00Z")
    #expect((run.standardError + run.standardOutput).contains("answered 503"), "\(run)")
    provider.script(provider.tokenPath, [.honest])
    try fixture.run(0, "--now", "2090-01-02T00:00:00Z")
  }

  @Test("a login without a refresh token ends with its access token")
  func withoutRefresh() throws {
    provider.change {
      $0.givesRefresh = false
      $0.setLifetime(3600)
    }
    try fixture.declare()
    let (login, _) = try fixture.logIn()
    #expect(login.standardOutput.contains("ends with its first token"), "\(login)")
    try fixture.run()
    fixture.serve("b")
    try fixture.declare(items: ["a", "b"])
    let run = try fixture.run(3, "--now", "2090-01-01T00:00:00Z")
    #expect((run.standardError + run.standardOutput).contains("offline_access"), "\(run)")
  }

  @Test("a clock that was set back makes the token due, and loses nothing")
  func clockSetBack() throws {
    try fixture.declare()
    try fixture.logIn("--now", "2030-01-01T00:00:00Z")
    try fixture.run()
    #expect(fixture.hasMedia && fixture.renewals == 1)
  }

  @Test("a damaged file of tokens wants a new login")
  func damaged() throws {
    try fixture.declare()
    try fixture.logIn()
    let file = try fixture.tokenFile
    try FileBytes.write("{}", to: file)
    let run = try fixture.run(3)
    #expect((run.standardError + run.standardOutput).contains("is not as it was written"), "\(run)")
    try fixture.logIn()
    try fixture.run()
  }

  @Test("where new tokens could not be kept, none are asked for")
  func readOnlyFolder() throws {
    provider.change { $0.setLifetime(0) }
    try fixture.declare()
    try fixture.logIn()
    let file = try fixture.tokenFile
    let name = file.split(separator: "/").last.map(String.init) ?? ""
    // A folder in the place of the new file.
    #expect(mkdir("\(home.state)/oauth/.\(name).new", 0o700) == 0)
    try fixture.run(5)
    #expect(fixture.renewals == 0 && provider.validRefreshTokens == 1)
    #expect(rmdir("\(home.state)/oauth/.\(name).new") == 0)
    provider.change { $0.setLifetime(60) }
    try fixture.run()
    #expect(fixture.hasMedia && fixture.renewals == 1)
  }

  // MARK: Secrets

  @Test("no token is left anywhere but in its file")
  func noTrace() throws {
    provider.change { $0.setLifetime(0) }
    let log = home.folder.file("hook.txt")
    try fixture.declare(
      items: ["a", "b", "missing"],
      more:
        "hooks: { run: [sh, -c, \"cat > '\(log)'; env >> '\(log)'\"], item: [sh, -c, \"cat >> '\(log)'; env >> '\(log)'\"] }"
    )
    fixture.serve("b")
    let (login, page) = try fixture.logIn("-vv", "--json")
    provider.change { $0.setLifetime(60) }
    // A server that echoes the token in every field that is shown or stored.
    let events = home.folder.file("events.json")
    provider.script("/missing.mp3", [.status(401), .status(404)])
    let run = try home.command("run", "-vv", "--json", "--events", events, "--log-format", "json").run()
    #expect(run.ending == .exited(3), "\(run)")
    provider.revokeAll()
    let second = try home.command("run", "-vv", "--json", "--events", events, "--now", "2035-01-01T00:00:00Z").run()
    let status = try home.command("status", "--json").run()
    let effective = try home.command("validate", "--effective").run()
    let logout = try home.editing("logout", "club", "-vv").run()
    var text =
      page + [login, run, second, status, effective, logout].map { $0.standardOutput + $0.standardError }.joined()
    text += String(decoding: try FileBytes.read(events), as: UTF8.self)
    text += String(decoding: try FileBytes.read(log), as: UTF8.self)
    text += try home.traces()
    #expect(provider.secrets.count >= 5)
    for secret in provider.secrets { #expect(!text.contains(secret), "\(secret)") }
  }

  @Test("a server that echoes a renewed token does not bring it into any output")
  func echo() throws {
    let server = try FaultServer()
    let audio = fixture.audio.bytes
    provider.change { $0.setLifetime(0) }
    try home.declare(
      """
      storage: { min_free: 0 }
      downloads: { retries: 0, network: { allow_private: true } }
      playlists:
        club:
          auth: { oauth: { issuer: "\(provider.url)", client_id: syncjob-test } }
          items: [ { id: a, title: a, url: "\(server.url("/a.mp3"))" }, { id: b, title: b, url: "\(server.url("/b.mp3"))" } ]
      """)
    server.handle { request in
      let token = request.authorization ?? ""
      let field = HTTPHeader("ETag", "\"\(token)\"")
      if request.path == "/b.mp3" {
        return .status(
          302, headers: [field, HTTPHeader("Location", "ftp://x/\(token.split(separator: " ").last ?? "")")], body: [])
      }
      return .status(200, headers: [field, HTTPHeader("Content-Type", "audio/mpeg")], body: audio)
    }
    try fixture.logIn()
    provider.change { $0.setLifetime(60) }
    let events = home.folder.file("events.json")
    let run = try home.command("run", "-vv", "--json", "--events", events).run()
    #expect(server.requests(to: "/a.mp3").first?.authorization?.hasPrefix("Bearer AT-") == true)
    var text = run.standardOutput + run.standardError
    text += String(decoding: try FileBytes.read(events), as: UTF8.self)
    for path in try FileTree.files(home.library, hidden: true)
    where !path.contains("/oauth/") && !path.hasSuffix(".mp3") {
      text += String(decoding: try FileBytes.read("\(home.library)/\(path)"), as: UTF8.self)
    }
    for secret in provider.secrets { #expect(!text.contains(secret), "\(secret): \(text)") }
  }

  @Test("a redirect to another origin goes without the token, and does not bring it back")
  func redirect() throws {
    let elsewhere = try FaultServer(address: "127.0.0.2")
    elsewhere.serve("/a.mp3", Resource(bytes: fixture.audio.bytes, etag: "\"a\""))
    provider.script("/a.mp3", [.redirect(to: elsewhere.url("/a.mp3"))])
    try fixture.declare()
    try fixture.logIn()
    try fixture.run()
    #expect(fixture.hasMedia)
    #expect(provider.requests(to: "/a.mp3").allSatisfy { $0.authorization?.hasPrefix("Bearer AT-") == true })
    #expect(elsewhere.requests.count == 1 && elsewhere.requests.allSatisfy { $0.authorization == nil })
  }

  @Test("a token goes to the origin of its playlist alone, or to its scope")
  func scope() throws {
    let elsewhere = try FaultServer(address: "127.0.0.2")
    elsewhere.serve("/b.mp3", Resource(bytes: fixture.audio.bytes, etag: "\"b\""))
    func declare(_ scope: String) throws {
      try home.declare(
        """
        storage: { min_free: 0 }
        downloads: { retries: 0, network: { allow_private: true } }
        playlists:
          club:
            auth: { oauth: { issuer: "\(provider.url)", client_id: syncjob-test }\(scope) }
            items:
              - { id: b, title: b, url: "\(provider.url(of: "/gone.mp3"))", alternatives: [ { url: "\(elsewhere.url("/b.mp3"))" } ] }
        """)
    }
    try declare("")
    try fixture.logIn()
    try fixture.run()
    #expect(elsewhere.requests.allSatisfy { $0.authorization == nil } && elsewhere.requests.count == 1)
  }

  // MARK: Commands

  @Test("a program prints the token", arguments: [false, true])
  func command(asJSON: Bool) throws {
    let token = provider.issue().access
    let path = home.folder.file("token")
    try FileBytes.write(asJSON ? "{\"access_token\":\"\(token)\",\"expires_in\":600}" : "\(token)\n", to: path)
    try fixture.declare("token_command: [cat, \"\(path)\"]")
    let run = try fixture.run(0, "-vv")
    #expect(fixture.hasMedia)
    #expect(try !home.traces(run).contains(token))
    // The program is asked again after a refusal.
    provider.invalidateAccess()
    fixture.serve("b")
    try fixture.declare("token_command: [cat, \"\(path)\"]", items: ["a", "b"])
    try fixture.run(3)
    #expect(provider.requests(to: "/b.mp3").map(\.status) == [401, 401])
    try FileBytes.write(provider.issue().access, to: path)
    try home.retryAll()
    try fixture.run()
    let login = try fixture.login().run()
    #expect(login.ending == .exited(64) && login.standardError.contains("token_command"), "\(login)")
  }

  @Test("a program that fails is a passing failure", arguments: [["false"], ["printf", "a b"], ["true"], ["/none"]])
  func badCommand(words: [String]) throws {
    try fixture.declare("token_command: [\(words.map { "\"\($0)\"" }.joined(separator: ", "))]")
    let run = try fixture.run(5)
    #expect((run.standardError + run.standardOutput).contains("token_command"), "\(run)")
  }
}
