// SPDX-License-Identifier: Apache-2.0
import SyncCore
import SyncDisk
import SyncNet
import Testing

@Suite("Programs that print a secret")
struct SecretCommandTests {
  private func output(_ words: [String], timeout: Duration = SecretCommand.timeout) async throws -> String {
    try await SecretCommand(words, timeout: timeout, runner: POSIXProcessRunner()).output()
  }

  @Test("what it prints is taken as it is, without a shell in between")
  func output() async throws {
    #expect(try await output(["printf", "%s|", "$HOME", "a b"]) == "$HOME|a b|")
  }

  @Test("it has no input to wait for")
  func input() async throws { #expect(try await output(["cat"]) == "") }

  @Test(
    "how it failed is told",
    arguments: [
      (["false"], SecretProblem.failed(program: "false", status: 1, isSignal: false)),
      (["sh", "-c", "kill -9 $$"], .failed(program: "sh", status: 9, isSignal: true)),
      (["/no/such/program"], .notStarted(program: "/no/such/program", .enoent)),
      (["head", "-c", "70000", "/dev/zero"], .severalLines(.command(program: "head"))),
    ])
  func failure(words: [String], problem: SecretProblem) async {
    await #expect(throws: problem) { try await output(words) }
  }

  @Test(
    "one that does not end is ended, even when it has closed its output or goes on in drips", .timeLimit(.minutes(2)),
    arguments: ["exec sleep 600", "exec >&-; exec sleep 600", "while printf x; do sleep 0.01; done"])
  func timeout(script: String) async {
    await #expect(throws: SecretProblem.tookTooLong(program: "sh", after: .milliseconds(200))) {
      try await output(["sh", "-c", script], timeout: .milliseconds(200))
    }
  }
}
