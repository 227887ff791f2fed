// SPDX-License-Identifier: Apache-2.0
import SyncCore
import SyncDisk
import Testing

/// The rules that the real runner and its fake must both follow.
@Suite("A process runner", .timeLimit(.minutes(2)))
struct ProcessRunnerContractTests {
  enum Twin: String, CaseIterable, Sendable { case real, fake }

  /// A runner whose programs do what the real ones of these names do.
  private func runner(_ twin: Twin) -> any ProcessRunner {
    switch twin {
    case .real: POSIXProcessRunner()
    case .fake:
      ScriptedRunner(programs: [
        "cat": .init { ProcessEnd(.exited(0), output: $0.input) },
        "printf": .init { ProcessEnd(.exited(0), output: Array($0.words.dropFirst(2).joined().utf8)) },
        "printenv": .init { ProcessEnd(.exited(0), output: Array(($0.variables[$0.words[1]] ?? "").utf8) + [10]) },
        "false": .init { _ in ProcessEnd(.exited(1)) },
        "sh": .init { _ in ProcessEnd(.signalled(9)) },
        "head": .init { _ in ProcessEnd(.exited(0), output: Array(repeating: 0, count: 3000)) },
        "sleep": .init(time: .seconds(600)) { _ in ProcessEnd(.exited(0)) },
      ])
    }
  }

  private func call(_ words: String..., time: Duration = .seconds(60)) -> ProcessCall {
    ProcessCall(words, time: time, output: ByteCount(2000))
  }

  @Test("gives the output of a program, whose arguments no shell reads", arguments: Twin.allCases)
  func output(_ twin: Twin) async throws {
    let end = try await runner(twin).run(call("printf", "%s", "$HOME *"))
    #expect(end == ProcessEnd(.exited(0), output: Array("$HOME *".utf8)))
  }

  @Test("gives a program its input, and an end of it", arguments: Twin.allCases, [0, 1, 2000])
  func input(_ twin: Twin, count: Int) async throws {
    var call = call("cat")
    call.input = Array(repeating: 120, count: count)
    #expect(try await runner(twin).run(call) == ProcessEnd(.exited(0), output: call.input))
  }

  @Test("gives a program variables in place of its own", arguments: Twin.allCases)
  func variables(_ twin: Twin) async throws {
    var call = call("printenv", "HOME")
    call.variables = ["HOME": "/nowhere"]
    #expect(try await runner(twin).run(call) == ProcessEnd(.exited(0), output: Array("/nowhere\n".utf8)))
  }

  @Test("tells how a program ended", arguments: Twin.allCases)
  func status(_ twin: Twin) async throws {
    #expect(try await runner(twin).run(call("false")).status == .exited(1))
    #expect(try await runner(twin).run(call("sh", "-c", "kill -9 $$")).status == .signalled(9))
  }

  @Test("says that there is no such program", arguments: Twin.allCases)
  func absent(_ twin: Twin) async throws {
    await #expect(throws: ProcessFailure.notStarted(.enoent)) { try await runner(twin).run(call("/no/such/program")) }
  }

  @Test("ends a program that writes too much", arguments: Twin.allCases)
  func excess(_ twin: Twin) async throws {
    await #expect(throws: ProcessFailure.wroteTooMuch) {
      try await runner(twin).run(call("head", "-c", "3000", "/dev/zero"))
    }
  }

  @Test("ends a program that takes too long", arguments: Twin.allCases)
  func time(_ twin: Twin) async throws {
    await #expect(throws: ProcessFailure.tookTooLong) {
      try await runner(twin).run(call("sleep", "600", time: .milliseconds(50)))
    }
  }

  @Test("ends a program whose task is cancelled", arguments: Twin.allCases)
  func cancelled(_ twin: Twin) async throws {
    let task = Task { try await runner(twin).run(call("sleep", "600")) }
    task.cancel()
    await #expect(throws: ProcessFailure.cancelled) { try await task.value }
  }
}
