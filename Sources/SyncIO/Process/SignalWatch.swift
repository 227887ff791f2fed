// SPDX-License-Identifier: Apache-2.0
import Glibc
package import SyncCore

/// SIGINT and SIGTERM: the first one asks the run to stop politely, the second ends the process at once.
package struct SignalWatch: Sendable {
  /// Yields the exit status that the first signal asks for.
  package let stops: AsyncStream<ExitStatus>

  /// Blocks both signals in the calling thread and all that it starts from now on, and waits for them in a thread of
  /// its own. To be made once, before any other thread is.
  package init() {
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGINT)
    sigaddset(&signals, SIGTERM)
    pthread_sigmask(SIG_BLOCK, &signals, nil)
    let (stops, continuation) = AsyncStream.makeStream(of: ExitStatus.self)
    self.stops = stops
    let box = Unmanaged.passRetained(Waiter(signals: signals, continuation: continuation))
    var thread = pthread_t()
    guard pthread_create(&thread, nil, waitForSignals, box.toOpaque()) == 0 else {
      // Without the thread the signals keep their default: they end the process, and the next run recovers.
      box.release()
      pthread_sigmask(SIG_UNBLOCK, &signals, nil)
      return
    }
    pthread_detach(thread)
  }
}

private final class Waiter {
  private var signals: sigset_t
  private let continuation: AsyncStream<ExitStatus>.Continuation

  init(signals: sigset_t, continuation: AsyncStream<ExitStatus>.Continuation) {
    self.signals = signals
    self.continuation = continuation
  }

  func run() {
    var isSecond = false
    while true {
      var signal: Int32 = 0
      guard sigwait(&signals, &signal) == 0 else { continue }
      let status: ExitStatus = signal == SIGINT ? .interrupted : .terminated
      if isSecond { _exit(status.rawValue) }
      isSecond = true
      continuation.yield(status)
    }
  }
}

private func waitForSignals(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  if let context { Unmanaged<Waiter>.fromOpaque(context).takeRetainedValue().run() }
  return nil
}
