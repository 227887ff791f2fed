// SPDX-License-Identifier: Apache-2.0

import SyncTestSupport
import Testing

@Suite("the trust in servers", .requires(.nginx), .requires(Tool("openssl")))
struct StateAccessTests {
  private let home: LibraryFixture
  private let authority: TestAuthority

  init() throws {
    home = try LibraryFixture()
    authority = try TestAuthority()
  }

  private func nginx(
    _ certificate: TestAuthority.Certificate? = nil, locations: String = "", options: String = ""
  ) throws -> Nginx {
    let nginx = try Nginx(
      locations: locations, certificate: certificate ?? authority.certificate(), secureOptions: options)
    for name in ["a", "b"] {
      try FileBytes.write(GeneratedAudio(title: name, seconds: 1, seed: 1).bytes, to: "\(nginx.root)/\(name).mp3")
    }
    return nginx
  }

  private func declare(_ url: String, id: String = "a", tls: String = "") throws {
    try home.declare(
      """
      downloads: { retries: 1, backoff: { initial: 1ms, max: 1ms }, network: { allow_private: true }, tls: { ca_file: "\(authority.file)"\(tls) } }
      playlists: { all: { items: [{ id: \(id), url: "\(url)" }] } }
      """)
  }

  private func expectRefusal(_ words: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
    let (result, report) = try home.run()
    #expect(result.ending == .exited(3), "\(result.standardError)", sourceLocation: sourceLocation)
    let error = report[path: "items[id=a].error"]
    #expect(error?[path: "kind"] == .string("tls"), sourceLocation: sourceLocation)
    let message = error?[path: "message"]?.description ?? ""
    #expect(message.contains(words), "\(message)", sourceLocation: sourceLocation)
    #expect(try home.strays() == [], sourceLocation: sourceLocation)
  }

  @Test(
    "a certificate of the manifest's authority is trusted, over IPv4 and IPv6",
    arguments: ["localhost", "127.0.0.1", "[::1]"])
  func good(host: String) throws {
    let nginx = try nginx()
    try declare(nginx.secureURL("/a.mp3", host: host))
    let (result, _) = try home.run()
    #expect(result.ending == .exited(0), "\(result.standardError)")
    #expect(try nginx.accessLog().last?.hasPrefix("GET /a.mp3 200") == true)
  }

  @Test("one whose time is over is not")
  func expired() throws {
    let nginx = try nginx(authority.certificate(days: -1))
    try declare(nginx.secureURL("/a.mp3"))
    try expectRefusal("the server could not prove its identity: SSL certificate problem: certificate has expired")
  }

  @Test("another host's is not")
  func wrongHost() throws {
    let nginx = try nginx(authority.certificate("DNS:other.example"))
    try declare(nginx.secureURL("/a.mp3"))
    try expectRefusal("the server could not prove its identity: SSL: no alternative certificate subject name matches")
  }

  @Test("an unknown authority's is not")
  func unknown() throws {
    let stranger = try TestAuthority()
    let nginx = try nginx(stranger.certificate())
    try declare(nginx.secureURL("/a.mp3"))
    try expectRefusal("the server could not prove its identity: SSL certificate problem: unable to get local issuer")
  }

  @Test("TLS 1.1 is too old, and 1.2 where the manifest wants 1.3")
  func version() throws {
    let old = try nginx(options: "ssl_protocols TLSv1.1; ssl_ciphers ALL:@SECLEVEL=0;")
    try declare(old.secureURL("/a.mp3"))
    try expectRefusal("no secure connection could be agreed on (downloads.tls.min says what is accepted)")
    let middle = try nginx(options: "ssl_protocols TLSv1.2;")
    try declare(middle.secureURL("/a.mp3"), tls: ", min: \"1.3\"")
    try home.retryAll()
    try expectRefusal("no secure connection could be agreed on")
    try declare(middle.secureURL("/a.mp3"))
    try home.retryAll()
    #expect(try home.run().result.ending == .exited(0))
  }

  @Test("of pinned keys one must be the server's")
  func pins() throws {
    let certificate = try authority.certificate()
    let nginx = try nginx(certificate)
    let (wrong, right) = ("sha256//\(String(repeating: "A", count: 43))=", try authority.pin(of: certificate))
    try declare(nginx.secureURL("/a.mp3"), tls: ", pins: [\"\(wrong)\"]")
    try expectRefusal("the server's key matches none of downloads.tls.pins")
    try declare(nginx.secureURL("/a.mp3"), tls: ", pins: [\"\(wrong)\", \"\(right)\"]")
    try home.retryAll()
    #expect(try home.run().result.ending == .exited(0))
  }

