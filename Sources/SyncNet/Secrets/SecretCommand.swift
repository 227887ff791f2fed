// SPDX-License-Identifier: Apache-2.0

import Glibc
package import SyncCore

/// A program that prints a secret. It gets no input; its standard error goes to ours.
package struct SecretCommand: Sendable {
  private let words: [String]
  private let timeout: Duration

  private static let limit = 64 << 10
  /// Long enough to touch a security key, short enough not to hold up a nightly run.
  package static let timeout = Duration.seconds(30)

  /// - Parameters:
  ///   - words: never empty; the program is looked for in `PATH` unless its name has a slash.
  package init(_ words: [String], timeout: Duration = Self.timeout) {
    self.words = words
    self.timeout = timeout
  }

  private var program: String { words[0] }

  /// The program's output, once it has exited successfully.
  package func output() throws(SecretProblem) -> String {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw .notStarted(program: program, ErrnoCode(errno)) }
    let (reading, writing) = (ends[0], ends[1])
    defer { close(reading) }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    let deadline = ContinuousClock.now + timeout
    let process: pid_t
    // Our own write end would keep the pipe open.
    do throws(SecretProblem) { process = try start(writing) } catch {
      close(writing)
      throw error
    }
    close(writing)
    do throws(SecretProblem) {
      let bytes = try collect(from: reading, until: deadline)
      try waitForEnd(of: process, until: deadline)
      guard let text = String(validating: bytes, as: UTF8.self) else { throw .severalLines(.command(program: program)) }
      return text
    } catch {
      if case .failed = error { throw error }
      kill(process, SIGKILL)
      waitpid(process, nil, 0)
      throw error
    }
  }

  private func start(_ output: Int32) throws(SecretProblem) -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
    var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) }
    defer { for argument in arguments { free(argument) } }
    arguments.append(nil)
    var process = pid_t()
    let code = posix_spawnp(&process, program, &actions, nil, arguments, environ)
    guard code == 0 else { throw .notStarted(program: program, ErrnoCode(code)) }
    return process
  }

  private func collect(from descriptor: Int32, until deadline: ContinuousClock.Instant) throws(SecretProblem) -> [UInt8]
  {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    while true {
      try wait(for: descriptor, until: deadline)
      let count = read(descriptor, &buffer, buffer.count)
      if count == 0 { return bytes }
      if count < 0, errno == EINTR || errno == EAGAIN { continue }
      guard count > 0 else { throw .notStarted(program: program, ErrnoCode(errno)) }
      bytes += buffer[..<count]
      guard bytes.count <= Self.limit else { throw .severalLines(.command(program: program)) }
    }
  }

  /// Waits in short steps, so that a stopped run does not have to wait for the program. Output that trickles in gets no
  /// more time than silence.
  private func wait(for descriptor: Int32, until deadline: ContinuousClock.Instant) throws(SecretProblem) {
    var interest = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    repeat { try checkTime(deadline) } while poll(&interest, 1, 50) <= 0
  }

  private func checkTime(_ deadline: ContinuousClock.Instant) throws(SecretProblem) {
    guard ContinuousClock.now < deadline, !Task.isCancelled else {
      throw .tookTooLong(program: program, after: timeout)
    }
  }

  /// The program's output has ended; the program itself may run on for a while.
  private func waitForEnd(of process: pid_t, until deadline: ContinuousClock.Instant) throws(SecretProblem) {
    var status: Int32 = 0
    var pause: Int32 = 1
    while true {
      let ended = waitpid(process, &status, WNOHANG)
      if ended == process { break }
      guard ended == 0 || errno == EINTR else { throw .failed(program: program, status: -1, isSignal: false) }
      try checkTime(deadline)
      poll(nil, 0, pause)
      pause = min(50, pause * 2)
    }
    let signal = status & 0x7F
    guard signal == 0 else { throw .failed(program: program, status: signal, isSignal: true) }
    let code = status >> 8 & 0xFF
    guard code == 0 else { throw .failed(program: program, status: code, isSignal: false) }
  }
}
