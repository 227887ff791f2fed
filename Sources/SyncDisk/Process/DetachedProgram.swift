// SPDX-License-Identifier: Apache-2.0
import CPosix
import Glibc
import SyncCore

/// A program that lives on when this process ends, such as a browser. It gets no streams.
package enum DetachedProgram {
  /// - Returns: True if it was started.
  package static func start(_ words: [String]) -> Bool {
    let null = open("/dev/null", O_RDWR | O_CLOEXEC)
    guard null >= 0 else { return false }
    defer { close(null) }
    do throws(ProcessFailure) {
      _ = try ProgramStart(words: words, streams: [null, null, null], leadsGroup: true)()
      return true
    } catch { return false }
  }
}
