// SPDX-License-Identifier: Apache-2.0

import Glibc
import Synchronization

/// Samples a running program again and again, on a separate thread, until it has ended. The peak memory of wait4(2)
/// does not help: it outlives `exec`, so that a child of a large process starts with its parent's peak.
package final class ProcessWatch: Sendable {
  package struct Sample: Sendable {
    /// The result of `progress`.
    package let progress: Int
    package let residentKiB: Int
    /// The peak so far.
    package let peakKiB: Int
    /// The resident memory without the pages of files, such as the program's own code.
    package let anonymousKiB: Int
    package let descriptors: Int
  }

  private final class Samples: Sendable {
    let list = Mutex<[Sample]>([])
    let end: Latch

    init() throws(SystemCallError) { end = try Latch() }
  }

  private let collected: Samples

  /// - Parameter progress: the progress of the program, which is kept with each sample.
  package init(
    _ pid: Int32, everyMilliseconds: UInt32 = 20, progress: @escaping @Sendable () -> Int
  ) throws(SystemCallError) {
    let collected = try Samples()
    self.collected = collected
    try Thread.start {
      while let sample = Self.look(at: pid, progress()) {
        collected.list.withLock { $0.append(sample) }
        usleep(everyMilliseconds * 1000)
      }
      collected.end.open()
    }
  }

  /// Every sample, once the program has ended.
  package var samples: [Sample] {
    collected.end.wait(seconds: 60)
    return collected.list.withLock { $0 }
  }

  /// Nil for a program that has ended: even before its parent has waited for it, it has no memory (proc_pid_status(5)).
  private static func look(at pid: Int32, _ progress: Int) -> Sample? {
    do throws(SystemCallError) {
      let status = try FileBytes.text("/proc/\(pid)/status")
      guard let peak = kibibytes("VmHWM:", in: status), let resident = kibibytes("VmRSS:", in: status),
        let anonymous = kibibytes("RssAnon:", in: status)
      else { return nil }
      let descriptors = try FileTree.names("/proc/\(pid)/fd").count
      return Sample(
        progress: progress, residentKiB: resident, peakKiB: peak, anonymousKiB: anonymous, descriptors: descriptors)
    } catch { return nil }
  }

  private static func kibibytes(_ name: String, in status: String) -> Int? {
    let line = status.split(separator: "\n").first { $0.hasPrefix(name) }
    return line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) }
  }
}
