// SPDX-License-Identifier: Apache-2.0
import CPosix
import Glibc
package import SyncCore

/// SIGINT and SIGTERM: the first one asks the run to stop politely, the second ends the process at once.
///
/// They are caught and not blocked: the runtime keeps a thread on which no signal is blocked.
package struct SignalWatch: Sendable {
  /// Yields the exit status that the first signal asks for.
  package let stops: AsyncStream<ExitStatus>

  /// To be made once, when the program begins. Where it cannot be had the signals keep their default: they end the
  /// process, and the next run recovers.
  package init() {
    let (stops, continuation) = AsyncStream.makeStream(of: ExitStatus.self)
    self.stops = stops
    let pipe = syncjob_catch_stop_signals()
    guard pipe >= 0 else { return }
    let box = Unmanaged.passRetained(Waiter(pipe: pipe, continuation: continuation))
    var thread = pthread_t()
    guard pthread_create(&thread, nil, waitForSignals, box.toOpaque()) == 0 else {
      box.release()
      signal(SIGINT, SIG_DFL)
      signal(SIGTERM, SIG_DFL)
      return
    }
    pthread_detach(thread)
  }
}

private final class Waiter {
  private let pipe: Int32
  private let continuation: AsyncStream<ExitStatus>.Continuation

  init(pipe: Int32, continuation: AsyncStream<ExitStatus>.Continuation) {
    self.pipe = pipe
    self.continuation = continuation
  }

  /// Ends with the process, or when the pipe cannot be read.
  func run() {
    var isSecond = false
    while let status = next() {
      if isSecond { _exit(status.rawValue) }
      isSecond = true
      continuation.yield(status)
    }
  }

  private func next() -> ExitStatus? {
    var number: UInt8 = 0
    while true {
      let count = read(pipe, &number, 1)
      if count == 1 { return Int32(number) == SIGINT ? .interrupted : .terminated }
      guard count < 0, errno == EINTR else { return nil }
    }
  }
}

private func waitForSignals(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  if let context { Unmanaged<Waiter>.fromOpaque(context).takeRetainedValue().run() }
  return nil
}