  @Test("certificates that cannot be read stop the run at once")
  func missingFile() throws {
    try home.declare(
      """
      downloads: { tls: { ca_file: missing.pem } }
      playlists: { all: { items: [{ id: a, url: "https://127.0.0.1:1/a.mp3" }] } }
      """)
    let result = try home.command("run").run()
    #expect(result.ending == .exited(1))
    #expect(result.standardError.contains("cannot read the certificates of downloads.tls.ca_file"))
    try FileBytes.write("no certificate", to: home.folder.file("missing.pem"))
    let empty = try home.command("run").run()
    #expect(empty.ending == .exited(1))
    #expect(empty.standardError.contains("is not a file of certificates in PEM"))
  }

  @Test(
    "no key and no flag turns verification off",
    arguments: [
      "verify: false", "insecure: true", "min: \"1.0\"", "min: \"1.1\"", "ca_file: off", "verify_host: false",
    ])
  func noWayAround(key: String) throws {
    let stranger = try TestAuthority()
    let nginx = try nginx(stranger.certificate())
    try home.declare(
      """
      downloads: { tls: { \(key) } }
      playlists: { all: { items: [{ id: a, url: "\(nginx.secureURL("/a.mp3"))" }] } }
      """)
    #expect(try home.command("run").run().ending != .exited(0))
    try declare(nginx.secureURL("/a.mp3"))
    for flag in ["-k", "--insecure", "--no-check-certificate"] {
      #expect(try home.command("run", flag).run().ending == .exited(64))
    }
    #expect(try !nginx.accessLog().contains { $0.hasPrefix("GET /a.mp3") }, "\(stranger.file)")
  }

  @Test("with HTTP/2, transfers at one time share a connection")
  func multiplexing() throws {
    let nginx = try nginx(locations: "limit_rate 400k;")
    let names = (1...9).map { "t\($0)" }
    for name in names {
      try FileBytes.write(GeneratedAudio(title: name, seconds: 20, seed: 1).bytes, to: "\(nginx.root)/\(name).mp3")
    }
    let items = names.map { "{ id: \($0), url: \"\(nginx.secureURL("/\($0).mp3"))\" }" }.joined(separator: ", ")
    try home.declare(
      """
      downloads: { concurrency: 3, per_host: 3, tls: { ca_file: "\(authority.file)" } }
      playlists: { all: { items: [\(items)] } }
      """)
    #expect(try home.run().result.ending == .exited(0))
    let lines = try nginx.accessLog().filter { $0.hasPrefix("GET /t") }.map { $0.split(separator: " ") }
    #expect(lines.count == 9)
    #expect(lines.allSatisfy { $0.dropLast().last == "HTTP/2.0" })
    // The first requests each have a connection of their own, before it is known that one is enough.
    #expect(Set(lines.compactMap(\.last)).count <= 3)
    #expect(Set(lines.suffix(6).compactMap(\.last)).count < 3, "\(lines)")
  }

  @Test("a redirect from https to http is not followed")
  func downgrade() throws {
    let nginx = try nginx(locations: "location /down.mp3 { return 302 http://localhost:$arg_port/a.mp3; }")
    try declare(nginx.secureURL("/down.mp3?port=\(nginx.port)"))
    let (result, report) = try home.run()
    #expect(result.ending == .exited(3))
    #expect(report[path: "items[id=a].error.kind"] == .string("invalid_url"))
    #expect(try !nginx.accessLog().contains { $0.hasPrefix("GET /a.mp3") })
  }

  @Test("a host that asked for https is asked over https from then on, in later runs too, unless that is switched off")
  func strictTransport() throws {
    let nginx = try nginx(options: "add_header Strict-Transport-Security \"max-age=31536000\" always;")
    try declare(nginx.secureURL("/a.mp3"))
    #expect(try home.run().result.ending == .exited(0))
    let memory = try FileBytes.text("\(home.state)/hsts.txt")
    #expect(memory.contains("\nlocalhost 20"))

    let plain = nginx.secureURL("/b.mp3").replacing("https:", with: "http:")
    try declare(plain, id: "b", tls: ", hsts: false")
    #expect(try home.run().result.ending == .exited(3))
    try home.retryAll()
    try declare(plain, id: "b")
    #expect(try home.run().result.ending == .exited(0))
    #expect(try nginx.accessLog().suffix(2).map { $0.prefix(15) } == ["GET /b.mp3 400 ", "GET /b.mp3 200 "])
    #expect(try FileBytes.text("\(home.state)/hsts.txt") == memory)
  }
}
