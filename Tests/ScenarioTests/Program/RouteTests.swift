// SPDX-License-Identifier: Apache-2.0

import Glibc
import SyncTestSupport
import Testing

@Suite("proxies and private addresses")
struct RouteTests {
  private let home: LibraryFixture
  private let server: FaultServer

  init() throws {
    home = try LibraryFixture()
    server = try FaultServer()
    server.serveAudio("a")
  }

  private func declare(_ url: String, proxy: String, more: String = "") throws {
    try home.declare(
      """
      downloads: { retries: 0, proxy: "\(proxy)"\(more) }
      playlists: { all: { items: [{ id: a, url: "\(url)" }] } }
      """)
  }

  /// The kind of error of the single item, after a run that ends correctly with a permanent failure.
  private func errorKind() throws -> String? {
    let (result, report) = try home.run()
    #expect(result.ending == .exited(3), "\(result.standardError)")
    return report[path: "items[id=a].error.kind"]?.description
  }

  @Test(
    "plain requests go through the proxy, which finds the host and gets the user that its URL names; nobody is shown it"
  )
  func plain() throws {
    let proxy = try TestProxy()
    try declare("http://media.invalid:\(server.port)/a.mp3", proxy: "http://anna:hush@127.0.0.1:\(proxy.port)")
    let (result, _) = try home.run()
    #expect(result.ending == .exited(0), "\(result.standardError)")
    #expect(proxy.requests.map(\.target) == ["http://media.invalid:\(server.port)/a.mp3"])
    #expect(proxy.requests.map { $0.headers["Proxy-Authorization"] } == ["Basic YW5uYTpodXNo"])
    #expect(server.requests.map { $0.headers["Proxy-Authorization"] } == [nil])
    #expect(try !home.traces(result, home.command("validate", "--effective").run()).contains("hush"))
  }

