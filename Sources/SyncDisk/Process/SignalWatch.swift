// SPDX-License-Identifier: Apache-2.0
import CPosix
import Glibc
package import SyncCore

/// Handles SIGHUP, SIGINT and SIGTERM: the first one asks the run to stop in order, the second ends the process at
/// once. A run that does not end in time after the first is cut off, wherever it is.
///
/// The signals are caught and not blocked: the runtime keeps a thread on which no signal is blocked.
package struct SignalWatch: Sendable {
  /// The time that a run has for its orderly end: with the end of the process it is less than two seconds.
  package static let patience = Duration.milliseconds(1_850)

  /// Yields the exit status that the first signal asks for.
  package let stops: AsyncStream<ExitStatus>

  /// Creates the watch, once, when the program begins. If that fails, the signals keep their default: they end the
  /// process, and the next run recovers.
  /// - Parameter cutOff: makes the line for standard error when the run is cut off. It is called at the first signal.
  package init(cutOff: @escaping @Sendable () -> String) {
    let (stops, continuation) = AsyncStream.makeStream(of: ExitStatus.self)
    self.stops = stops
    let pipe = syncjob_catch_stop_signals()
    guard pipe >= 0 else {
      syncjob_release_stop_signals()
      return
    }
    let box = Unmanaged.passRetained(Waiter(pipe: pipe, continuation: continuation, cutOff: cutOff))
    var thread = pthread_t()
    guard pthread_create(&thread, nil, waitForSignals, box.toOpaque()) == 0 else {
      box.release()
      syncjob_release_stop_signals()
      return
    }
    pthread_detach(thread)
  }
}

private final class Waiter {
  private let pipe: Int32
  private let continuation: AsyncStream<ExitStatus>.Continuation
  private let cutOff: @Sendable () -> String

  init(pipe: Int32, continuation: AsyncStream<ExitStatus>.Continuation, cutOff: @escaping @Sendable () -> String) {
    self.pipe = pipe
    self.continuation = continuation
    self.cutOff = cutOff
  }

  /// Ends with the process, or when the pipe cannot be read.
  func run() {
    guard let first = next() else { return }
    let deadline = ContinuousClock.now + SignalWatch.patience
    continuation.yield(first)
    let line = Array(cutOff().utf8)
    while !isReadable(until: deadline) {
      guard ContinuousClock.now >= deadline else { continue }
      say(line)
      ProcessGroups.end()
      // As after a kill: nothing is flushed, and the kernel releases the lock.
      _exit(first.rawValue)
    }
    if let second = next() {
      ProcessGroups.end()
      _exit(second.rawValue)
    }
  }

  private func isReadable(until deadline: ContinuousClock.Instant) -> Bool {
    let (seconds, attoseconds) = max(.zero, deadline - ContinuousClock.now).components
    var interest = pollfd(fd: pipe, events: Int16(POLLIN), revents: 0)
    return poll(&interest, 1, Int32(seconds * 1000 + attoseconds / 1_000_000_000_000_000) + 1) > 0
  }

  /// Checks first that somebody reads: a write into a full pipe would block for ever.
  private func say(_ line: [UInt8]) {
    var interest = pollfd(fd: STDERR_FILENO, events: Int16(POLLOUT), revents: 0)
    guard poll(&interest, 1, 0) > 0 else { return }
    _ = write(STDERR_FILENO, line, line.count)
  }

  private func next() -> ExitStatus? {
    var number: UInt8 = 0
    while true {
      let count = read(pipe, &number, 1)
      if count == 1 { return Self.status(of: Int32(number)) }
      guard count < 0, errno == EINTR else { return nil }
    }
  }

  private static func status(of signal: Int32) -> ExitStatus {
    switch signal {
    case SIGHUP: .hungUp
    case SIGINT: .interrupted
    default: .terminated
    }
  }
}

private func waitForSignals(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  if let context { Unmanaged<Waiter>.fromOpaque(context).takeRetainedValue().run() }
  return nil
}
