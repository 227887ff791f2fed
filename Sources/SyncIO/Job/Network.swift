// SPDX-License-Identifier: Apache-2.0
import Curl
import SyncCore
import SyncFormats

/// The transfer engine of one run and the terms on which it is used.
struct Network: Sendable {
  let loop: CurlLoop
  let settings: DownloadSettings
  private let keeper: BandwidthKeeper

  init(
    _ manifest: Manifest, clock: any WallClock, seed: UInt64?, userAgent: String,
    began: ContinuousClock.Instant = .now, tell: @escaping @Sendable (RunEvent) -> Void = { _ in }
  ) throws(JobError) {
    do throws(CurlLoop.Unavailable) { loop = try CurlLoop() } catch {
      throw .engineFailed(detail: "\(error)")
    }
    settings = DownloadSettings(
      manifest, clock: clock, seed: seed ?? UInt64.random(in: .min ... .max), userAgent: userAgent, began: began,
      tell: tell)
    keeper = BandwidthKeeper(loop: loop, bandwidth: manifest.downloads.bandwidth, clock: clock)
  }

  /// Keeps to `downloads.bandwidth` from now on.
  func begin() async { await keeper.begin() }

  func close() async { await loop.shutdown() }
}
