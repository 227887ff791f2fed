// SPDX-License-Identifier: Apache-2.0

import Glibc
import SyncTestSupport
import Testing

@Suite("one file by several requests", .serialized)
struct SegmentTests {
  private static let size = 24 << 20
  private let home: LibraryFixture
  private let server: FaultServer
  private let body = GeneratedAudio(title: "Long", seconds: 1, seed: 7).body(count: Self.size)

  init() throws {
    home = try LibraryFixture()
    server = try FaultServer()
  }

  private func declare(_ downloads: String = "segments: 4, concurrency: 4, per_host: 4") throws {
    try home.declare(
      """
      downloads: { \(downloads), backoff: { initial: 10ms } }
      playlists: { all: { items: [{ id: long, title: Long, url: "\(server.url("/long.mp3"))" }] } }
      """)
  }

  private func serve(etag: String? = "\"1\"", _ behaviours: Behaviour..., body: Body? = nil) {
    server.serve("/long.mp3", Resource(body: body ?? self.body, etag: etag))
    server.script("/long.mp3", behaviours)
  }

  private func expectWhole(_ body: Body? = nil) throws {
    let wanted = body ?? self.body
    let isSame = try FileBytes.read("\(home.library)/all/Long.mp3") == wanted.bytes(in: 0..<wanted.count)
    #expect(isSame)
    #expect(try home.strays().isEmpty)
  }

  private var sent: Int { server.requests.reduce(0) { $0 + $1.bytesSent } }

  @Test("a large file comes in four parts at once, each byte once")
  func parallel() throws {
    serve(.throttle(bytesPerSecond: 6 << 20))
    try declare()
    let (result, report) = try home.run()
    #expect(result.ending == .exited(0), "\(result.standardError)")
    try expectWhole()
    #expect(try server.waitUntilIdle())
    #expect(server.maxConcurrentRequests(to: "/long.mp3") == 4)
    #expect(server.requests.first?.range == nil)
    #expect(server.requests.dropFirst().allSatisfy { $0.status == 206 && $0.ifRange == "\"1\"" })
    // Bytes that were under way when a part was shortened are read and dropped.
    #expect(sent < Self.size + (8 << 20), "\(sent - Self.size) bytes too many")
    #expect(report[path: "totals.bytes_downloaded"] == .number(Double(Self.size)))
  }

  @Test("nothing is asked for twice of servers that do not say that they know ranges, or have no strong validator")
  func single() throws {
    for (etag, behaviour) in [
      ("W/\"1\"", Behaviour.honest), (nil, .honest), ("\"1\"", Behaviour.honest.with { $0.ranges = .ignored }),
    ] {
      let home = try LibraryFixture()
      serve(etag: etag, behaviour)
      server.clearLog()
      try home.declare(
        """
        downloads: { segments: 4, concurrency: 4, per_host: 4 }
        playlists: { all: { items: [{ id: long, title: Long, url: "\(server.url("/long.mp3"))" }] } }
        """)
      #expect(try home.run().result.ending == .exited(0))
      #expect(server.requests.map(\.line) == ["GET /long.mp3 200"])
    }
  }

  /// Responses to the further requests by a server that does not support ranges as it claims, or not for every request.
  private var lies: [Behaviour] {
    let slow = Behaviour.throttle(bytesPerSecond: 40 << 20)
    return [
      slow.with { $0.ranges = .fromZero }, slow.with { $0.ranges = .multipart }, slow.with { $0.ranges = .unlabelled },
      slow.with { $0.ranges = .lying(start: nil, total: "99") }, .status(503), .status(416), .status(403),
      .status(429, ["Retry-After": "86400"]), slow.with { $0.ranges = .ignored },
      .redirect(to: "http://192.168.7.7/x.mp3"), .resetAtOnce, .emptyReply,
      slow.with { $0.headers = [HTTPHeader("ETag", "\"2\"")] },
      slow.with { $0.headers = [HTTPHeader("ETag", "W/\"1\"")] },
    ]
  }

  @Test("a server that gives parts otherwise than asked is asked for no more; the first request brings the file")
  func lying() throws {
    for (number, lie) in lies.enumerated() {
      let home = try LibraryFixture()
      serve(.throttle(bytesPerSecond: 40 << 20), lie)
      server.clearLog()
      try home.declare(
        """
        downloads: { segments: 2, retries: 0, backoff: { initial: 10ms } }
        playlists: { all: { items: [{ id: long, title: Long, url: "\(server.url("/long.mp3"))" }] } }
        """)
      let (result, report) = try home.run()
      #expect(result.ending == .exited(0), "lie \(number): \(result.standardError)")
      let isSame = try FileBytes.read("\(home.library)/all/Long.mp3") == body.bytes(in: 0..<body.count)
      #expect(isSame, "lie \(number)")
      #expect(report[path: "totals.bytes_downloaded"] == .number(Double(Self.size)), "lie \(number)")
      #expect(server.requests.count { $0.range == nil } == 1, "lie \(number): \(server.requests.map(\.line))")
    }
  }

