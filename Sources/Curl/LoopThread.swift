// SPDX-License-Identifier: Apache-2.0
import Glibc
import Synchronization

/// One POSIX thread that runs one closure. It blocks signals, so that the program's other threads receive them.
final class LoopThread: Sendable {
  private let handle: pthread_t
  private let isJoined = Mutex(false)

  init(_ body: @escaping @Sendable () -> Void) throws(CurlLoop.Unavailable) {
    let start = Unmanaged.passRetained(Body(body))
    var handle = pthread_t()
    let code = pthread_create(&handle, nil, runBody, start.toOpaque())
    guard code == 0 else {
      start.release()
      throw .noThread(errno: code)
    }
    self.handle = handle
  }

  /// Waits for the thread to end. Later calls return at once.
  func join() {
    isJoined.withLock { isJoined in
      if !isJoined { pthread_join(handle, nil) }
      isJoined = true
    }
  }

  /// Lets the thread end without being joined.
  func detach() {
    isJoined.withLock { isJoined in
      if !isJoined { pthread_detach(handle) }
      isJoined = true
    }
  }

  /// Never 0 on Linux, where it is the address of the thread's descriptor.
  static var current: pthread_t { pthread_self() }
}

private final class Body: Sendable {
  let run: @Sendable () -> Void

  init(_ run: @escaping @Sendable () -> Void) { self.run = run }
}

private func runBody(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  guard let context else { return nil }
  let body = Unmanaged<Body>.fromOpaque(context).takeRetainedValue()
  blockSignals()
  body.run()
  return nil
}

/// Blocks all signals except those raised by the thread's own faults; libcurl's resolver threads inherit the mask.
/// SIGPIPE is blocked too, because with `NOSIGNAL` libcurl leaves it to the program.
private func blockSignals() {
  var set = sigset_t()
  sigfillset(&set)
  for fault in [SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGABRT, SIGSYS] { sigdelset(&set, fault) }
  pthread_sigmask(SIG_BLOCK, &set, nil)
}

/// One turn of the loop; jobs and timers wait for its end. If a receiver is slower than the network, libcurl has more
/// bytes than it hands over in one call. A transfer that takes too long therefore holds its bytes back until the next
/// turn. Confined to the loop's thread.
final class LoopTurn {
  /// Much longer than a healthy turn, and too short for a person to notice.
  private static let limit = Duration.milliseconds(100)

  private var began = SuspendingClock.now
  /// The transfers that hold their bytes back, longest wait first.
  private var waiting: [TransferID] = []

  var hasWaiting: Bool { !waiting.isEmpty }

  var isOver: Bool { SuspendingClock.now - began > Self.limit }

  func wait(_ id: TransferID) { waiting.append(id) }

  /// Begins the next turn.
  /// - Returns: The transfers that waited for it.
  func begin() -> [TransferID] {
    began = .now
    defer { waiting = [] }
    return waiting
  }
}
