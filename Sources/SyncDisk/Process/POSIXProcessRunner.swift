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

  package func run(_ call: ProcessCall) async throws(ProcessFailure) -> ProcessEnd { try await start(call, into: nil) }

  package func run(_ call: ProcessCall, into sink: any ProcessSink) async throws(ProcessFailure) -> ProcessEnd {
    try await start(call, into: sink)
  }

  private func start(_ call: ProcessCall, into sink: (any ProcessSink)?) async throws(ProcessFailure) -> ProcessEnd {
    let cancellation = Cancellation()
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        // A thread of its own: the program neither holds up a thread of the pool nor waits for one while its time runs.
        DispatchQueue(label: "process").async {
          continuation.resume(
            returning: Result { () throws(ProcessFailure) in try Self.run(call, into: sink, until: cancellation) })
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
    _ call: ProcessCall, into sink: (any ProcessSink)?, until cancellation: Cancellation
  ) throws(ProcessFailure) -> ProcessEnd {
    // Output that trickles in gets no more time than silence, unless it is handed on.
    var deadline = ContinuousClock.now + call.time
    let child = try ChildProcess(call)
    defer { child.closeOutput() }
    let most = sink == nil ? nil : pieceSize
    var (output, errors): ([UInt8], [UInt8]) = ([], [])
    var hasClosed = false
    // The pauses grow while nothing happens, so that a short program is not waited for and a long one costs nothing.
    var pause: Int32 = 1
    do throws(ProcessFailure) {
      while true {
        let size = output.count
        // Asked before the output is read, so that nothing that it has written is left.
        let hasEnded = call.endsGroup && child.hasEnded()
        if !hasClosed { hasClosed = try child.read(into: &output, limit: call.output, most: most) }
        let hasWritten = child.readErrors(into: &errors, limit: call.errors) || output.count > size
        let isFull = most.map { output.count >= $0 } ?? false
        if let sink, !output.isEmpty {
          guard sink.take(output, isCancelled: { cancellation.isRequested.load(ordering: .relaxed) }) else {
            throw .cancelled
          }
          output.removeAll(keepingCapacity: true)
        }
        if hasEnded, !isFull { return ProcessEnd(child.endGroup(), output: output, errors: errors) }
        // After the end of its output the program itself may run on for a while.
        if !call.endsGroup, hasClosed, let status = child.status() {
          return ProcessEnd(status, output: output, errors: errors)
        }
        if sink != nil, hasWritten { deadline = ContinuousClock.now + call.time }
        guard ContinuousClock.now < deadline else { throw .tookTooLong }
        guard !cancellation.isRequested.load(ordering: .relaxed) else { throw .cancelled }
        pause = hasWritten ? 1 : min(50, pause * 2)
        if !isFull { child.wait(pause, forOutput: !hasClosed) }
      }
    } catch {
      child.end(after: call.grace, hurrying: Self.hurriedGrace) {
        cancellation.isRequested.load(ordering: .relaxed)
      }
      throw error
    }
  }

  /// A process that was asked to end has promised to do so within two seconds.
  private static let hurriedGrace = Duration.milliseconds(500)
  /// The largest piece of output that is handed on at once.
  private static let pieceSize = 64 << 10
}

/// The process groups of the programs that are running. A process that ends at once takes them along.
enum ProcessGroups {
  private static let running = Mutex<Set<pid_t>>([])

  static func note(_ id: pid_t) { running.withLock { _ = $0.insert(id) } }
  static func forget(_ id: pid_t) { running.withLock { _ = $0.remove(id) } }
  static func end() { for id in running.withLock({ $0 }) { _ = kill(-id, SIGKILL) } }
}

/// A program that was started and not yet waited for.
private struct ChildProcess {
  private let id: pid_t
  /// True if the program leads a process group of its own.
  private let leadsGroup: Bool
  private let output: Int32
  /// Nil if its standard error is that of this process.
  private let errors: Int32?

  init(_ call: ProcessCall) throws(ProcessFailure) {
    let outputs = try Self.pipe()
    // Our own write ends would keep the pipes open.
    defer { close(outputs.write) }
    output = outputs.read
    var messages: (read: Int32, write: Int32)?
    if call.errors != nil {
      do throws(ProcessFailure) { messages = try Self.pipe() } catch {
        close(outputs.read)
        throw error
      }
    }
    defer { if let messages { close(messages.write) } }
    errors = messages?.read
    leadsGroup = !(call.mayPrompt && Self.isForeground)
    do throws(ProcessFailure) {
      let input = try Self.input(call.input)
      defer { close(input) }
      let output = call.joinsOutput ? messages?.write ?? outputs.write : outputs.write
      let streams = [input, output] + (messages.map { [$0.write] } ?? [])
      let start = ProgramStart(
        words: call.limitedWords, variables: call.variables, streams: streams, leadsGroup: leadsGroup,
        folder: call.folder)
      id = try start()
      if leadsGroup { ProcessGroups.note(id) }
    } catch {
      close(outputs.read)
      if let messages { close(messages.read) }
      throw error
    }
  }

