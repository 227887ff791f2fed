// SPDX-License-Identifier: Apache-2.0

import Glibc
import SyncTestSupport
import Testing

/// `127.0.0.1` and `localhost` are two hosts of one server, whose log has the requests of both in order.
@Suite("hosts that want to be left alone")
struct HostTests {
  private let home: LibraryFixture
  private let server: FaultServer
  private static let patient = "downloads: { concurrency: 2, per_host: 1, retries: 0 }"

  init() throws {
    home = try LibraryFixture()
    server = try FaultServer()
  }

  private func serve(_ paths: String...) {
    for path in paths { server.serve(path, Resource(bytes: GeneratedAudio(title: path, seconds: 1, seed: 1).bytes)) }
  }

  private func items(_ ids: [(String, String)]) -> String {
    ids.map { "{ id: \($0), title: \($0), url: \"\($1)\" }" }.joined(separator: ", ")
  }

  @Test("a pause that one item is asked for is kept by all at that host; other hosts go on meanwhile")
  func retryAfter() throws {
    serve("/a.mp3", "/b.mp3")
    server.script("/a.mp3", [.status(429, ["Retry-After": "3"]), .honest])
    let mine = (0..<3).map { ("a\($0)", server.url("/a.mp3?\($0)")) }
    let others = (0..<3).map { ("b\($0)", server.url("/b.mp3?\($0)", host: "localhost")) }
    try home.declare(
      """
      downloads: { concurrency: 2, per_host: 1, retries: 1, backoff: { initial: 1ms } }
      playlists: { all: { items: [\(items(mine)), \(items(others))] } }
      """)
    let (result, report) = try home.run()
    #expect(result.ending == .exited(0), "\(result.standardError)")
    #expect(report[path: "totals.downloaded"] == .number(6))
    let asked = server.requests(to: "/a.mp3")
    #expect(asked.map(\.status) == [429, 200, 200, 200])
    #expect(asked[1].startedAt - asked[0].startedAt >= 3)
    let lastOther = try #require(server.requests(to: "/b.mp3").last)
    #expect(lastOther.ordinal < asked[1].ordinal, "the other host was not held up")
  }

  @Test("feeds keep the pause, too")
  func feeds() throws {
    server.serve("/f.xml", Resource(text: "<rss version=\"2.0\"><channel><title>F</title></channel></rss>"))
    server.script("/f.xml", [.status(503, ["Retry-After": "1"]), .honest])
    try home.declare(
      """
      downloads: { per_host: 1, retries: 1, backoff: { initial: 1ms } }
      playlists: { one: { feed: "\(server.url("/f.xml?1"))" }, two: { feed: "\(server.url("/f.xml?2"))" } }
      """)
    let (result, _) = try home.run()
    #expect(result.ending == .exited(0), "\(result.standardError)")
    let asked = server.requests
    #expect(asked.map(\.status) == [503, 200, 200])
    #expect(asked[1].startedAt - asked[0].startedAt >= 1)
  }

  @Test("a longer pause than a run makes defers every item of the host, with one request; a feed may have been told")
  func longPause() throws {
    serve("/a.mp3", "/b.mp3")
    server.script("/a.mp3", [.status(429, ["Retry-After": "99999"])])
    let mine = (0..<5).map { ("a\($0)", server.url("/a.mp3?\($0)")) }
    let other = [("b", server.url("/b.mp3", host: "localhost"))]
    try home.declare("\(Self.patient)\nplaylists: { all: { items: [\(items(mine)), \(items(other))] } }")
    let (result, report) = try home.run()
    #expect(result.ending == .exited(5), "\(result.standardError)")
    #expect(server.requests(to: "/a.mp3").count == 1)
    #expect(report[path: "totals.deferred"] == .number(5))
    #expect(report[path: "totals.downloaded"] == .number(1))
    // Now by the feed of the same host.
    server.script("/f.xml", [.status(429, ["Retry-After": "99999"])])
    server.clearLog()
    let fresh = [("c", server.url("/c.mp3"))]
    try home.declare(
      "\(Self.patient)\nplaylists: { pod: { feed: \"\(server.url("/f.xml"))\" }, all: { items: [\(items(fresh))] } }")
    #expect(try home.run().result.ending == .exited(5))
    #expect(server.requests.map(\.path) == ["/f.xml"])
  }

