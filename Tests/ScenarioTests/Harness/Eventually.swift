// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Asks again and again, for ten seconds at the most.
/// - Returns: whether the condition came to hold.
func eventually(_ condition: () throws -> Bool) rethrows -> Bool {
  for _ in 0..<1000 {
    if try condition() { return true }
    usleep(10_000)
  }
  return false
}
