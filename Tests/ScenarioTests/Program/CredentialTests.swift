// SPDX-License-Identifier: Apache-2.0

import SyncTestSupport
import Testing

@Suite("credentials")
struct CredentialTests {
  let home: LibraryFixture
  /// The origin of the manifest's URLs, and a second one to which they are redirected.
  let origin: FaultServer
  let other: FaultServer

  /// `anna:hush`.
  private let basic = "Basic YW5uYTpodXNo"

  init() throws {
    home = try LibraryFixture()
    origin = try FaultServer()
    other = try FaultServer(address: "127.0.0.2")
    for name in ["a", "b", "c", "d"] {
      let audio = Resource(bytes: GeneratedAudio(title: name, seconds: 1, seed: 1).bytes)
      origin.serve("/\(name).mp3", audio)
      other.serve("/\(name).mp3", audio)
    }
  }

  private func declare(_ auth: String, items: [String] = ["a"]) throws {
    let list = items.map { "{ id: \($0), url: \"\(origin.url("/\($0).mp3"))\" }" }.joined(separator: ", ")
    try home.declare(
      """
      downloads: { retries: 0, network: { allow_private: true } }
      playlists: { all: { auth: \(auth), items: [\(list)] } }
      """)
  }

  private func run(_ environment: [String: String] = [:], _ name: String = "run") throws -> CommandResult {
    var command = home.command(name, "--json")
    command.environment.merge(environment) { $1 }
    return try command.run()
  }

  @Test("they go to the origin that the manifest wrote, along redirects inside it, and nowhere else")
  func redirects() throws {
    origin.script("/b.mp3", [.redirect(to: "/d.mp3")])
    origin.script("/c.mp3", [.redirect(to: other.url("/back.mp3"))])
    other.script("/back.mp3", [.redirect(to: origin.url("/there.mp3"))])
    origin.serve("/there.mp3", Resource(bytes: GeneratedAudio(title: "t", seconds: 1, seed: 1).bytes))
    try declare("{ user: anna, password: hush }", items: ["a", "b", "c"])
    let result = try run()
    #expect(result.ending == .exited(0), "\(result.standardError)")
    for path in ["/a.mp3", "/b.mp3", "/d.mp3", "/c.mp3"] {
      #expect(origin.requests(to: path).map(\.authorization) == [basic], "\(path)")
    }
    #expect(other.requests.map(\.authorization) == [nil])
    #expect(origin.requests(to: "/there.mp3").map(\.authorization) == [nil])
  }

  @Test("a scope is the whole list of those that have them", arguments: ["127.0.0.2", "127.0.0.1, 127.0.0.2"])
  func scope(hosts: String) throws {
    origin.script("/a.mp3", [.redirect(to: other.url("/a.mp3"))])
    try declare("{ user: anna, password: hush, scope: [\(hosts)] }")
    #expect(try run().ending == .exited(0))
    #expect(origin.requests.map(\.authorization) == [hosts.contains("127.0.0.1") ? basic : nil])
    #expect(other.requests.map(\.authorization) == [basic])
  }

  @Test("an alternative on another origin gets neither them nor the manifest's headers, nor does what it redirects to")
  func alternative() throws {
    origin.script("/a.mp3", [.status(404)])
    other.script("/alt.mp3", [.redirect(to: other.url("/b.mp3"))])
    try home.declare(
      """
      downloads: { retries: 0, headers: { X-Key: k1 }, network: { allow_private: true } }
      playlists:
        all:
          auth: { user: anna, password: hush }
          items: [{ id: a, url: "\(origin.url("/a.mp3"))", alternatives: [{ url: "\(other.url("/alt.mp3"))" }] }]
      """)
    #expect(try run().ending == .exited(0))
    #expect(origin.requests.map(\.authorization) == [basic] && origin.requests.map { $0.headers["X-Key"] } == ["k1"])
    #expect(other.requests.map(\.path) == ["/alt.mp3", "/b.mp3"])
    #expect(other.requests.allSatisfy { $0.authorization == nil && $0.headers["X-Key"] == nil })
  }

  @Test(
    "the manifest's headers go to a feed and to episodes beside it, and not again once a redirect has led elsewhere")
  func headers() throws {
    let urls = [origin.url("/a.mp3"), origin.url("/c.mp3"), other.url("/b.mp3")]
    let episodes = urls.enumerated().map { number, url in
      "<item><title>E\(number)</title><guid>\(number)</guid><enclosure url=\"\(url)\" type=\"audio/mpeg\"/></item>"
    }
    origin.serve(
      "/feed.xml", Resource(text: "<rss version=\"2.0\"><channel><title>F</title>\(episodes.joined())</channel></rss>"))
    origin.script("/c.mp3", [.redirect(to: other.url("/back.mp3"))])
    other.script("/back.mp3", [.redirect(to: origin.url("/d.mp3"))])
    try home.declare(
      """
      downloads: { headers: { X-Key: k1 }, network: { allow_private: true } }
      playlists: { mine: { feed: "\(origin.url("/feed.xml"))" } }
      """)
    #expect(try run().ending == .exited(0))
    func keys(_ server: FaultServer, _ path: String) -> [String?] {
      server.requests(to: path).map { $0.headers["X-Key"] }
    }
    #expect(keys(origin, "/feed.xml") == ["k1"] && keys(origin, "/a.mp3") == ["k1"] && keys(origin, "/c.mp3") == ["k1"])
    #expect(keys(other, "/b.mp3") == [nil] && keys(other, "/back.mp3") == [nil] && keys(origin, "/d.mp3") == [nil])
  }

