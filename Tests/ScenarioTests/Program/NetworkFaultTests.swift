// SPDX-License-Identifier: Apache-2.0

import SyncTestSupport
import Testing

@Suite("a network and servers that fail")
struct NetworkFaultTests {
  private let home: LibraryFixture
  private let server: FaultServer
  /// About 960 kB.
  private let audio = GeneratedAudio(title: "A", seconds: 60, seed: 1).bytes

  init() throws {
    home = try LibraryFixture()
    server = try FaultServer()
    server.serve("/a.mp3", Resource(bytes: audio, etag: "\"1\""))
    server.serveAudio("b", seconds: 2)
  }

  private func declare(_ downloads: String = "retries: 0", items: [String] = ["a"]) throws {
    let list = items.map { "{ id: \($0), url: \"\(server.url("/\($0).mp3"))\" }" }.joined(separator: ", ")
    try home.declare(
      """
      downloads: { \(downloads), backoff: { initial: 1ms, max: 1ms } }
      playlists: { all: { items: [\(list)] } }
      """)
  }

  private func expect(
    _ status: Int32, _ kind: String?, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let (result, report) = try home.run()
    #expect(result.ending == .exited(status), "\(result.standardError)", sourceLocation: sourceLocation)
    #expect(report[path: "items[id=a].error.kind"]?.description == kind, sourceLocation: sourceLocation)
  }

  private func expectWhole(sourceLocation: SourceLocation = #_sourceLocation) throws {
    let isWhole = try FileBytes.read("\(home.library)/all/a.mp3") == audio
    #expect(isWhole, sourceLocation: sourceLocation)
    #expect(try home.strays() == [], sourceLocation: sourceLocation)
  }

  @Test(
    "no answer that contradicts itself becomes a file, and none that is too short or empty",
    arguments: [
      (.emptyReply, 5, "network"), (.headersCutOff, 5, "network"),
      (.status(200, ["Content-Length": "0"]), 5, "network"),
      (.contentLength("999999999"), 5, "network"), (.contentLength("1000"), 3, "network"),
      (.contentLength("10, 20"), 3, "network"), (.contentLength("-1"), 3, "network"),
      (.chunked(complete: false), 5, "network"), (.breakOff(after: 400_000, .reset), 5, "network"),
      (.status(204), 3, "network"), (.contentEncoding("gzip"), 3, "network"),
      (.raw("SSH-2.0-OpenSSH_9.2\r\n"), 3, "network"),
      (.status(401), 3, "http"), (.status(451), 3, "http"), (.status(507), 5, "http"), (.htmlPage, 3, "not_media"),
    ] as [(Behaviour, Int32, String)])
  func answers(behaviour: Behaviour, status: Int32, kind: String) throws {
    server.script("/a.mp3", [behaviour, .honest])
    try declare()
    try expect(status, kind)
    #expect(try FileTree.files(home.library).filter { $0.hasSuffix(".mp3") } == [])
    if status == 3 { try home.retryAll() }
    try expect(0, nil)
    try expectWhole()
  }

  @Test("a body without end is cut at the limit", arguments: [false, true])
  func endless(chunked: Bool) throws {
    server.script("/a.mp3", [.endless(chunked: chunked)])
    try home.declare(
      """
      downloads: { retries: 0, max_item_size: 2MiB }
      checks: { sniff: false }
      playlists: { all: { items: [{ id: a, url: "\(server.url("/a.mp3"))" }] } }
      """)
    try expect(3, "too_large")
    #expect(try home.strays() == [])
  }

  @Test("a stall is a timeout; the others arrive meanwhile, and the next run goes on where it stood")
  func stall() throws {
    server.script("/a.mp3", [.stall(after: 300_000), .honest])
    try declare("retries: 0, timeouts: { stall: 1s }", items: ["a", "b"])
    try expect(5, "timeout")
    #expect(try home.ownedPaths() == ["all/b.mp3"])
    try expect(0, nil)
    try expectWhole()
    let last = try #require(server.requests(to: "/a.mp3").last)
    // The last 64 KiB come again, to be compared.
    #expect([last.range, last.ifRange] == ["bytes=\(300_000 - 65_536)-", "\"1\""])
  }

  @Test(
    "a range that is answered otherwise than asked never makes a mix",
    arguments: [
      .partialFromZero, .partialUnlabelled, .multipart, .rangesIgnored, .contentRange(total: "*"),
      .contentRange(total: "999999"), .contentRange(start: 5), .unsatisfiable(total: 7),
      .honest.with { $0.headers = [HTTPHeader("Content-Encoding", "gzip")] },
    ] as [Behaviour])
  func ranges(behaviour: Behaviour) throws {
    server.script("/a.mp3", [.breakOff(after: 300_000), behaviour, .honest])
    try declare()
    try expect(5, "network")
    _ = try home.run()
    try home.retryAll()
    try expect(0, nil)
    try expectWhole()
  }

  @Test(
    "a server's wish to be left alone is bounded and sane, whatever it says",
    arguments: [
      ("999999999999999999999", true), ("-5", false), ("Mon, 05 Jan 1970 08:00:00 GMT", false), ("soon", false),
    ])
  func retryAfter(value: String, isDeferred: Bool) throws {
    server.script("/a.mp3", [.status(503, ["Retry-After": value])])
    try declare("retries: 1")
    let (result, _) = try home.run()
    #expect(result.ending == .exited(5), "\(result.standardError)")
    #expect(server.requests.count == (isDeferred ? 1 : 2))
    let next = try JSONValue(home.queueFile())[path: "items[id=a].next_attempt_at"]?.description
    #expect(next != nil || !isDeferred)
    #expect(next.map { $0 < "2100" } ?? true, "\(next ?? "")")
  }

  @Test("a feed's server has its pause, too; a longer one is left to the next run")
  func feedRetryAfter() throws {
    let feed = Resource(
      text: """
        <rss version="2.0"><channel><title>F</title><item><title>E</title><guid>1</guid>
        <enclosure url="\(server.url("/b.mp3"))" type="audio/mpeg"/></item></channel></rss>
        """)
    server.serve("/feed.xml", feed)
    try home.declare(
      """
      downloads: { network: { allow_private: true }, backoff: { initial: 1ms, max: 1ms } }
      playlists: { all: { feed: "\(server.url("/feed.xml"))" } }
      """)
    server.script("/feed.xml", [.status(429, ["Retry-After": "1"]), .status(503, ["Retry-After": "86400"])])
    let (result, _) = try home.run()
    #expect(result.ending == .exited(5), "\(result.standardError)")
    let asked = server.requests(to: "/feed.xml").map(\.startedAt)
    try #require(asked.count == 2)
    #expect(asked[1] - asked[0] >= 1)
  }

  @Test("a failure leaves what is on the disk alone")
  func present() throws {
    try declare()
    try expect(0, nil)
    server.script("/a.mp3", [.status(404)])
    try expect(0, nil)
    try expectWhole()
    #expect(server.requests.count == 1)
  }

  @Test("a redirect takes the manifest's header fields along only to the origins that it names")
  func fields() throws {
    let other = try FaultServer(address: "127.0.0.2")
    other.serve("/a.mp3", Resource(bytes: audio))
    server.script("/a.mp3", [.redirect(to: other.url("/a.mp3"))])
    try declare("headers: { X-Key: abc, Authorization: Bearer abc, Cookie: a=b }, network: { allow_private: true }")
    try expect(0, nil)
    for name in ["X-Key", "Authorization", "Cookie"] {
      #expect(server.requests.map { $0.headers[name] != nil } == [true])
      #expect(other.requests.map { $0.headers[name] } == [nil])
    }
  }
}
