// SPDX-License-Identifier: Apache-2.0
import CPosix
import Dispatch
import Glibc
import SyncCore
import Synchronization

/// Runs programs with `posix_spawn`, each in a process group of its own and with no descriptor but the three standard
/// ones.
package struct POSIXProcessRunner: ProcessRunner {
  package init() {}

  package func run(_ call: ProcessCall) async throws(ProcessFailure) -> ProcessEnd {
    let cancellation = Cancellation()
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        // A thread of its own: the program neither holds up a thread of the pool nor waits for one while its time runs.
        DispatchQueue(label: "process").async {
          continuation.resume(
            returning: Result { () throws(ProcessFailure) in try Self.run(call, until: cancellation) })
        }
      }
    } onCancel: {
      cancellation.isRequested.store(true, ordering: .relaxed)
    }
    return try result.get()
  }

  private final class Cancellation: Sendable {
    let isRequested = Atomic(false)
  }

  private static func run(
    _ call: ProcessCall, until cancellation: Cancellation
  ) throws(ProcessFailure) -> ProcessEnd {
    // Output that trickles in gets no more time than silence.
    let deadline = ContinuousClock.now + call.time
    let child = try ChildProcess(call)
    defer { child.closeOutput() }
    var output: [UInt8] = []
    var hasClosed = false
    // The pauses grow while nothing happens, so that a short program is not waited for and a long one costs nothing.
    var pause: Int32 = 1
    do throws(ProcessFailure) {
      while true {
        let size = output.count
        if !hasClosed { hasClosed = try child.read(into: &output, limit: call.output) }
        // After the end of its output the program itself may run on for a while.
        if hasClosed, let status = child.status() { return ProcessEnd(status, output: output) }
        guard ContinuousClock.now < deadline else { throw .tookTooLong }
        guard !cancellation.isRequested.load(ordering: .relaxed) else { throw .cancelled }
        pause = output.count > size ? 1 : min(50, pause * 2)
        child.wait(pause, forOutput: !hasClosed)
      }
    } catch {
      child.kill()
      throw error
    }
  }
}

/// A program that was started and not yet waited for.
private struct ChildProcess {
  private let id: pid_t
  /// True if the program leads a process group of its own.
  private let leadsGroup: Bool
  private let output: Int32

  init(_ call: ProcessCall) throws(ProcessFailure) {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw .notStarted(ErrnoCode(errno)) }
    // Our own write end would keep the pipe open.
    defer { close(ends[1]) }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    _ = fcntl(ends[0], F_SETFL, O_NONBLOCK)
    output = ends[0]
    leadsGroup = !(call.mayPrompt && Self.isForeground)
    do throws(ProcessFailure) {
      let input = try Self.input(call.input)
      defer { close(input) }
      let start = ProgramStart(
        words: call.words, variables: call.variables, streams: [input, ends[1]], leadsGroup: leadsGroup)
      id = try start()
    } catch {
      close(ends[0])
      throw error
    }
  }

  /// True if the terminal listens to this process.
  private static var isForeground: Bool {
    let terminal = open("/dev/tty", O_RDONLY | O_CLOEXEC | O_NOCTTY)
    guard terminal >= 0 else { return false }
    defer { close(terminal) }
    return tcgetpgrp(terminal) == getpgrp()
  }

  /// A file without a name, which takes any number of bytes at once and which no reader can hold up.
  private static func input(_ bytes: [UInt8]) throws(ProcessFailure) -> Int32 {
    let file = bytes.isEmpty ? open("/dev/null", O_RDONLY | O_CLOEXEC) : syncjob_memory_file("input")
    guard file >= 0 else { throw .notStarted(ErrnoCode(errno)) }
    var written = 0
    while written < bytes.count {
      let count = bytes[written...].withUnsafeBytes { write(file, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else {
        let code = ErrnoCode(errno)
        close(file)
        throw .notStarted(code)
      }
      written += count
    }
    lseek(file, 0, SEEK_SET)
    return file
  }

  /// Adds all that the program has written since the last call.
  /// - Returns: True at the end of its output.
  func read(into bytes: inout [UInt8], limit: ByteCount) throws(ProcessFailure) -> Bool {
    var buffer = [UInt8](repeating: 0, count: 16 << 10)
    while true {
      let count = Glibc.read(output, &buffer, buffer.count)
      if count == 0 { return true }
      if count < 0, errno == EINTR { continue }
      if count < 0, errno == EAGAIN { return false }
      guard count > 0 else { throw .notStarted(ErrnoCode(errno)) }
      bytes += buffer[..<count]
      guard Int64(bytes.count) <= limit.bytes else { throw .wroteTooMuch }
    }
  }

  /// Waits for the next output, or for the end of a pause in milliseconds.
  func wait(_ pause: Int32, forOutput: Bool) {
    var interest = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
    poll(&interest, forOutput ? 1 : 0, pause)
  }

  /// Nil while the program runs. Called until it returns a status, and not again.
  func status() -> ProcessEnd.Status? {
    var status: Int32 = 0
    let ended = waitpid(id, &status, WNOHANG)
    guard ended != 0, ended == id || errno != EINTR else { return nil }
    guard ended == id else { return .exited(-1) }
    let signal = status & 0x7F
    return signal == 0 ? .exited(status >> 8 & 0xFF) : .signalled(signal)
  }

  /// Ends the program, and all programs that it has started in its group.
  func kill() {
    _ = Glibc.kill(leadsGroup ? -id : id, SIGKILL)
    while waitpid(id, nil, 0) < 0, errno == EINTR {}
  }

  func closeOutput() { close(output) }
}
