// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Checks the condition again and again, for ten seconds unless told otherwise.
/// - Returns: true if the condition was met.
func eventually(within seconds: Int = 10, _ condition: () throws -> Bool) rethrows -> Bool {
  for _ in 0..<seconds * 100 {
    if try condition() { return true }
    usleep(10_000)
  }
  return false
}
