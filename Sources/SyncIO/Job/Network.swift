// SPDX-License-Identifier: Apache-2.0
import Curl
import SyncCore
import SyncFormats

/// The transfer engine of one run and the terms on which it is used.
struct Network: Sendable {
  let loop: CurlLoop
  let settings: DownloadSettings

  init(
    _ manifest: Manifest, clock: any WallClock, seed: UInt64?, userAgent: String,
    tell: @escaping @Sendable (RunEvent) -> Void = { _ in }
  ) throws(JobError) {
    do throws(CurlLoop.Unavailable) { loop = try CurlLoop() } catch {
      throw .engineFailed(detail: "\(error)")
    }
    settings = DownloadSettings(
      manifest, clock: clock, seed: seed ?? UInt64.random(in: .min ... .max), userAgent: userAgent, tell: tell)
  }

  func close() async { await loop.shutdown() }
}
