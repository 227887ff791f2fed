// SPDX-License-Identifier: Apache-2.0

import Glibc
import SyncTestSupport

/// The lifetime of the origin: until a signal, the end of a pipe at standard input, or the time limit.
struct Lifetime {
  private let end: Latch

  /// Must be created before any other thread: threads inherit the blocked signals, and one thread waits for them.
  init() throws {
    let end = try Latch()
    self.end = end
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGTERM)
    sigaddset(&signals, SIGINT)
    pthread_sigmask(SIG_BLOCK, &signals, nil)
    try Thread.start {
      var signals = sigset_t()
      sigemptyset(&signals)
      sigaddset(&signals, SIGTERM)
      sigaddset(&signals, SIGINT)
      var received: Int32 = 0
      sigwait(&signals, &received)
      end.open()
    }
    if Self.inputIsPipe { try Self.watchInput(end) }
  }

  func wait(seconds: Double) { end.wait(seconds: seconds) }

  /// True if standard input is a pipe or socket. A terminal or `/dev/null` says nothing about the parent.
  private static var inputIsPipe: Bool {
    var status = stat()
    return fstat(0, &status) == 0 && [S_IFIFO, S_IFSOCK].contains(status.st_mode & S_IFMT)
  }

  private static func watchInput(_ end: Latch) throws {
    try Thread.start {
      var buffer = [UInt8](repeating: 0, count: 4096)
      while read(0, &buffer, buffer.count) > 0 { continue }
      end.open()
    }
  }
}
