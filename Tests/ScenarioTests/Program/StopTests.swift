// SPDX-License-Identifier: Apache-2.0

import Glibc
import SyncTestSupport
import Testing

@Suite("a run that is stopped")
struct StopTests {
  @Test("SIGTERM while a feed is being read ends the run; nothing is planned by half of the sources")
  func whileReadingSources() throws {
    let home = try Household()
    let server = try FaultServer()
    let gate = try Gate()
    server.serve("/feed.xml", Resource(text: "<rss/>"))
    server.script("/feed.xml", [.holdBack(gate)])
    try home.declare(
      """
      playlists:
        brief: { feed: "\(server.url("/feed.xml"))" }
        other: { items: [{ id: a, title: A, url: "\(server.url("/a.mp3"))" }] }
      """)
    let run = try home.command("run", "--json").start()
    #expect(gate.waitForArrival())
    run.signal(SIGTERM)
    let result = run.wait(timeout: 10)
    #expect(result.ending == .exited(143), "\(result.standardError)")
    let report = try JSONValue(result.stdout)
    #expect(report[path: "outcome"] == .string("interrupted"))
    #expect(report[path: "warnings.count"] == .number(0))
    #expect(server.requests.map(\.path) == ["/feed.xml"])
    gate.open()
  }

  @Test("SIGINT while another run holds the lock ends the one that waits, and only that")
  func whileWaitingForTheLock() throws {
    let home = try Household()
    let server = try FaultServer()
    let gate = try Gate()
    server.serve("/a.mp3", Resource(bytes: GeneratedAudio(title: "A", seconds: 1, seed: 1).bytes))
    server.script("/a.mp3", [.hold(after: 1000, gate)])
    try home.declare("playlists: { all: { items: [{ id: a, title: A, url: \"\(server.url("/a.mp3"))\" }] } }")
    let first = try home.command("run", "--quiet").start()
    #expect(gate.waitForArrival())
    let second = try home.command("run", "--lock-wait", "10m").start()
    #expect(try eventually { holdsOpen("\(home.state)/lock", second.pid) })
    second.signal(SIGINT)
    let result = second.wait(timeout: 10)
    #expect(result.ending == .exited(130))
    #expect(result.standardOutput.isEmpty)
    let lines = result.standardError.split(separator: "\n")
    #expect(lines.count == 2 && lines[0].hasSuffix("waiting up to 10 min for it to end"))
    #expect(lines.last == "syncjob: error: ended by a signal before anything was changed")
    gate.open()
    #expect(first.wait().ending == .exited(0))
  }

  @Test("what comes is recorded as it reaches the disk, about every second, while the transfer goes on")
  func checkpoints() throws {
    let home = try Household()
    let server = try FaultServer()
    let size = 8 << 20
    server.serve(
      "/a.mp3", Resource(body: GeneratedAudio(title: "A", seconds: 1, seed: 1).body(count: size), etag: "\"a\""))
    server.script("/a.mp3", [.throttle(bytesPerSecond: 2 << 20)])
    try home.declare("playlists: { all: { items: [{ id: a, title: A, url: \"\(server.url("/a.mp3"))\" }] } }")
    let run = try home.command("run", "--quiet").start()
    let isRecorded = try eventually {
      guard case .number(let bytes)? = try home.list()["a"]?[path: "bytes_received"] else { return false }
      return bytes > 0 && bytes < Double(size)
    }
    #expect(isRecorded)
    run.signal(SIGKILL)
    #expect(run.wait().ending == .killed(signal: 9))
  }

  private func holdsOpen(_ path: String, _ pid: Int32) -> Bool {
    (3..<40).contains { descriptor in
      var buffer = [CChar](repeating: 0, count: 4096)
      let count = readlink("/proc/\(pid)/fd/\(descriptor)", &buffer, buffer.count)
      return count > 0 && String(decoding: buffer[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self) == path
    }
  }
}
