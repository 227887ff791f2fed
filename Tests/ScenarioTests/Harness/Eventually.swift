// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Checks the condition again and again, for at most ten seconds.
/// - Returns: true if the condition was met.
func eventually(_ condition: () throws -> Bool) rethrows -> Bool {
  for _ in 0..<1000 {
    if try condition() { return true }
    usleep(10_000)
  }
  return false
}
