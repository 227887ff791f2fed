// SPDX-License-Identifier: Apache-2.0

import Glibc
import Synchronization

/// A latch that opens once and stays open. It is a pipe, so that `poll` can wait for it and a socket together.
package final class Latch: Sendable {
  /// Readable when the latch is open.
  let descriptor: Int32
  private let writeEnd: Mutex<Int32?>

  package init() throws(SystemCallError) {
    let pipe = try Pipe()
    descriptor = pipe.readEnd
    writeEnd = Mutex(pipe.writeEnd)
  }

  deinit {
    open()
    close(descriptor)
  }

  /// Opens the latch; later calls change nothing.
  /// - Returns: true if this call opened it.
  @discardableResult package func open() -> Bool {
    writeEnd.withLock { end in
      guard let descriptor = end else { return false }
      // It writes a byte, because a child that inherited the end would keep the pipe from hanging up.
      var byte: UInt8 = 1
      write(descriptor, &byte, 1)
      close(descriptor)
      end = nil
      return true
    }
  }

  package var isOpen: Bool { writeEnd.withLock { $0 == nil } }

  /// Waits until the latch is opened.
  /// - Returns: false when `seconds` were over first.
  @discardableResult package func wait(seconds: Double = 10) -> Bool {
    Poll.firstReady([Poll.Interest(descriptor)], seconds: seconds) != nil
  }
}

/// A place where a response stops until the test releases it, so that tests need no sleeps.
package final class Gate: Sendable {
  private let arrival: Latch
  let opening: Latch

  package init() throws(SystemCallError) {
    arrival = try Latch()
    opening = try Latch()
  }

  /// Releases everything that waits here, now or later.
  package func open() { opening.open() }

  /// Waits until a response has stopped at the gate.
  /// - Returns: false when `seconds` were over first.
  @discardableResult package func waitForArrival(seconds: Double = 10) -> Bool { arrival.wait(seconds: seconds) }

  func arrive() { arrival.open() }
}
