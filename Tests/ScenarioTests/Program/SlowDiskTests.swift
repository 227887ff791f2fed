// SPDX-License-Identifier: Apache-2.0

import Glibc
import SyncTestSupport
import Testing

/// Each write takes longer than the network needs for its bytes, so that data always waits.
@Suite("a disk that is slower than the network", .serialized)
struct SlowDiskTests {
  private let home: LibraryFixture
  private let server: FaultServer
  private static let size = 24 << 20

  init() throws {
    home = try LibraryFixture()
    server = try FaultServer()
    let body = GeneratedAudio(title: "A", seconds: 1, seed: 1).body(count: Self.size)
    for name in ["a", "b"] { server.serve("/\(name).mp3", Resource(body: body, etag: "\"\(name)\"")) }
  }

  private func declare(_ downloads: String = "{}") throws {
    let items = ["a", "b"].map { "{ id: \($0), title: \($0), url: \"\(server.url("/\($0).mp3"))\" }" }
    try home.declare("downloads: \(downloads)\nplaylists: { all: { items: [\(items.joined(separator: ", "))] } }")
  }

  /// A run for which each of `calls` takes 0.3 s longer.
  private func start(_ calls: String) throws -> RunningCommand {
    let run = home.command("run", "--json")
    let strace = try #require(
      Tool.strace.command(
        ["-qq", "-f", "-o", "/dev/null", "-e", "trace=\(calls)", "-e", "inject=\(calls):delay_enter=300000"]
          + [run.executable] + run.arguments))
    return try strace.start()
  }

  /// The program that strace runs.
  private func program(of pid: Int32) throws -> Int32? {
    try FileBytes.text("/proc/\(pid)/task/\(pid)/children").split(separator: " ").first.flatMap { Int32($0) }
  }

  private var partialBytes: Int {
    get throws {
      guard access("\(home.state)/partial", F_OK) == 0 else { return 0 }
      return try FileTree.list("\(home.state)/partial").map(\.size).reduce(0, +)
    }
  }

  @Test(
    "a signal is obeyed while data waits, and the next run goes on", .requires(.strace),
    arguments: [(SIGTERM, 143), (SIGINT, 130), (SIGHUP, 129)] as [(Int32, Int32)])
  func signal(number: Int32, status: Int32) throws {
    try declare()
    let run = try start("pwrite64")
    var waited = 0
    while try partialBytes < 600_000, waited < 6000 {
      usleep(10_000)
      waited += 1
    }
    let pid = try #require(try program(of: run.pid))
    let before = server.requests.count
    let stopped = ContinuousClock.now
    kill(pid, number)
    let result = run.wait(timeout: 60)
    // The promised time is two seconds; the rest is for a busy machine.
    #expect(ContinuousClock.now - stopped < .seconds(8))
    #expect(result.ending == .exited(status), "\(result.ending) \(result.standardError)")
    #expect(try partialBytes < Self.size)
    #expect(server.requests.count == before)
    let next = try home.command("run").run(timeout: 120)
    #expect(next.ending == .exited(0), "\(next.standardOutput) \(next.standardError)")
    #expect(try home.ownedPaths() == ["all/a.mp3", "all/b.mp3"])
    #expect(try home.strays().isEmpty)
  }

  @Test("max_duration holds while data waits", .requires(.strace))
  func maxDuration() throws {
    try declare("{ max_duration: 6s }")
    let result = try start("pwrite64").wait(timeout: 120)
    #expect(result.ending == .exited(10), "\(result.ending) \(result.standardError)")
    // Writing the whole file would take half a minute.
    #expect(result.seconds < 18)
    #expect(try partialBytes < 2 * Self.size)
  }

  @Test("slow flushes are not waited for one after the other", .requires(.strace))
  func slowFlush() throws {
    try declare()
    let run = try start("fsync,fdatasync")
    var waited = 0
    while try partialBytes < 600_000, waited < 6000 {
      usleep(10_000)
      waited += 1
    }
    let pid = try #require(try program(of: run.pid))
    let stopped = ContinuousClock.now
    kill(pid, SIGTERM)
    let result = run.wait(timeout: 60)
    #expect(ContinuousClock.now - stopped < .seconds(8))
    #expect(result.ending == .exited(143), "\(result.ending) \(result.standardError)")
    #expect(try home.command("run").run(timeout: 120).ending == .exited(0))
    #expect(try home.ownedPaths() == ["all/a.mp3", "all/b.mp3"])
  }
}