  @Test("a proxy is asked for as many hosts at once as there may be transfers: it is none of the hosts itself")
  func manyHosts() throws {
    let proxy = try TestProxy()
    let names = ["a", "b", "c", "d"]
    let gates = try names.map { _ in try Gate() }
    for (name, gate) in zip(names, gates) {
      server.serve("/\(name).mp3", Resource(bytes: GeneratedAudio(title: name, seconds: 1, seed: 1).bytes))
      server.script("/\(name).mp3", [.holdBack(gate)])
    }
    let items = names.map { "{ id: \($0), url: \"http://\($0).invalid:\(server.port)/\($0).mp3\" }" }
    try home.declare(
      """
      downloads: { concurrency: 4, per_host: 1, proxy: "\(proxy.url)" }
      playlists: { all: { items: [\(items.joined(separator: ", "))] } }
      """)
    let run = try home.command("run", "--quiet").start()
    for gate in gates { #expect(gate.waitForArrival()) }
    for gate in gates { gate.open() }
    #expect(run.wait().ending == .exited(0))
  }

  @Test(
    "secured requests go through a tunnel, and the server is judged as without one", .requires(.nginx),
    .requires(Tool("openssl")))
  func tunnel() throws {
    let authority = try TestAuthority()
    let nginx = try Nginx(certificate: authority.certificate("DNS:media.invalid"))
    try FileBytes.write(GeneratedAudio(title: "A", seconds: 1, seed: 1).bytes, to: "\(nginx.root)/a.mp3")
    let proxy = try TestProxy()
    let tls = ", tls: { ca_file: \"\(authority.file)\" }"
    try declare(nginx.secureURL("/a.mp3", host: "other.invalid"), proxy: proxy.url, more: tls)
    #expect(try errorKind() == "tls")
    try home.retryAll()
    try declare(nginx.secureURL("/a.mp3", host: "media.invalid"), proxy: proxy.url, more: tls)
    let (result, _) = try home.run()
    #expect(result.ending == .exited(0), "\(result.standardError)")
    #expect(proxy.requests.map(\.method) == ["CONNECT", "CONNECT"])
    #expect(proxy.requests.last?.target == "media.invalid:\(nginx.securePort ?? 0)")
  }

  @Test("with env the environment decides, no_proxy included; without it the environment has no say")
  func environment() throws {
    let proxy = try TestProxy()
    let environment = ["http_proxy": proxy.url, "no_proxy": "127.0.0.1"]
    for (policy, host, count) in [("env", "127.0.0.1", 0), ("none", "127.0.0.1", 0), ("env", "media.invalid", 1)] {
      try declare("http://\(host):\(server.port)/a.mp3", proxy: policy)
      var command = home.command("run", "--json")
      command.environment.merge(environment) { $1 }
      #expect(try command.run().ending == .exited(0))
      #expect(proxy.requests.count == count, "\(policy) \(host)")
      try FileTree.remove(home.library)
    }
  }

  @Test("the environment decides by default, as for curl")
  func environmentByDefault() throws {
    let proxy = try TestProxy()
    try home.declare("playlists: { all: { items: [{ id: a, url: \"http://media.invalid:\(server.port)/a.mp3\" }] } }")
    var command = home.command("run", "--json")
    command.environment["http_proxy"] = proxy.url
    #expect(try command.run().ending == .exited(0))
    #expect(proxy.requests.count == 1)
  }

  @Test(
    "a 407 is the proxy's failure, with its name, for now; the next run through one that works needs no help",
    arguments: ["http", "https"])
  func refusal(scheme: String) throws {
    let proxy = try TestProxy(refusal: 407)
    let url = "\(scheme)://media.invalid:\(server.port)/a.mp3"
    try declare(url, proxy: "http://anna:wrong-pass@127.0.0.1:\(proxy.port)")
    let (result, report) = try home.run()
    #expect(result.ending == .exited(5), "\(result.standardError)")
    #expect(report[path: "items[id=a].error.kind"] == .string("network"))
    #expect(report[path: "items[id=a].error.temporary"] == .bool(true))
    let message = report[path: "items[id=a].error.message"]?.description ?? ""
    #expect(message.contains("the proxy http://***@127.0.0.1:\(proxy.port) cannot be used"), "\(message)")
    #expect(message.contains("407"), "\(message)")
    guard scheme == "http" else { return }
    let working = try TestProxy()
    try declare(url, proxy: working.url)
    #expect(try home.run().result.ending == .exited(0))
  }

  @Test("a 407 for a feed is the proxy's, too")
  func refusedFeed() throws {
    let proxy = try TestProxy(refusal: 407)
    try home.declare(
      """
      downloads: { retries: 0, proxy: "\(proxy.url)" }
      playlists: { all: { feed: "http://media.invalid/feed.xml" } }
      """)
    let (result, _) = try home.run()
    #expect(result.ending == .exited(5), "\(result.standardError)")
    #expect(result.standardOutput.contains("the proxy \(proxy.url) cannot be used"))
  }

  @Test("a proxy that wants a password, as others write it, fails the run for now", .requires(Tool("tinyproxy")))
  func tinyproxy() throws {
    let program = try #require(Tool("tinyproxy").path)
    // A port that was free a moment ago.
    let neighbour = try FaultServer()
    let port = neighbour.port
    neighbour.stop()
    let settings = "Port \(port)\nListen 127.0.0.1\nTimeout 30\nBasicAuth anna right-pass\nMaxClients 20\n"
    try FileBytes.write(settings, to: home.folder.file("tinyproxy.conf"))
    let process = try Command(program, ["-d", "-c", home.folder.file("tinyproxy.conf")]).start()
    defer { process.signal(SIGTERM) }
    #expect(eventually { PlainRequest.get(port: port, path: "/") != nil })
    for (password, status) in [("wrong-pass", 5), ("right-pass", 0)] {
      try declare(server.url("/a.mp3"), proxy: "http://anna:\(password)@127.0.0.1:\(port)")
      let (result, report) = try home.run()
      #expect(result.ending == .exited(Int32(status)), "\(result.standardError)")
      let message = report[path: "items[id=a].error.message"]?.description ?? ""
      #expect(message.contains("the proxy") == (status == 5), "\(message)")
    }
  }

  /// Notations for addresses of this machine and its network.
  private static let places = [
    "127.0.0.1", "[::1]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "0.0.0.0", "localhost", "2130706433", "0x7f.1",
    "127.1",
    "169.254.169.254", "10.0.0.1", "[fe80::1]", "[::]", "[::127.0.0.1]", "[64:ff9b:1::1]",
    "[2001::1]", "0177.0.0.1",
  ]

  private func declareFeed(_ urls: [String], downloads: String) throws {
    let items = urls.enumerated().map { number, url in
      "<item><title>E\(number)</title><guid>\(number)</guid><enclosure url=\"\(url)\" type=\"audio/mpeg\"/></item>"
    }
    server.serve(
      "/feed.xml", Resource(text: "<rss version=\"2.0\"><channel><title>F</title>\(items.joined())</channel></rss>"))
    try home.declare(
      """
      downloads: { retries: 0, \(downloads) }
      playlists: { all: { feed: "\(server.url("/feed.xml"))", select: { initial: all } } }
      """)
  }

  @Test("a feed does not lead to a private address, however it is written", arguments: [false, true])
  func forbidden(hasProxy: Bool) throws {
    let proxy = try TestProxy()
    try declareFeed(
      Self.places.map { "http://\($0):\(server.port)/a.mp3" }, downloads: "proxy: \(hasProxy ? proxy.url : "none")")
    let (result, report) = try home.run()
    #expect(result.ending == .exited(3), "\(result.standardError)")
    #expect(report[path: "totals.failed"] == .number(Double(Self.places.count)))
    let kinds = Self.places.indices.map { report[path: "items.\($0).error.kind"]?.description }
    #expect(Set(kinds) == ["forbidden_address"])
    #expect(server.requests.map(\.path) == ["/feed.xml"])
    #expect(server.connectionCount == 1)
    #expect(proxy.requests.count == (hasProxy ? 1 : 0))
  }

  @Test("a proxy is not asked for a name of this machine or of a private network, nor for a host with a percent sign")
  func disguised() throws {
    let proxy = try TestProxy()
    let hosts = [
      "localhost.localdomain", "ip6-localhost", "127.0.0.1.", "127.0.0.1..", "localhost.", "metadata.google.internal",
      "printer.local",
      "127%2e0%2e0%2e1", "%31%32%37.1", "loc%61lhost", "１２７.０.０.１", "ｌｏｃａｌｈｏｓｔ",
    ]
    try declareFeed(hosts.map { "http://\($0):\(server.port)/a.mp3" }, downloads: "proxy: \(proxy.url)")
    let (result, report) = try home.run()
    #expect(result.ending == .exited(3), "\(result.standardError)")
    #expect(report[path: "totals.downloaded"] == .number(0))
    #expect(proxy.requests.map(\.target) == [server.url("/feed.xml")])
    #expect(server.requests.map(\.path) == ["/feed.xml"])
  }

  @Test(
    "nor does a redirect, of whatever hop",
    arguments: ["http://[::1]:9/", "http://169.254.169.254/", "http://localhost:9/"])
  func forbiddenRedirect(target: String) throws {
    server.script("/a.mp3", [.redirect(to: "/b.mp3")])
    server.script("/b.mp3", [.redirect(to: target)])
    try declare(server.url("/a.mp3"), proxy: "none")
    #expect(try errorKind() == "forbidden_address")
    #expect(server.requests.map(\.path) == ["/a.mp3", "/b.mp3"])
  }

  @Test(
    "a redirect to another scheme is not followed",
    arguments: ["file:///etc/hostname", "ftp://127.0.0.1/a", "gopher://127.0.0.1/1", "data:audio/mpeg;base64,SUQz"])
  func schemes(target: String) throws {
    server.script("/a.mp3", [.redirect(to: target)])
    try declare(server.url("/a.mp3"), proxy: "none")
    #expect(try errorKind() == "invalid_url")
    #expect(try home.strays() == [])
  }
}