  @Test("a signal ends a pause that feeds or media wait for", arguments: ["feed", "media"])
  func interrupted(kind: String) throws {
    server.script("/x", [.status(429, ["Retry-After": "300"])])
    let all =
      kind == "feed"
      ? "one: { feed: \"\(server.url("/x?1"))\" }, two: { feed: \"\(server.url("/x?2"))\" }"
      : "all: { items: [\(items([("a", server.url("/x?1")), ("b", server.url("/x?2"))]))] }"
    try home.declare("downloads: { per_host: 1, backoff: { initial: 1ms } }\nplaylists: { \(all) }")
    let run = try home.command("run", "--json").start()
    #expect(try eventually { try server.requests.count == 1 && server.waitUntilIdle() })
    run.signal(SIGTERM)
    #expect(run.wait(timeout: 10).ending == .exited(143))
    #expect(server.requests.count == 1)
  }

  @Test("two files that always fail do not keep the others of their host from being fetched")
  func twoBadFiles() throws {
    let names = ["a", "b"] + (0..<12).map { "c\(format($0))" }
    for name in names { serve("/\(name).mp3") }
    server.script("/a.mp3", [.resetAtOnce])
    server.script("/b.mp3", [.status(503)])
    try home.declare(
      """
      downloads: { concurrency: 1, per_host: 1, retries: 3, backoff: { initial: 1ms, max: 1ms } }
      playlists:
        all:
          items:
            \(names.map { "- { id: \($0), title: \($0), url: \"\(server.url("/\($0).mp3"))\" }" }.joined(separator: "\n      "))
      """)
    let (result, report) = try home.run()
    #expect(result.ending == .exited(5), "\(result.standardError)")
    #expect(report[path: "totals.downloaded"] == .number(12), "\(result.standardOutput.suffix(2000))")
    #expect(report[path: "totals.failed"] == .number(2))
  }

  @Test(
    "a host that keeps failing is left alone once its probes have failed; elsewhere its items are still fetched",
    arguments: [0, 429, 500, 503])
  func breaker(status: Int) throws {
    serve("/good.mp3", "/a.mp3")
    server.script("/a.mp3", [status == 0 ? .emptyReply : .status(status)])
    let mine = (0..<30).map { (format($0), server.url("/a.mp3?\($0)")) }
    let elsewhere = server.url("/good.mp3", host: "localhost")
    try home.declare(
      """
      downloads: { concurrency: 2, per_host: 1, retries: 0, backoff: { initial: 1ms } }
      playlists:
        all:
          items:
            \(mine.map { "- { id: \($0), title: \($0), url: \"\($1)\" }" }.joined(separator: "\n      "))
            - { id: lucky, title: L, url: "\(server.url("/a.mp3?x"))", alternatives: [{ url: "\(elsewhere)" }] }
      """)
    let (result, report) = try home.run()
    #expect(result.ending == .exited(5), "\(result.standardError)")
    // Three probes after the failure that opens the circuit; a server that answers needs four errors for that.
    let requests = status == 500 ? 7 : 4
    #expect(server.requests(to: "/a.mp3").count == requests)
    #expect(report[path: "totals.failed"] == .number(Double(requests)))
    #expect(report[path: "totals.deferred"] == .number(Double(30 - requests)))
    #expect(report[path: "totals.downloaded"] == .number(1))
    #expect(result.standardOutput.contains("failed \(requests) times in a row"))
    let known = try home.list()
    #expect(known["i29"]?[path: "state"] == .string("queued"))
    #expect(known["i29"]?[path: "attempts"] == nil, "nothing was tried, so nothing counts")
    // Once it works again, the other items go first, so that a few bad files never keep a host from the good ones.
    server.script("/a.mp3", [.honest])
    server.clearLog()
    #expect(try home.run().result.ending == .exited(0))
    let others = (requests..<30).map { "/a.mp3?\($0)" }
    #expect(server.requests(to: "/a.mp3").map(\.target).prefix(others.count) == others[...])
  }

  @Test("a 429 without Retry-After brings no storm of requests, with all retries and forty items")
  func tooMany() throws {
    server.script("/a.mp3", [.status(429)])
    let mine = (0..<40).map { ("a\($0)", server.url("/a.mp3?\($0)")) }
    try home.declare("downloads: { backoff: { initial: 20ms } }\nplaylists: { all: { items: [\(items(mine))] } }")
    let (result, report) = try home.run()
    #expect(result.ending == .exited(5), "\(result.standardError)")
    #expect(server.requests(to: "/a.mp3").count <= 8)
    #expect(report[path: "totals.downloaded"] == .number(0))
  }

  private func format(_ number: Int) -> String { number < 10 ? "i0\(number)" : "i\(number)" }
}
