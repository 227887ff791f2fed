// SPDX-License-Identifier: Apache-2.0

import SyncTestSupport
import Testing

@Suite("proxies and private addresses")
struct RouteTests {
  private let home: Household
  private let server: FaultServer

  init() throws {
    home = try Household()
    server = try FaultServer()
    server.serve("/a.mp3", Resource(bytes: GeneratedAudio(title: "A", seconds: 1, seed: 1).bytes))
  }

  private func declare(_ url: String, proxy: String, more: String = "") throws {
    try home.declare(
      """
      downloads: { retries: 0, proxy: "\(proxy)"\(more) }
      playlists: { all: { items: [{ id: a, url: "\(url)" }] } }
      """)
  }

  /// Of the one item, after a run that ends as it should with something that failed for good.
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
    #expect(try !home.traces(result, home.command("validate").run()).contains("hush"))
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

  @Test("a proxy that refuses is a failure of the network, with its status")
  func refusal() throws {
    let proxy = try TestProxy(refusal: 407)
    try declare("https://media.invalid/a.mp3", proxy: proxy.url)
    let (result, report) = try home.run()
    #expect(result.ending == .exited(5))
    let message = report[path: "items[id=a].error.message"]?.description ?? ""
    #expect(message.contains("407"), "\(message)")
  }

  /// Ways to write addresses of this machine and its network.
  private static let places = [
    "127.0.0.1", "[::1]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "0.0.0.0", "localhost", "2130706433", "0x7f.1",
    "127.1",
    "169.254.169.254", "10.0.0.1", "[fe80::1]", "[::]",
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
