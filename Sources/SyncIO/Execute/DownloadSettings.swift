// SPDX-License-Identifier: Apache-2.0
import Curl
package import SyncCore
import Synchronization

/// What all requests of a run share.
package struct DownloadSettings: Sendable {
  package let policy: DownloadPolicy
  package let rules: TransferRules
  let mask: SecretMask
  package let mustBeMedia: Bool
  package let clock: any WallClock
  /// Sees every request.
  let watch: RequestWatch
  let hosts: HostWatch
  let allowance: RunAllowance
  private let random: SeededRandom
  private let userAgent: String
  /// Where the manifest's headers may go, by playlist.
  private let scopes: [PlaylistName: CredentialScope]
  private let credentials: [PlaylistName: Credentials]
  private let route: Route
  let hsts: HSTSStore
  /// What failures of this run rest on.
  let inputs: TransferInputs

  package init(_ manifest: Manifest, clock: any WallClock, seed: UInt64, userAgent: String) {
    self.init(
      manifest, largest: nil, credentials: [:], hsts: HSTSStore(), clock: clock, seed: seed, userAgent: userAgent,
      began: .now
    ) { _ in }
  }

  /// - Parameters:
  ///   - largest: the size of the largest file that the library's place takes.
  ///   - began: when the run did.
  init(
    _ manifest: Manifest, largest: ByteCount?, credentials: [PlaylistName: Credentials], hsts: HSTSStore,
    clock: any WallClock,
    seed: UInt64, userAgent: String, began: ContinuousClock.Instant, tell: @escaping @Sendable (RunEvent) -> Void
  ) {
    policy = manifest.downloads
    let mask = SecretMask(manifest, credentials.values, proxies: .current)
    self.mask = mask
    var rules = TransferRules(manifest.downloads, manifest.features, largest: largest)
    rules.mask = mask
    self.rules = rules
    mustBeMedia = manifest.checks.sniff
    self.clock = clock
    watch = RequestWatch(manifest, mask, tell: tell)
    random = SeededRandom(seed: seed)
    hosts = HostWatch(manifest.downloads, clock: clock, random: random, tell: tell)
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

  /// From 0 up to 1.
  func chance() -> Double { random.next() }

  /// With which the playlists' requests prove who asks: the first of them whose credentials may go to a URL counts.
  func trail(of playlists: [PlaylistName]) -> CredentialTrail {
    CredentialTrail(
      playlists.compactMap { credentials[$0] }, headers: policy.headers, scopes: playlists.compactMap { scopes[$0] })
  }

  /// What an answer says that later requests have to heed.
  func note(_ head: ResponseHead, from url: RemoteURL) {
    guard policy.tls.hsts else { return }
    hsts.note(head, from: upgraded(url), at: clock.now())
  }

  private func upgraded(_ url: RemoteURL) -> RemoteURL {
    policy.tls.hsts ? hsts.upgraded(url, at: clock.now()) : url
  }

  /// A GET of `url` on the run's terms.
  /// - Parameters:
  ///   - isFromSource: the host came from a feed or a redirect, so it must not be one of a private network.
  ///   - credentials: what of a trail goes to this URL, the manifest's headers included.
  func request(
    _ url: RemoteURL, isFromSource: Bool, credentials: [CredentialField] = []
  ) -> TransferRequest {
    let url = upgraded(url)
    var request = TransferRequest(url: url.requestText)
    request.minimumTLS = policy.tls.min == .oneThree ? .tls13 : .tls12
    request.caFile = policy.tls.caFile
    request.pinnedPublicKeys = policy.tls.pins.map(\.text)
    request.fields = credentials.compactMap { field($0.name, $0.value.exposed) }
    request.userAgent = userAgent
    request.connectTimeout = policy.connectTimeout
    request.stallTimeout = policy.stallTimeout
    route.lead(&request, to: url, isFromSource: isFromSource)
    return request
  }

  /// Whether some requests may go through a proxy, which libcurl takes for the one host of all of them.
  var mayUseProxy: Bool { route.mayUseProxy }

  /// The failure of the proxy that answered in place of the server; nil for an answer of the server.
  func proxyFailure(_ head: ResponseHead, _ url: RemoteURL) -> Failure? {
    guard let proxy = route.proxy(for: upgraded(url)), let detail = head.proxyProblem else { return nil }
    return mask.masked(.proxy(proxy.redacted, detail: detail))
  }

  /// Why a request for `url` came to nothing.
  func failure(_ error: TransferError, _ url: RemoteURL) -> Failure {
    mask.masked(Failure(error, url: url, proxy: route.proxy(for: upgraded(url)), connect: policy.connectTimeout))
  }

  /// Nil for what no request may carry; the manifest's reader and the response parser let no such thing through.
  func field(_ name: String, _ value: String) -> HeaderField? {
    do throws(HeaderField.Problem) { return try HeaderField(sending: name, value) } catch { return nil }
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