  @Test(
    "what a part left out when the first request was over is asked for, as a range and then in one piece",
    arguments: [false, true])
  func leftOut(isRefused: Bool) throws {
    let slow = Behaviour.throttle(bytesPerSecond: 12 << 20)
    serve(
      slow, slow.with { $0.interruption = (1 << 20, .breakOff(.reset)) }, isRefused ? .status(403) : .honest, .honest)
    try declare("segments: 2, retries: 0")
    let (result, report) = try home.run()
    #expect(result.ending == .exited(0), "\(result.standardError)")
    try expectWhole()
    #expect(report[path: "totals.failed"] == .number(0))
    #expect(server.requests.count == (isRefused ? 4 : 3), "\(server.requests.map(\.line))")
  }

  @Test("a part that breaks off is taken up by another request")
  func broken() throws {
    let slow = Behaviour.throttle(bytesPerSecond: 6 << 20)
    serve(
      slow, slow.with { $0.interruption = (3 << 20, .breakOff(.reset)) },
      slow.with { $0.interruption = (1 << 20, .breakOff(.close)) }, slow)
    try declare()
    let (result, _) = try home.run()
    #expect(result.ending == .exited(0), "\(result.standardError)")
    try expectWhole()
    #expect(sent < Self.size + (12 << 20))
  }

  @Test("when the first request breaks off, what the others brought is not fetched again")
  func firstBroken() throws {
    let slow = Behaviour.throttle(bytesPerSecond: 6 << 20)
    serve(slow.with { $0.interruption = (5 << 20, .breakOff(.reset)) }, slow)
    try declare()
    let (result, report) = try home.run()
    #expect(result.ending == .exited(0), "\(result.standardError)")
    try expectWhole()
    #expect(report[path: "totals.retries"] == .number(1))
    #expect(sent < Self.size + (12 << 20), "\(sent - Self.size) bytes too many")
  }

  @Test("a run that is killed leaves its parts to the next one")
  func killed() throws {
    serve(.throttle(bytesPerSecond: 3 << 19))
    try declare()
    #expect(try home.command("run").run(timeout: 2.8).ending == .timedOut)
    #expect(try server.waitUntilIdle())
    let before = sent
    let item = try #require(try home.list()["long"])
    #expect(item[path: "state"] == .string("downloading"))
    serve(.honest)
    let (result, report) = try home.run()
    #expect(result.ending == .exited(0), "\(result.standardError)")
    try expectWhole()
    #expect(before > 8 << 20)
    guard case .number(let resumed)? = report[path: "totals.bytes_resumed"] else {
      Issue.record("nothing was resumed")
      return
    }
    // At most one second of four connections is lost.
    #expect(Int(resumed) > before - (9 << 20), "\(before) came, \(resumed) were used")
  }

  @Test("parts of a file that changed between two runs are not mixed")
  func changed() throws {
    serve(.throttle(bytesPerSecond: 3 << 19))
    try declare()
    #expect(try home.command("run").run(timeout: 2.8).ending == .timedOut)
    let other = GeneratedAudio(title: "Other", seconds: 1, seed: 8).body(count: Self.size)
    serve(etag: "\"2\"", .honest, body: other)
    #expect(try home.run().result.ending == .exited(0))
    try expectWhole(other)
  }

  @Test("parts of a file that changed under an entity tag that did not are not mixed, for their overlap differs")
  func lyingTag() throws {
    serve(.throttle(bytesPerSecond: 3 << 19))
    try declare()
    #expect(try home.command("run").run(timeout: 2.8).ending == .timedOut)
    let other = GeneratedAudio(title: "Other", seconds: 1, seed: 8).body(count: Self.size)
    serve(.honest, body: other)
    #expect(try home.run().result.ending == .exited(0))
    try expectWhole(other)
  }

  @Test("a run that is stopped politely keeps every part, and counts the same bytes as the next one resumes")
  func stopped() throws {
    serve(.throttle(bytesPerSecond: 3 << 19))
    try declare()
    let running = try home.command("run", "--json").start()
    let journal = "\(home.state)/download_queue.journal"
    #expect(
      try eventually {
        try access(journal, F_OK) == 0
          && String(decoding: FileBytes.read(journal), as: UTF8.self).contains("\"extents\":[[")
      })
    running.signal(SIGTERM)
    let stopped = running.wait()
    #expect(stopped.ending == .exited(143))
    let kept = try JSONValue(stopped.stdout)[path: "items.0.bytes"]
    serve(.honest)
    let (result, report) = try home.run()
    #expect(result.ending == .exited(0), "\(result.standardError)")
    try expectWhole()
    guard case .number(let resumed)? = report[path: "totals.bytes_resumed"],
      case .number(let fetched)? = report[path: "totals.bytes_downloaded"]
    else {
      Issue.record("nothing was resumed")
      return
    }
    #expect(resumed > 1e6)
    #expect(kept == .number(resumed))
    #expect(Int(resumed + fetched) == Self.size)
  }
}
