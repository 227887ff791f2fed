// SPDX-License-Identifier: Apache-2.0
import Glibc
import SyncCore
import SyncDisk
import SyncTestSupport
import Testing

@Suite("A program that is run", .timeLimit(.minutes(2)))
struct POSIXProcessRunnerTests {
  private func call(_ script: String, time: Duration = .seconds(60)) -> ProcessCall {
    ProcessCall(["sh", "-c", script], time: time, output: ByteCount(2000))
  }

  @Test("is ended with everything that it has started")
  func group() async throws {
    let folder = try TemporaryDirectory()
    let name = folder.file("pid")
    await #expect(throws: ProcessFailure.tookTooLong) {
      try await POSIXProcessRunner().run(call("sleep 600 & echo $! > \(name); wait", time: .seconds(1)))
    }
    let child = try FileBytes.text(name).dropLast()
    let isOver = {
      // A container's first process may leave it as a zombie.
      do { return try FileBytes.text("/proc/\(child)/stat").contains(") Z ") } catch { return true }
    }
    while !isOver() { try await Task.sleep(for: .milliseconds(10)) }
  }

  @Test("leads a process group of its own")
  func leader() async throws {
    let end = try await POSIXProcessRunner().run(call("echo $$; cut -d' ' -f5 /proc/$$/stat"))
    let lines = String(decoding: end.output, as: UTF8.self).split(separator: "\n")
    #expect(lines.count == 2 && lines[0] == lines[1])
  }

  @Test("gets the three standard descriptors and no other")
  func descriptors() async throws {
    let other = open("/dev/null", O_RDONLY)
    defer { close(other) }
    let end = try await POSIXProcessRunner().run(call("[ -e /proc/$$/fd/\(other) ] || echo closed"))
    #expect(other > 2 && String(decoding: end.output, as: UTF8.self) == "closed\n")
  }
}
