// SPDX-License-Identifier: Apache-2.0

import Glibc
import SyncTestSupport
import Testing

enum NetworkNamespace {
  static let unshare = Tool("unshare")

  static var isAvailable: Bool {
    do { return try unshare.command(["-rn", "true"])?.run().ending == .exited(0) } catch { return false }
  }
}

/// In a separate network namespace a process has no network at all.
@Suite("a run without a network", .enabled(if: NetworkNamespace.isAvailable, "network namespaces cannot be made here"))
struct OfflineTests {
  private let home: LibraryFixture
  private static let sentence = "no host can be reached"

  init() throws { home = try LibraryFixture() }

  private func declare(_ hosts: [String], feed: String? = nil) throws {
    let items = hosts.enumerated().map { "{ id: i\($0), title: I\($0), url: \"http://\($1)/\($0).mp3\" }" }
    let pod = feed.map { "pod: { feed: \"http://\($0)/x.rss\" }, " } ?? ""
    try home.declare(
      "downloads: { timeouts: { connect: 1s } }\nplaylists: { \(pod)all: { items: [\(items.joined(separator: ", "))] } }"
    )
  }

  private func run(_ options: String...) throws -> CommandResult {
    let command = Command(try #require(Program.syncjob), ["run", home.manifest] + options)
    return try #require(NetworkNamespace.unshare.command(["-rn", command.executable] + command.arguments)).run()
  }

  @Test("says so once, makes no attempt count, retries nothing and ends with 5")
  func offline() throws {
    try declare(["a.example.net", "b.example.net"], feed: "feeds.example.net")
    for _ in 0..<2 {
      let result = try run()
      #expect(result.ending == .exited(5))
      #expect(result.seconds < 5)
      #expect(result.standardOutput.split(separator: "\n").count { $0.contains(Self.sentence) } == 1)
      #expect(!result.standardOutput.contains("failed"), "\(result.standardOutput)")
      #expect(result.standardOutput.contains("2 waiting for a network"))
    }
    for (_, item) in try home.list() { #expect(item[path: "state"] == .string("queued")) }
    let queue = String(decoding: try home.queueFile(), as: UTF8.self)
    #expect(!queue.contains("\"attempts\"") && !queue.contains("\"error\""))
  }

  @Test("is taken to be without one when neither of two hosts can be found, and not when somebody answers")
  func twoHosts() throws {
    try declare(["a.invalid", "b.invalid"])
    let dead = try home.command("run", "--retries", "0").run()
    #expect(dead.ending == .exited(5))
    #expect(dead.standardOutput.contains("2 waiting for a network"), "\(dead.standardOutput)")
    for (_, item) in try home.list() { #expect(item[path: "state"] == .string("queued")) }
    let server = try FaultServer()
    server.serve("/2.mp3", Resource(bytes: GeneratedAudio(title: "A", seconds: 1, seed: 1).bytes))
    try declare(["a.invalid", "b.invalid", "127.0.0.1:\(server.port)"])
    let alive = try home.command("run", "--retries", "0").run()
    #expect(alive.standardOutput.contains("1 downloaded") && alive.standardOutput.contains("2 failed"))
    #expect(!alive.standardOutput.contains(Self.sentence))
  }

  @Test("keeps the partial of an earlier run")
  func partial() throws {
    let server = try FaultServer()
    server.serve("/0.mp3", Resource(bytes: GeneratedAudio(title: "A", seconds: 3, seed: 1).bytes, etag: "\"a\""))
    server.script("/0.mp3", [.breakOff(after: 20_000)])
    try home.declare(
      "downloads: { retries: 0 }\nplaylists: { all: { items: [{ id: a, title: A, url: \"\(server.url("/0.mp3"))\" }] } }"
    )
    #expect(try home.command("run").run().ending == .exited(5))
    let before = try FileTree.files("\(home.state)/partial", hidden: true)
    #expect(before.count == 1)
    // As if the partial had come from another machine.
    let elsewhere = "http://a.example.net:\(server.port)"
    try home.declare("playlists: { all: { items: [{ id: a, title: A, url: \"\(elsewhere)/0.mp3\" }] } }")
    // Without checks, which an earlier version did not write: a changed line with a check would be rejected.
    let queue = String(decoding: try home.queueFile(), as: UTF8.self).replacing(server.url(), with: elsewhere)
      .replacing(/,?\n?"count":1/, with: "").replacing(/,"crc":"[0-9a-f]+"/, with: "")
    try FileBytes.write(queue, to: "\(home.state)/download_queue.json")
    #expect(try run().ending == .exited(5))
    #expect(try FileTree.files("\(home.state)/partial", hidden: true) == before)
    let item = try home.list()["a"]
    #expect(item?[path: "state"] == .string("queued"))
    #expect(item?[path: "bytes_received"] == .number(20_000))
  }

  @Test("waits for one as long as it was told to, and not for what this machine serves itself")
  func waits() throws {
    try declare(["a.example.net"])
    let result = try run("--wait-for-network", "1s")
    #expect(result.ending == .exited(5))
    #expect(result.seconds > 0.9)
    try declare(["127.0.0.1:9"])
    let local = try run("--wait-for-network", "1h", "--retries", "0")
    #expect(local.ending == .exited(5))
    #expect(!local.standardOutput.contains(Self.sentence))
    #expect(local.standardOutput.contains("1 failed"))
  }

  @Test("goes on when a network comes", .enabled(if: Tool("ip").isInstalled, "ip is not installed"))
  func comes() throws {
    try declare(["10.9.0.1"])
    // There is nobody at the other end; a route is enough for a try.
    let script = """
      "$@" & run=$!
      sleep 0.5
      ip tuntap add t0 mode tun && ip addr add 10.9.0.2/24 dev t0 && ip link set t0 up \
        && ip route add default via 10.9.0.1 || { kill $run; wait $run; exit 77; }
      wait $run
      """
    let program = try #require(Program.syncjob)
    let words = ["run", home.manifest, "--wait-for-network", "5m", "--retries", "0", "-vv"]
    let result = try #require(
      NetworkNamespace.unshare.command(["-rn", "/bin/sh", "-c", script, "sh", program] + words)
    ).run(timeout: 60)
    guard result.ending != .exited(77) else { return }
    #expect(result.standardError.contains("> GET http://10.9.0.1/0.mp3"), "\(result.standardError)")
    #expect(result.ending == .exited(5))
  }

  @Test("SIGTERM ends the wait")
  func interrupted() throws {
    try declare(["a.example.net"])
    let program = try #require(Program.syncjob)
    let words = ["-rn", program, "run", home.manifest, "--wait-for-network", "1h", "-v"]
    let run = try #require(NetworkNamespace.unshare.command(words)).start()
    // The lock exists before the wait begins.
    for _ in 0..<500 where access("\(home.state)/lock", F_OK) != 0 { usleep(10_000) }
    run.signal(SIGTERM)
    let result = run.wait(timeout: 10)
    #expect(result.ending == .exited(143), "\(result.ending)")
    #expect(result.standardError.contains("no network; waiting up to 1 h for one"))
  }
}
