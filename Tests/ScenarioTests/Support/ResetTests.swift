// SPDX-License-Identifier: Apache-2.0

import SyncTestSupport
import Testing

@Suite("the fault server, seen by curl")
struct ResetTests {
  @Test(
    "a body that breaks off ends with FIN or RST after exactly those bytes", .requires(.curl),
    arguments: [(Behaviour.Ending.close, 18), (.reset, 56)] as [(Behaviour.Ending, Int32)])
  func endings(ending: Behaviour.Ending, status: Int32) throws {
    let server = try FaultServer()
    let audio = GeneratedAudio(title: "A", seconds: 60, seed: 1)
    server.serve("/a.mp3", Resource(bytes: audio.bytes))
    server.script("/a.mp3", [.breakOff(after: 300_000, ending), .honest])
    let first = try curl(server.url("/a.mp3"))
    #expect(first.ending == .exited(status))
    let wholePart = first.stdout == Array(audio.bytes.prefix(300_000))
    #expect(wholePart, "\(first.stdout.count) bytes arrived")
    let whole = try curl(server.url("/a.mp3")).stdout == audio.bytes
    #expect(whole)
  }

  @Test("an endless body goes on until the client has enough", .requires(.curl), arguments: [false, true])
  func endless(chunked: Bool) throws {
    let server = try FaultServer()
    server.script("/a", [.endless(chunked: chunked)])
    let line = "\(try #require(Tool.curl.path)) -sS \(server.url("/a")) 2>&1 | head -c 3000000 | wc -c"
    let result = try Command("/bin/sh", ["-c", line]).run()
    #expect(result.standardOutput.filter(\.isNumber) == "3000000")
    #expect(try server.waitUntilIdle())
  }

  private func curl(_ url: String, _ options: String...) throws -> CommandResult {
    try #require(Tool.curl.command(["-sS"] + options + [url])).run()
  }
}