  /// A pipe that no program inherits, and from which reading never waits.
  private static func pipe() throws(ProcessFailure) -> (read: Int32, write: Int32) {
    var ends: [Int32] = [-1, -1]
    guard Glibc.pipe(&ends) == 0 else { throw .notStarted(ErrnoCode(errno)) }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    _ = fcntl(ends[0], F_SETFL, O_NONBLOCK)
    return (ends[0], ends[1])
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

  /// Adds all that the program has written since the last call, or about `most` of it.
  /// - Returns: True at the end of its output.
  func read(into bytes: inout [UInt8], limit: ByteCount, most: Int?) throws(ProcessFailure) -> Bool {
    var buffer = [UInt8](repeating: 0, count: 16 << 10)
    while true {
      if let most, bytes.count >= most { return false }
      let count = Glibc.read(output, &buffer, buffer.count)
      if count == 0 { return true }
      if count < 0, errno == EINTR { continue }
      if count < 0, errno == EAGAIN { return false }
      guard count > 0 else { throw .notStarted(ErrnoCode(errno)) }
      bytes += buffer[..<count]
      guard most != nil || Int64(bytes.count) <= limit.bytes else { throw .wroteTooMuch }
    }
  }

  /// Adds what the program has written to its standard error since the last call, and keeps the end of it all.
  /// - Returns: True if it has written anything.
  func readErrors(into bytes: inout [UInt8], limit: ByteCount?) -> Bool {
    guard let errors, let limit else { return false }
    var hasWritten = false
    var buffer = [UInt8](repeating: 0, count: 16 << 10)
    // A program that never stops writing is ended for its time, not waited for here.
    for _ in 0..<64 {
      let count = Glibc.read(errors, &buffer, buffer.count)
      guard count > 0 else { return hasWritten }
      hasWritten = true
      bytes += buffer[..<count]
      if Int64(bytes.count) > limit.bytes { bytes.removeFirst(bytes.count - Int(limit.bytes)) }
    }
    return hasWritten
  }

  /// Waits for the next output, or for the end of a pause in milliseconds.
  func wait(_ pause: Int32, forOutput: Bool) {
    // A negative descriptor is passed over (poll(2)).
    var interest = [pollfd(fd: forOutput ? output : -1, events: Int16(POLLIN), revents: 0)]
    poll(&interest, 1, pause)
  }

  /// True once the program has ended, which leaves its id in use until its status is asked for.
  func hasEnded() -> Bool {
    var info = siginfo_t()
    return waitid(P_PID, id_t(id), &info, WEXITED | WNOHANG | WNOWAIT) != 0 || info.si_signo != 0
  }

  /// Ends what the program has left in its group. Called once it has ended.
  func endGroup() -> ProcessEnd.Status {
    if leadsGroup { _ = Glibc.kill(-id, SIGKILL) }
    while true { if let status = status() { return status } }
  }

  /// Nil while the program runs. Called until it returns a status, and not again.
  func status() -> ProcessEnd.Status? {
    guard hasEnded() else { return nil }
    // Until its status is asked for, its id belongs to no other process.
    if leadsGroup { ProcessGroups.forget(id) }
    var status: Int32 = 0
    let ended = waitpid(id, &status, WNOHANG)
    guard ended != 0, ended == id || errno != EINTR else { return nil }
    guard ended == id else { return .exited(-1) }
    let signal = status & 0x7F
    return signal == 0 ? .exited(status >> 8 & 0xFF) : .signalled(signal)
  }

  /// Ends the program, and all programs that it has started in its group.
  /// - Parameters:
  ///   - grace: The time that the program gets to end by itself.
  ///   - hurried: The time that it gets once nobody waits for it any more.
  func end(after grace: Duration, hurrying hurried: Duration, _ isHurried: () -> Bool) {
    let target = leadsGroup ? -id : id
    if grace > .zero {
      _ = Glibc.kill(target, SIGTERM)
      var deadline = ContinuousClock.now + grace
      var wasHurried = false
      while !hasEnded(), ContinuousClock.now < deadline {
        if !wasHurried, isHurried() {
          wasHurried = true
          deadline = min(deadline, ContinuousClock.now + hurried)
        }
        wait(10, forOutput: false)
      }
    }
    _ = Glibc.kill(target, SIGKILL)
    if leadsGroup { ProcessGroups.forget(id) }
    while waitpid(id, nil, 0) < 0, errno == EINTR {}
  }

  func closeOutput() {
    close(output)
    if let errors { close(errors) }
  }
}

extension ProcessCall {
  /// The words of the program, through a shell that limits its files first. A limit that is set from here (prlimit(2))
  /// could come after the first file. A block of ulimit(1) has 512 bytes.
  fileprivate var limitedWords: [String] {
    guard let largestFile else { return words }
    let blocks = (largestFile.bytes + 511) / 512
    return ["/bin/sh", "-c", "ulimit -f \(blocks) 2>/dev/null; exec \"$@\"", "sh"] + words
  }
}
