// SPDX-License-Identifier: Apache-2.0
package import SyncCore
import SyncDisk
import SyncFormats

/// The kernel's routes out of this machine.
enum Routes {
  /// Nil if the kernel cannot be asked.
  static func haveWayOut() -> Bool? {
    let v4 = table("/proc/net/route")
    let v6 = table("/proc/net/ipv6_route")
    // A kernel without IPv6 has no such table.
    guard let v4 else { return v6.map { RouteTables.haveWayOut(v4: "", v6: $0) } }
    return RouteTables.haveWayOut(v4: v4, v6: v6 ?? "")
  }

  private static func table(_ path: String) -> String? {
    do throws(FileError) { return String(decoding: try InputFile(path).read(), as: UTF8.self) } catch { return nil }
  }
}

/// Waits until this machine has a route to the outside.
package struct NetworkWait {
  private static let pause = Duration.milliseconds(500)

  private let emit: @Sendable (RunEvent) -> Void

  package init(emit: @escaping @Sendable (RunEvent) -> Void = { _ in }) { self.emit = emit }

  /// Returns when there is a route, when the time is over, or when the task is cancelled. Does not wait if the routes
  /// are unknown.
  package func run(for manifest: Manifest, upTo wait: Duration) async {
    guard wait > .zero, manifest.needsNetwork, !manifest.downloads.leadsThroughLocalHost, Routes.haveWayOut() == false
    else { return }
    emit(.awaitingNetwork(wait))
    let stopwatch = Stopwatch()
    while Routes.haveWayOut() == false, stopwatch.elapsed < wait {
      let rest = wait - stopwatch.elapsed
      do { try await Task.sleep(for: min(rest, Self.pause)) } catch { return }
    }
  }
}
