// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A POSIX thread that is never joined, outside the pool that tasks share.
package enum Thread {
  private final class Work: Sendable {
    let run: @Sendable () -> Void
    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }

  package static func start(_ body: @escaping @Sendable () -> Void) throws(SystemCallError) {
    let work = Unmanaged.passRetained(Work(body))
    var thread = pthread_t()
    let code = pthread_create(&thread, nil, run, work.toOpaque())
    guard code == 0 else {
      work.release()
      throw SystemCallError("pthread_create", code: code)
    }
    pthread_detach(thread)
  }

  private static let run: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = { argument in
    if let argument { Unmanaged<Work>.fromOpaque(argument).takeRetainedValue().run() }
    return nil
  }
}

/// A counted supply of places, such as threads: a pipe that holds one byte for each free place.
final class Places: Sendable {
  private let pipe: Pipe
  let count: Int

  init(_ count: Int) throws(SystemCallError) {
    pipe = try Pipe()
    self.count = count
    for _ in 0..<count { giveBack() }
  }

  deinit {
    close(pipe.readEnd)
    close(pipe.writeEnd)
  }

  /// Waits for a free place and takes it; false when the latch opened first.
  func take(unless latch: Latch? = nil) -> Bool {
    let interests = [latch?.descriptor, pipe.readEnd].compactMap { $0 }.map { Poll.Interest($0) }
    guard let ready = Poll.firstReady(interests, seconds: nil), ready == interests.count - 1 else { return false }
    var byte: UInt8 = 0
    return read(pipe.readEnd, &byte, 1) == 1
  }

  func giveBack() {
    var byte: UInt8 = 1
    write(pipe.writeEnd, &byte, 1)
  }
}
