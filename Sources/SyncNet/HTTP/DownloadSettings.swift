// SPDX-License-Identifier: Apache-2.0
import Curl
package import SyncCore
package import SyncDisk
import Synchronization

/// The settings that all requests of a run share.
package struct DownloadSettings: Sendable {
  package let policy: DownloadPolicy
  package let rules: TransferRules
  let mask: SecretMask
  package let mustBeMedia: Bool
  package let clock: any WallClock
  /// Sees every request.
  package let watch: RequestWatch
  let hosts: HostWatch
  let allowance: RunAllowance
  private let random: SeededRandom
  private let userAgent: String
  /// The URLs to which the manifest's headers may be sent, by playlist.
  private let scopes: [PlaylistName: CredentialScope]
  private let credentials: [PlaylistName: Credentials]
  private let route: Route
  package let hsts: HSTSStore
  /// The inputs that failures of this run depend on.
  package let inputs: TransferInputs

  package init(_ manifest: Manifest, clock: any WallClock, seed: UInt64, userAgent: String) {
    self.init(
      manifest, largest: nil, credentials: [:], hsts: HSTSStore(), clock: clock, seed: seed, userAgent: userAgent,
      began: .now
    ) { _ in }
  }

  /// - Parameters:
  ///   - largest: the size of the largest file that the library's file system takes.
  ///   - began: the start of the run.
  package init(
    _ manifest: Manifest, largest: ByteCount?, credentials: [PlaylistName: Credentials], hsts: HSTSStore,
    clock: any WallClock,
    seed: UInt64, userAgent: String, began: ContinuousClock.Instant, emit: @escaping @Sendable (RunEvent) -> Void
  ) {
    policy = manifest.downloads
    let mask = SecretMask(manifest, credentials.values, proxies: .current)
    self.mask = mask
    var rules = TransferRules(manifest.downloads, manifest.features, largest: largest)
    rules.mask = mask
    self.rules = rules
    mustBeMedia = manifest.checks.sniff
    self.clock = clock
    watch = RequestWatch(manifest, mask, emit: emit)
    random = SeededRandom(seed: seed)
    hosts = HostWatch(manifest.downloads, clock: clock, random: random, emit: emit)
    allowance = RunAllowance(manifest.downloads, began: began)
    self.userAgent = manifest.downloads.userAgent ?? userAgent
    scopes =
      manifest.downloads.headers.isEmpty
      ? [:] : manifest.playlists.reduce(into: [:]) { $0[$1.name] = $1.credentialScope }
    self.credentials = credentials
    route = Route(manifest.downloads, environment: .current)
    self.hsts = hsts
    inputs = TransferInputs(manifest, largest: largest, credentials: credentials, environment: .current)
  }

  /// A random number from 0 up to 1.
  func chance() -> Double { random.next() }

  /// The credentials of the playlists' requests: for each URL, the first playlist whose credentials may go there
  /// counts.
  func trail(of playlists: [PlaylistName]) -> CredentialTrail {
    CredentialTrail(
      playlists.compactMap { credentials[$0] }, headers: policy.headers, scopes: playlists.compactMap { scopes[$0] })
  }

  /// Notes what a response tells later requests to do (HSTS).
  func note(_ head: ResponseHead, from url: RemoteURL) {
    guard policy.tls.hsts else { return }
    hsts.note(head, from: upgraded(url), at: clock.now())
  }

  private func upgraded(_ url: RemoteURL) -> RemoteURL {
    policy.tls.hsts ? hsts.upgraded(url, at: clock.now()) : url
  }

  /// A GET request for `url` with the run's settings.
  /// - Parameters:
  ///   - isFromSource: the host came from a feed or a redirect, so it must not be one of a private network.
  ///   - credentials: the part of a trail that goes to this URL, including the manifest's headers.
  func request(
    _ url: RemoteURL, isFromSource: Bool, credentials: [CredentialField] = []
  ) -> TransferRequest {
    let url = upgraded(url)
    var request = TransferRequest(url: url.requestText(with: credentials))
    request.minimumTLS = policy.tls.min == .oneThree ? .tls13 : .tls12
    request.caFile = policy.tls.caFile
    request.pinnedPublicKeys = policy.tls.pins.map(\.text)
    request.fields = credentials.filter { $0.place == .header }.compactMap { field($0.name, $0.value.exposed) }
    request.userAgent = userAgent
    request.connectTimeout = policy.connectTimeout
    request.stallTimeout = policy.stallTimeout
    route.lead(&request, to: url, isFromSource: isFromSource)
    return request
  }

  /// True if some requests may go through a proxy, which libcurl counts as the single host of them all.
  var mayUseProxy: Bool { route.mayUseProxy }

  /// The failure of the proxy that answered in place of the server; nil for a response of the server.
  func proxyFailure(_ head: ResponseHead, _ url: RemoteURL) -> Failure? {
    guard let proxy = route.proxy(for: upgraded(url)), let detail = head.proxyProblem else { return nil }
    return mask.masked(.proxy(proxy.redacted, detail: detail))
  }

  /// The reason why a request for `url` failed.
  func failure(_ error: TransferError, _ url: RemoteURL) -> Failure {
    mask.masked(Failure(error, url: url, proxy: route.proxy(for: upgraded(url)), connect: policy.connectTimeout))
  }

  /// Nil for a field that no request may carry; the manifest's reader and the response parser let none through.
  func field(_ name: String, _ value: String) -> HeaderField? {
    do throws(HeaderField.Problem) { return try HeaderField(sending: name, value) } catch { return nil }
  }
}

/// A repeatable random source that threads may share (SplitMix64).
final class SeededRandom: Sendable {
  private let state: Mutex<UInt64>

  init(seed: UInt64) { state = Mutex(seed) }

  /// A random number from 0 up to 1.
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
