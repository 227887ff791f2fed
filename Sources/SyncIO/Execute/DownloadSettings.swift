// SPDX-License-Identifier: Apache-2.0
import Curl
package import SyncCore
import Synchronization

/// What all requests of a run share.
package struct DownloadSettings: Sendable {
  package let policy: DownloadPolicy
  package let rules: TransferRules
  package let mustBeMedia: Bool
  package let clock: any WallClock
  /// Sees every request.
  let watch: RequestWatch
  let hosts: HostWatch
  let allowance: RunAllowance
  private let random: SeededRandom
  private let userAgent: String
  /// The origins that the manifest itself names: its headers go nowhere else.
  private let manifestOrigins: Set<RemoteURL.Origin>

  /// - Parameter began: when the run did.
  package init(
    _ manifest: Manifest, clock: any WallClock, seed: UInt64, userAgent: String,
    began: ContinuousClock.Instant = .now,
    tell: @escaping @Sendable (RunEvent) -> Void = { _ in }
  ) {
    policy = manifest.downloads
    rules = TransferRules(manifest.downloads, manifest.features)
    mustBeMedia = manifest.checks.sniff
    self.clock = clock
    watch = RequestWatch(manifest, tell: tell)
    hosts = HostWatch(manifest.downloads, clock: clock, tell: tell)
    allowance = RunAllowance(manifest.downloads, began: began)
    random = SeededRandom(seed: seed)
    self.userAgent = manifest.downloads.userAgent ?? userAgent
    manifestOrigins = manifest.namedOrigins
  }

  /// From 0 up to 1.
  func chance() -> Double { random.next() }

  /// A GET of `url` on the run's terms.
  /// - Parameters:
  ///   - isOriginOfManifest: the manifest wrote this origin for this very transfer.
  ///   - isFromSource: the host came from a feed or a redirect, so it must not be one of a private network.
  func request(_ url: RemoteURL, isOriginOfManifest: Bool, isFromSource: Bool) -> TransferRequest {
    var request = TransferRequest(url: url.text)
    request.userAgent = userAgent
    request.connectTimeout = policy.connectTimeout
    request.stallTimeout = policy.stallTimeout
    if isOriginOfManifest, manifestOrigins.contains(url.origin) {
      request.fields += policy.headers.compactMap { field($0.name, $0.value) }
    }
    if isFromSource {
      let (addresses, host) = (policy.addresses, url.host)
      request.allowsAddress = { addresses.allows(host: host, address: $0.address) }
    }
    return request
  }

  /// Nil for what no request may carry; the manifest's reader and the response parser let no such thing through.
  func field(_ name: String, _ value: String) -> HeaderField? {
    do throws(HeaderField.Problem) { return try HeaderField(sending: name, value) } catch { return nil }
  }
}

extension Manifest {
  fileprivate var namedOrigins: Set<RemoteURL.Origin> {
    var origins: Set<RemoteURL.Origin> = []
    for playlist in playlists {
      switch playlist.source {
      case .items(let items):
        for item in items { origins.formUnion(([item.main] + item.alternatives).map(\.url.origin)) }
      case .feed(let feed):
        if case .remote(let url) = feed.location { origins.insert(url.origin) }
      }
    }
    return origins
  }
}

/// A repeatable source of chance that threads may share (SplitMix64).
final class SeededRandom: Sendable {
  private let state: Mutex<UInt64>

  init(seed: UInt64) { state = Mutex(seed) }

  /// From 0 up to 1.
  func next() -> Double {
    let bits = state.withLock { state in
      state &+= 0x9E37_79B9_7F4A_7C15
      var mixed = state
      mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
      mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
      return mixed ^ (mixed >> 31)
    }
    return Double(bits >> 11) * 0x1p-53
  }
}
