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

  @Test("may put things in order before it is ended")
  func grace() async throws {
    let folder = try TemporaryDirectory()
    var call = call("trap 'echo asked > \(folder.file("told")); exit' TERM; sleep 600 & wait", time: .seconds(1))
    call.grace = .seconds(30)
    await #expect(throws: ProcessFailure.tookTooLong) { try await POSIXProcessRunner().run(call) }
    #expect(try FileBytes.text(folder.file("told")) == "asked\n")
  }

  @Test("can have one place for all that it writes, of which the end is kept")
  func joinedOutput() async throws {
    var call = call("seq 20000; seq 20000 >&2; echo error >&2; echo output")
    (call.output, call.errors, call.joinsOutput, call.endsGroup) = (.zero, ByteCount(13), true, true)
    let end = try await POSIXProcessRunner().run(call)
    #expect(end == ProcessEnd(.exited(0), errors: Array("error\noutput\n".utf8)))
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
