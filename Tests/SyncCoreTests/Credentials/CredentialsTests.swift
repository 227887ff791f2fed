// SPDX-License-Identifier: Apache-2.0

import SyncCore
import Testing

@Suite("To whom credentials go")
struct CredentialScopeTests {
  struct Row: Sendable, CustomTestStringConvertible {
    let written: [String]
    var scope: [String] = []
    let asked: String
    let admitted: Bool
    var testDescription: String { "\(written) \(scope) \(asked)" }
  }

  @Test(
    "the origins that the manifest wrote get them, or the hosts of the scope in their place; nobody else does",
    arguments: [
      Row(written: ["https://a.example/x"], asked: "https://a.example/other?q", admitted: true),
      Row(written: ["https://a.example/x"], asked: "https://A.example:443/", admitted: true),
      Row(written: ["https://a.example/x"], asked: "http://a.example/x", admitted: false),
      Row(written: ["https://a.example/x"], asked: "https://a.example:8443/x", admitted: false),
      Row(written: ["https://a.example/x"], asked: "https://b.a.example/x", admitted: false),
      Row(written: ["https://a.example/x"], asked: "https://a.example.evil.example/x", admitted: false),
      Row(written: ["https://a.example/x"], asked: "https://a.example@evil.example/x", admitted: false),
      Row(written: ["http://a.example/x"], asked: "http://a.example/y", admitted: true),
      Row(written: ["http://a.example/x"], asked: "https://a.example/y", admitted: true),
      Row(written: ["http://a.example:8080/x"], asked: "https://a.example:8080/y", admitted: true),
      Row(written: ["http://a.example:8080/x"], asked: "https://a.example/y", admitted: false),
      Row(written: ["https://a.example/"], scope: ["b.example"], asked: "https://b.example/", admitted: true),
      Row(written: ["https://a.example/"], scope: ["b.example"], asked: "https://b.example:8443/", admitted: true),
      Row(written: ["https://a.example/"], scope: ["b.example"], asked: "http://b.example/", admitted: false),
      Row(written: ["https://a.example/"], scope: ["b.example"], asked: "https://c.b.example/", admitted: false),
      Row(written: ["http://a.example/"], scope: ["b.example"], asked: "http://b.example/", admitted: true),
      Row(
        written: ["http://a.example/", "https://a.example/"], scope: ["b.example"], asked: "http://b.example/",
        admitted: false),
      Row(written: [], scope: ["b.example"], asked: "http://b.example/", admitted: false),
      Row(written: ["https://a.example/"], scope: ["b.example"], asked: "https://a.example/", admitted: false),
      Row(written: ["http://a.example/"], scope: ["b.example"], asked: "http://a.example/", admitted: false),
      Row(
        written: ["https://a.example/"], scope: ["b.example", "a.example"], asked: "https://a.example/", admitted: true),
      Row(written: ["https://a.example/"], scope: ["b.example:8443"], asked: "https://b.example:8443/", admitted: true),
      Row(written: ["https://a.example/"], scope: ["b.example:8443"], asked: "https://b.example/", admitted: false),
      Row(written: ["https://a.example/"], scope: ["http://b.example"], asked: "http://b.example/", admitted: true),
      Row(written: ["https://a.example/"], scope: ["[::1]:8443"], asked: "https://[::1]:8443/", admitted: true),
    ])
  func admits(row: Row) throws {
    let origins = try Set(row.written.map { try RemoteURL($0).origin })
    let scope = CredentialScope(origins: origins, hosts: try row.scope.map { try #require(ScopedHost($0)) })
    #expect(try scope.admits(RemoteURL(row.asked)) == row.admitted)
  }

  @Test(
    "what is no host is no scope",
    arguments: [
      "", "a.example/x", "*.a.example/", "https://a.example/x", "https://u@a.example", "a b", "a.example?x", "a:",
      "ftp://a",
    ])
  func refused(text: String) { #expect(ScopedHost(text) == nil) }

  @Test(
    "a host is written as it was read",
    arguments: ["a.example", "a.example:8443", "[::1]", "[::1]:80", "http://a.example:80"])
  func text(text: String) { #expect(ScopedHost(text)?.text == text) }
}

@Suite("Which credentials a request carries")
struct CredentialsTests {
  private let now = Timestamp(secondsSince1970: 1_000_000)

  private func credentials(_ origins: String..., change: (inout Credentials) -> Void = { _ in }) throws -> Credentials {
    var credentials = Credentials(scope: CredentialScope(origins: try Set(origins.map { try RemoteURL($0).origin })))
    change(&credentials)
    return credentials
  }

  private func sent(_ credentials: Credentials, to url: String) throws -> [String] {
    credentials.fields(for: try RemoteURL(url), at: now).map { "\($0.name): \($0.value.exposed)" }
  }

  @Test(
    "Basic credentials are those of RFC 7617, in UTF-8",
    arguments: [
      ("Aladdin", "open sesame", "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ=="), ("test", "123£", "Basic dGVzdDoxMjPCow=="),
      ("a", "", "Basic YTo="), ("ab", "", "Basic YWI6"),
    ])
  func basic(user: String, password: String, value: String) {
    #expect(CredentialField.basic(user: user, password: Secret(password)).value.exposed == value)
  }

  @Test("of two fields with one name the login's is sent; the netrc fills in where there is none")
  func precedence() throws {
    let all = try credentials("https://a.example/") {
      $0.fields = [
        .bearer(Secret("t")), CredentialField("authorization", Secret("other")), CredentialField("X-Key", Secret("k")),
      ]
      $0.netrc = [NetrcEntry(host: "a.example", user: "u", password: Secret("p"))]
    }
    #expect(try sent(all, to: "https://a.example/x") == ["Authorization: Bearer t", "X-Key: k"])
    let netrc = try credentials("https://a.example/") {
      $0.netrc = [
        NetrcEntry(host: nil, user: "any", password: Secret("p")),
        NetrcEntry(host: "a.example", user: "u", password: Secret("p")),
      ]
    }
    #expect(try sent(netrc, to: "https://a.example/x") == ["Authorization: Basic dTpw"])
    #expect(try sent(netrc, to: "https://b.example/x") == [])
  }

  @Test("a parameter goes into the query, encoded, beside the parameters of the URL and never in place of one")
  func parameters() throws {
    let fields = [
      CredentialField("t", Secret("a b&c=ü"), in: .query), CredentialField("T", Secret("1"), in: .query),
      .bearer(Secret("x")),
    ]
    func text(_ url: String) throws -> String { try RemoteURL(url).requestText(with: fields) }
    #expect(try text("https://a.example/x") == "https://a.example/x?t=a%20b%26c%3D%C3%BC&T=1")
    #expect(try text("https://u:p@a.example/x?f=1#end") == "https://u:p@a.example/x?f=1&t=a%20b%26c%3D%C3%BC&T=1")
    #expect(try text("https://a.example/x?t=own&tt=2") == "https://a.example/x?t=own&tt=2&T=1")
    #expect(try RemoteURL("https://a.example/x").requestText(with: [.bearer(Secret("x"))]) == "https://a.example/x")
  }

  @Test("a parameter and a header field of one name go out together, inside the scope and nowhere else")
  func places() throws {
    let all = try credentials("https://a.example/") {
      $0.fields = [CredentialField("X-Key", Secret("q"), in: .query), CredentialField("x-key", Secret("h"))]
    }
    var trail = CredentialTrail([all])
    func sent(_ url: String, isRedirect: Bool) throws -> [CredentialField.Place] {
      trail.fields(for: try RemoteURL(url), isRedirect: isRedirect, at: now).map(\.place)
    }
    #expect(try sent("https://a.example/1", isRedirect: false) == [.query, .header])
    #expect(try sent("https://b.example/", isRedirect: true) == [])
    #expect(try sent("http://a.example/", isRedirect: false) == [])
    #expect(try sent("https://a.example/1", isRedirect: true) == [.query, .header])
    #expect(try sent("https://b.example/", isRedirect: true) == [])
    #expect(try sent("https://a.example/2", isRedirect: true) == [])
  }

  @Test("a user and password in the URL itself stay its own")
  func ownCredentials() throws {
    let all = try credentials("https://a.example/") { $0.fields = [.bearer(Secret("t"))] }
    #expect(try sent(all, to: "https://u:p@a.example/") == [])
  }

  @Test("cookies go by host, path, security and time, the longest path first")
  func cookies() throws {
    func cookie(_ name: String, _ change: (inout Cookie) -> Void = { _ in }) -> Cookie {
      var cookie = Cookie(
        domain: "a.example", includesSubdomains: false, path: "/", isSecure: false, expiresAt: nil, name: name,
        value: Secret("1"))
      change(&cookie)
      return cookie
    }
    let all = try credentials("https://a.example/", "http://b.a.example/") {
      $0.cookies = [
        cookie("plain"), cookie("path") { $0.path = "/media" }, cookie("elsewhere") { $0.path = "/med" },
        cookie("wide") { $0.includesSubdomains = true },
        cookie("secure") { ($0.isSecure, $0.includesSubdomains) = (true, true) },
        cookie("over") { $0.expiresAt = now }, cookie("coming") { $0.expiresAt = now + .seconds(1) },
        cookie("other") { $0.domain = "b.a.example" },
      ]
    }
    #expect(try sent(all, to: "https://a.example/media/1") == ["Cookie: path=1; plain=1; wide=1; secure=1; coming=1"])
    #expect(try sent(all, to: "http://b.a.example/") == ["Cookie: wide=1; other=1"])
  }

  @Test("along redirects they stay inside their scope; once they were left behind they do not come back")
  func trail() throws {
    let all = try credentials("https://a.example/") { $0.fields = [.bearer(Secret("t"))] }
    var trail = CredentialTrail([all])
    func step(_ url: String, isRedirect: Bool = true) throws -> Bool {
      !trail.fields(for: try RemoteURL(url), isRedirect: isRedirect, at: now).isEmpty
    }
    #expect(try step("https://a.example/1", isRedirect: false))
    #expect(try step("https://a.example/2"))
    #expect(try !step("https://b.example/"))
    #expect(try !step("https://a.example/3"))
    #expect(try step("https://a.example/1", isRedirect: false))
    #expect(try !step("https://b.example/", isRedirect: false))
    #expect(try step("https://a.example/"))
  }

  @Test("of several playlists the first whose credentials may go there gives them")
  func several() throws {
    let a = try credentials("https://a.example/") { $0.fields = [.bearer(Secret("a"))] }
    let b = try credentials("https://a.example/", "https://b.example/") { $0.fields = [.bearer(Secret("b"))] }
    var trail = CredentialTrail([a, b])
    let at = { (trail: inout CredentialTrail, url: String) throws in
      trail.fields(for: try RemoteURL(url), isRedirect: false, at: now).map(\.value.exposed)
    }
    #expect(try at(&trail, "https://a.example/") == ["Bearer a"])
    #expect(try at(&trail, "https://b.example/") == ["Bearer b"])
  }

  @Test("the manifest's headers go where credentials go, stay behind with them, and give way to theirs")
  func headers() throws {
    let a = try credentials("https://a.example/") { $0.fields = [.bearer(Secret("a"))] }
    let headers = [HTTPField(name: "authorization", value: "mine"), HTTPField(name: "X-Key", value: "k")]
    let b = CredentialScope(origins: [try RemoteURL("https://b.example/").origin])
    var trail = CredentialTrail([a], headers: headers, scopes: [a.scope, b])
    func step(_ url: String, isRedirect: Bool = true) throws -> [String] {
      trail.fields(for: try RemoteURL(url), isRedirect: isRedirect, at: now).map { "\($0.name): \($0.value.exposed)" }
    }
    #expect(try step("https://a.example/", isRedirect: false) == ["Authorization: Bearer a", "X-Key: k"])
    #expect(try step("https://b.example/") == ["authorization: mine", "X-Key: k"])
    #expect(try step("https://c.example/") == [])
    #expect(try step("https://a.example/") == [])
    #expect(try step("https://b.example/") == [])
    #expect(try step("https://b.example/", isRedirect: false) == ["authorization: mine", "X-Key: k"])
  }

  @Test("a playlist's scope is its source's origin, or those of its items' main URLs, unless it names its own")
  func scopes() throws {
    func item(_ id: String, _ url: String, alternative: String) throws -> Item {
      var item = try SyncCoreTests.item(id, url: url)
      item.alternatives = [Candidate(url: try RemoteURL(alternative))]
      return item
    }
    let name = try playlistName("p")
    let items = try [
      item("a", "https://a.example/1", alternative: "https://x.example/1"),
      item("b", "https://b.example/2", alternative: "https://a.example/2"),
    ]
    var playlist = Playlist(name: name, source: .items(BoxedArray(items)))
    func admitted(_ playlist: Playlist) throws -> [String] {
      try ["a", "b", "x", "f"].filter { try playlist.credentialScope.admits(RemoteURL("https://\($0).example/")) }
    }
    #expect(try admitted(playlist) == ["a", "b"])
    var auth = AuthSettings()
    auth.scope = [try #require(ScopedHost("x.example"))]
    playlist.auth = auth
    #expect(try admitted(playlist) == ["x"])
    let feed = ListingLocation.remote(try RemoteURL("https://f.example/rss"))
    #expect(try admitted(Playlist(name: name, source: .listing(.feed, at: feed))) == ["f"])
  }

  @Test("a secret shows in no dump of what holds it")
  func hidden() throws {
    let all = try credentials("https://a.example/") { $0.fields = [.bearer(Secret("t0p"))] }
    var text = ""
    dump(all, to: &text)
    #expect(!(text + "\(all)" + String(reflecting: all)).contains("t0p"))
  }
}
