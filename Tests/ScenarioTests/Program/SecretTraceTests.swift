// SPDX-License-Identifier: Apache-2.0

import SyncTestSupport
import Testing

/// Checks that no secret is in any output or file of the program. Each secret contains the word `canary` and its place
/// of origin.
@Suite("no secret shows")
struct SecretTraceTests {
  private let home: LibraryFixture
  private let server: FaultServer

  init() throws {
    home = try LibraryFixture()
    server = try FaultServer()
    server.serveAudio("a", "b", "c")
    let (netrc, cookies) = (
      "machine 127.0.0.1 login u password canary-netrc", "127.0.0.1\tFALSE\t/\tFALSE\t0\ts\tcanary-cookie"
    )
    try FileBytes.write(netrc, to: home.folder.file("netrc"))
    try FileBytes.write(cookies, to: home.folder.file("cookies"))
    try FileBytes.write("canary-file", to: home.folder.file("secret"))
  }

  private func declare(proxy: String = "none") throws {
    let (url, login) = (server.url(""), server.url("").replacing("://", with: "://anna:canary-login@"))
    try home.declare(
      """
      downloads:
        retries: 1
        backoff: { initial: 1ms, max: 1ms }
        proxy: "\(proxy)"
        headers: { X-Token: canary-field }
      playlists:
        one: { auth: { user: u, password: canary-password }, items: [{ id: a, url: "\(url)/a.mp3?token=canary" }] }
        two:
          auth: { netrc: netrc, cookies_file: cookies }
          items: [{ id: b, url: "\(login)/b.mp3", alternatives: [{ url: "\(login)/c.mp3" }] }]
        three: { auth: { bearer_command: [/bin/echo, canary-command] }, items: [{ id: d, url: "\(url)/d.mp3" }] }
        four: { auth: { bearer_file: secret }, feed: "\(login)/feed.xml?key=canary" }
      """)
  }

  private func expectSilence(
    _ environment: [String: String] = [:],
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    var output = ""
    for arguments in [
      ["run", "-vv", "--events", home.folder.file("events")], ["run", "--json"], ["run"], ["plan"], ["plan", "--json"],
      ["list"], ["list", "--json"], ["status"], ["status", "--json"], ["validate", "--effective"],
    ] {
      var command = home.command(arguments[0])
      command.arguments += arguments.dropFirst()
      command.environment.merge(environment) { $1 }
      let result = try command.run()
      output += "\(arguments): \(result.standardOutput)\(result.standardError)\n"
    }
    output += try FileBytes.text(home.folder.file("events"))
    for path in try FileTree.files(home.state, hidden: true) {
      var text = String(decoding: try FileBytes.read("\(home.state)/\(path)"), as: UTF8.self)
      // The queue holds URLs that have to be requested again completely, which may include a token in a query.
      if path.hasPrefix("download_queue") { text = text.replacing("?token=canary", with: "") }
      output += "\(path): \(text)\n"
    }
    let lines = output.split(separator: "\n").filter { $0.contains("canary") }
    #expect(lines.isEmpty, "\(lines.joined(separator: "\n").prefix(2000))", sourceLocation: sourceLocation)
  }

  @Test("when all goes well")
  func success() throws {
    server.serveAudio("d")
    server.serve("/feed.xml", Resource(text: "<rss version=\"2.0\"><channel><title>F</title></channel></rss>"))
    try declare()
    try expectSilence()
    #expect(try home.ownedPaths().count == 3)
    // The user of a URL is sent, though it is stored nowhere.
    #expect(server.requests(to: "/b.mp3").first?.authorization == "Basic YW5uYTpjYW5hcnktbG9naW4=")
  }

  @Test(
    "when everything fails",
    arguments: [
      .status(401, ["WWW-Authenticate": "Basic realm=x"]), .status(503), .breakOff(after: 10, .reset), .emptyReply,
      .redirect(to: "ftp://u:canary-target@h/x?canary"), .redirect(to: "http://u:canary-target@[bad/"),
      .redirect(to: "https://u:canary-target@127.0.0.1:1/x?canary"), .headersCutOff,
    ] as [Behaviour])
  func failure(behaviour: Behaviour) throws {
    for path in ["/a.mp3", "/b.mp3", "/c.mp3", "/d.mp3", "/feed.xml"] { server.script(path, [behaviour]) }
    try declare()
    try expectSilence()
  }

  @Test(
    "when there is no way through the proxy",
    arguments: [
      "http://u:canary-proxy@127.0.0.1:1", "socks5h://u:canary-proxy@127.0.0.1:1",
      "http://u:canary-proxy@nowhere.invalid:1",
    ])
  func proxy(url: String) throws {
    try declare(proxy: url)
    try expectSilence()
    try declare(proxy: "env")
    try expectSilence(["http_proxy": url])
  }

  @Test(
    "when the environment's proxy is none, which stops the run",
    arguments: ["foo://u:canary-proxy@h:1", "http://u:canary-proxy@[bad", "u:canary-proxy@h:port"])
  func noProxy(text: String) throws {
    try declare(proxy: "env")
    var command = home.command("run")
    command.environment["http_proxy"] = text
    let result = try command.run()
    #expect(result.ending == .exited(1))
    #expect(result.standardError.contains("http_proxy in the environment names no proxy; write SCHEME://"))
    #expect(!result.standardError.contains("canary"))
  }

  @Test("in the process list, while it waits", .timeLimit(.minutes(1)))
  func processes() throws {
    let gate = try Gate()
    server.script("/a.mp3", [.holdBack(gate)])
    try declare()
    let running = try home.command("run").start()
    defer { gate.open() }
    #expect(eventually { server.requests(to: "/a.mp3").count == 1 })
    for file in ["cmdline", "environ"] {
      let text = String(decoding: try FileBytes.read("/proc/\(running.pid)/\(file)"), as: UTF8.self)
      #expect(!text.contains("canary"))
    }
    running.signal(9)
    _ = running.wait(timeout: 10)
  }
}
