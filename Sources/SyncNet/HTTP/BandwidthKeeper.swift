// SPDX-License-Identifier: Apache-2.0
package import Curl
package import SyncCore
package import SyncDisk

/// Applies the bandwidth limit for the time of day to the loop, for as long as the run lasts.
package actor BandwidthKeeper {
  package nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

  private let loop: CurlLoop
  private let bandwidth: Bandwidth
  private let clock: any WallClock

  package init(loop: CurlLoop, bandwidth: Bandwidth, clock: any WallClock) {
    self.loop = loop
    self.bandwidth = bandwidth
    self.clock = clock
  }

  private var limit: ByteRate?

  /// Called before the first transfer.
  package func begin() { keep() }

  private func keep() {
    let now = clock.now()
    let limit = bandwidth.limit(at: LocalTime(now))
    if limit != self.limit { loop.limit(bytesPerSecond: limit?.bytesPerSecond) }
    self.limit = limit
    guard case .timetable = bandwidth else { return }
    // Entries begin at full minutes. A look at each minute, instead of a wait for the next entry, follows a clock that
    // is set.
    let seconds = ((now.secondsSince1970 % 60) + 60) % 60
    loop.after(.seconds(60 - seconds)) { [weak self] in self?.assumeIsolated { $0.keep() } }
  }
}
