// SPDX-License-Identifier: Apache-2.0

import Glibc
import Synchronization

/// A started program. Separate threads read its output and wait for its end, so that neither side ever blocks the
/// other.
package final class RunningCommand: Sendable {
  package let pid: Int32
  private let output: Capture
  private let errors: Capture
  private let input: Mutex<Int32?>
  private let ended: Latch
  private let status = Status()
  private let startedAt = Monotonic.now()

  private final class Status: Sendable {
    let value = Mutex<Int32>(0)
  }

  init(_ command: Command) throws(SystemCallError) {
    let spawned = try Spawn(command).start()
    pid = spawned.pid
    input = Mutex(spawned.input)
    ended = try Latch()
    output = try Capture(spawned.output)
    errors = try Capture(spawned.errors)
    try reap()
    if case .bytes(let bytes) = command.input { try feed(bytes) }
  }

  deinit { closeInput() }

  /// Ends the program's standard input, if it was held open.
  package func closeInput() {
    input.withLock { descriptor in
      if let open = descriptor { close(open) }
      descriptor = nil
    }
  }

  /// Waits for a server to answer.
  /// - Returns: False if it ended or did not answer within the seconds.
  package func isReady(within seconds: Double, _ answers: () -> Bool) -> Bool {
    let deadline = Monotonic.now() + seconds
    while Monotonic.now() < deadline, signal(0) {
      if answers() { return true }
      usleep(5000)
    }
    return false
  }

  /// Sends a signal; false when the program has already ended.
  @discardableResult package func signal(_ number: Int32) -> Bool { !ended.isOpen && kill(pid, number) == 0 }

  /// Waits until standard output holds a complete first line.
  package func firstLine(seconds: Double = 10) -> String? { output.firstLine(seconds: seconds) }

  /// Waits for the end; after `seconds` the program's process group is killed.
  package func wait(timeout seconds: Double = 30) -> CommandResult {
    let inTime = ended.wait(seconds: seconds)
    if !inTime {
      kill(-pid, SIGKILL)
      ended.wait(seconds: 60)
    }
    let took = Monotonic.now() - startedAt
    closeInput()
    // A grandchild may hold the pipes open for longer than the program lives.
    return CommandResult(
      ending: inTime ? ending : .timedOut, stdout: output.bytes(seconds: 2), stderr: errors.bytes(seconds: 2),
      seconds: took)
  }

  /// The encoding of wait(2): the signal in the low seven bits, else the status in the next eight.
  private var ending: CommandResult.Ending {
    let raw = status.value.withLock { $0 }
    let signal = raw & 0x7F
    return signal == 0 ? .exited((raw >> 8) & 0xFF) : .killed(signal: signal)
  }

  private func reap() throws(SystemCallError) {
    let (pid, status, ended) = (pid, status, ended)
    try Thread.start {
      var raw: Int32 = 0
      while waitpid(pid, &raw, 0) < 0, errno == EINTR { continue }
      let final = raw
      status.value.withLock { $0 = final }
      ended.open()
    }
  }

  private func feed(_ bytes: [UInt8]) throws(SystemCallError) {
    guard let descriptor = input.withLock({ $0.take() }) else { return }
    try Thread.start {
      var rest = bytes[...]
      while !rest.isEmpty {
        let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
        guard count > 0 || errno == EINTR else { break }
        rest = rest.dropFirst(max(0, count))
      }
      close(descriptor)
    }
  }
}