  @Test("a feed is asked with them, its episodes only where they lie beside it")
  func feed() throws {
    let episodes = [origin.url("/a.mp3"), other.url("/b.mp3")].enumerated().map { number, url in
      "<item><title>E\(number)</title><guid>\(number)</guid><enclosure url=\"\(url)\" type=\"audio/mpeg\"/></item>"
    }
    origin.serve(
      "/feed.xml", Resource(text: "<rss version=\"2.0\"><channel><title>F</title>\(episodes.joined())</channel></rss>"))
    try home.declare(
      """
      downloads: { network: { allow_private: true } }
      defaults: { auth: { bearer: t0p-t0ken } }
      playlists:
        mine: { feed: "\(origin.url("/feed.xml"))" }
        others: { auth: {}, items: [{ id: c, url: "\(origin.url("/c.mp3"))" }] }
      """)
    #expect(try run().ending == .exited(0))
    #expect(origin.requests(to: "/feed.xml").map(\.authorization) == ["Bearer t0p-t0ken"])
    #expect(origin.requests(to: "/a.mp3").map(\.authorization) == ["Bearer t0p-t0ken"])
    #expect(other.requests(to: "/b.mp3").map(\.authorization) == [nil])
    #expect(origin.requests(to: "/c.mp3").map(\.authorization) == [nil])
  }

  @Test(
    "they are found where the manifest says",
    arguments: [
      ("{ user: anna, password_file: secret }", "hush\n"), ("{ user: anna, password_file: secret }", "hush\r\n"),
      ("{ user: anna, password_command: [/bin/cat, secret] }", "hush\n"),
      ("{ user: anna, password: \"${SECRET}\" }", ""),
      ("{ netrc: secret }", "machine 127.0.0.1 login anna password hush"),
      ("{ header_file: secret }", "Authorization: Basic YW5uYTpodXNo\n"),
    ])
  func places(auth: String, file: String) throws {
    try FileBytes.write(file, to: home.folder.file("secret"))
    try declare(auth.replacing("/bin/cat, secret", with: "/bin/cat, \(home.folder.file("secret"))"))
    let result = try run(["SECRET": "hush"])
    #expect(result.ending == .exited(0), "\(result.standardError)")
    #expect(origin.requests.map(\.authorization) == [basic])
  }

  @Test("cookies of a file go to their host")
  func cookies() throws {
    let file = "127.0.0.1\tFALSE\t/\tFALSE\t0\tsession\thush\n127.0.0.2\tFALSE\t/\tFALSE\t0\tother\thush\n"
    try FileBytes.write(file, to: home.folder.file("cookies.txt"))
    origin.script("/a.mp3", [.redirect(to: other.url("/a.mp3"))])
    try declare("{ cookies_file: cookies.txt }")
    #expect(try run().ending == .exited(0))
    #expect(origin.requests.map(\.cookie) == ["session=hush"])
    #expect(other.requests.map(\.cookie) == [nil])
  }

  @Test("a relative file is taken from the service manager's credentials if it is there")
  func credentialsDirectory() throws {
    try FileBytes.write("wrong", to: home.folder.file("secret"))
    try FileBytes.write("hush", to: home.folder.file("credentials/secret"))
    try declare("{ user: anna, password_file: secret }")
    #expect(try run(["CREDENTIALS_DIRECTORY": home.folder.file("credentials")]).ending == .exited(0))
    #expect(origin.requests.map(\.authorization) == [basic])
  }

  @Test("no output and no file of the state shows them, whether all goes well or not")
  func traces() throws {
    origin.script("/b.mp3", [.status(401)])
    try declare("{ user: anna, password: hush }", items: ["a", "b"])
    let results = try [
      run([:], "plan"), run(), run([:], "list"), run([:], "status"), home.command("validate", "--effective").run(),
    ]
    #expect(results[1].ending == .exited(3))
    let traces = try results.map { try home.traces($0) }.joined()
    #expect(traces.contains("\"status\":401"))
    for secret in ["hush", "YW5uYTpodXNo"] { #expect(!traces.contains(secret)) }
  }

  @Test("a secret that everybody may read is warned of")
  func publicFile() throws {
    try FileBytes.write("hush", to: home.folder.file("secret"))
    try declare("{ user: anna, password_file: secret }")
    for (mode, isWarned) in [("644", true), ("600", false)] {
      _ = try Command("/bin/chmod", [mode, home.folder.file("secret")]).run()
      let result = try run([:], "plan")
      #expect(result.ending == .exited(0))
      let report = try home.command("run", "--json").run()
      #expect(report.standardOutput.contains("holds a secret that every user") == isWarned, "\(mode)")
    }
  }

  @Test(
    "a secret that cannot be had stops the run before anything is asked for",
    arguments: [
      ("{ user: anna, password_file: missing }", "auth.password_file: cannot read"),
      ("{ user: anna, password_file: empty }", "is empty"),
      ("{ user: anna, password_file: two }", "has more than one line"),
      ("{ bearer_command: [/bin/false] }", "auth.bearer_command: \"/bin/false\" ended with status 1"),
      ("{ bearer_command: [no-such-program-here] }", "cannot start \"no-such-program-here\""),
      ("{ bearer_command: [/bin/echo, \"two words\"] }", "has characters that no header field can carry"),
      ("{ netrc: two }", "line 1 of"), ("{ cookies_file: two }", "line 1 of"), ("{ header_file: two }", "line 1 of"),
    ])
  func unavailable(auth: String, sentence: String) throws {
    try FileBytes.write("", to: home.folder.file("empty"))
    try FileBytes.write("hush\nhush\n", to: home.folder.file("two"))
    try declare(auth)
    let result = try run()
    #expect(result.ending == .exited(1))
    #expect(result.standardError.contains(sentence), "\(result.standardError)")
    #expect(!result.standardError.contains("hush"))
    #expect(origin.requests.isEmpty)
    #expect(try home.command("list").run().ending == .exited(0))
  }
}
