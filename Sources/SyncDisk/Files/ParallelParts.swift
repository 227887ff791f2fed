// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Glibc
import SyncCore
import Synchronization

/// Does the parts of some work on all processors, up to eight.
package struct ParallelParts: PartRunner {
  package let width: Int

  private static let greatestWidth = 8

  package init() { width = min(Self.greatestWidth, max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))))) }

  package func run<Part: Sendable, Value: Sendable>(
    _ parts: [Part], _ work: @Sendable (Part) -> Value
  ) -> [Value] {
    let results = Mutex<[(index: Int, value: Value)]>([])
    DispatchQueue.concurrentPerform(iterations: parts.count) { index in
      let value = work(parts[index])
      results.withLock { $0.append((index, value)) }
    }
    return results.withLock { $0 }.sorted { $0.index < $1.index }.map(\.value)
  }
}
