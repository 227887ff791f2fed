// SPDX-License-Identifier: Apache-2.0
import Curl
import SyncCore
import SyncDisk

/// The knowledge of one run about the network: the health of hosts, the hosts that demand https, whether there is a
/// network at all, and the part of the budget that is used. Sources and media share it, because they use the same
/// servers. It is confined to the curl loop.
final class NetworkState {
  let settings: DownloadSettings
  let emit: @Sendable (RunEvent) -> Void
  private(set) var hosts: HostHealth
  var budget: TransferBudget
  private(set) var hsts: HSTSCache
  /// The servers that do not take tokens.
  var plainOrigins: Set<RemoteURL.Origin> = []
  /// The present tokens of logins.
  var tokens: [TokenSource: AccessToken] = [:]
  /// The requests that wait for a token, by number.
  private var waiting: [Int: TokenRequest] = [:]
  private var lastWaiting = 0
  private var reachability = Reachability()
  private var random: SeededRandom
  private var announced: Set<RemoteURL.Origin> = []
  private var hasAnnouncedOffline = false
  private let stopwatch: Stopwatch
  /// It depends on every URL of the manifest, and only a failure asks for it.
  private lazy var mayBeOffline = settings.mayBeOffline

  init(
    _ settings: DownloadSettings, hsts: HSTSCache, seed: UInt64, stopwatch: Stopwatch,
    emit: @escaping @Sendable (RunEvent) -> Void
  ) {
    self.settings = settings
    self.hsts = hsts
    self.stopwatch = stopwatch
    self.emit = emit
    hosts = HostHealth(settings.policy)
    budget = TransferBudget(settings.policy)
    random = SeededRandom(seed: seed)
  }

  /// The time since the start of the run, and the clock of the pauses of hosts.
  var time: Duration { stopwatch.elapsed }

  /// A random number from 0 up to 1.
  func chance() -> Double { random.next() }

  /// The limit of the run that was reached, if any.
  var reachedLimit: RunLimit? { budget.reached(after: time) }

  // MARK: Tokens

  /// Keeps a request until its token is there.
  func wait(_ request: TokenRequest) -> Int {
    lastWaiting += 1
    waiting[lastWaiting] = request
    return lastWaiting
  }

  func endWait(_ number: Int) -> TokenRequest? { waiting.removeValue(forKey: number) }

  // MARK: Hosts

  /// - Parameter asked: when the request went out, on the clock of `time`.
  func note(_ head: ResponseHead, from url: RemoteURL, asked: Duration) {
    let failure = Failure.http(status: head.status)
    let now = settings.clock.now()
    let wait = [429, 503].contains(head.status) ? head["Retry-After"].flatMap { RetryAfter.wait($0, now: now) } : nil
    if let wait { return note(.asksToWait(failure, wait), of: url, asked: asked) }
    let isFailure = head.status == 429 || (500...599).contains(head.status)
    note(isFailure ? .failed(failure) : .served, of: url, asked: asked)
  }

  func note(_ failure: Failure, from url: RemoteURL, asked: Duration) { note(.failed(failure), of: url, asked: asked) }

  private func note(_ answer: HostHealth.Answer, of url: RemoteURL, asked: Duration) {
    hosts.note(answer, of: url.origin, asked: asked, at: time, now: settings.clock.now(), chance: chance())
  }

  /// Reports once that an origin is blocked. That is news only when some request has to be skipped: a request that
  /// failed reports itself.
  func announceBreaker(of origin: RemoteURL.Origin) {
    guard case .failing(let failure, let times)? = hosts.breakers[origin], announced.insert(origin).inserted else {
      return
    }
    emit(.warned(.hostLeftAlone(origin, times: times, failure)))
  }

  /// Blocks an origin because its server asked for a longer pause than the run can wait.
  func trip(_ origin: RemoteURL.Origin, _ failure: Failure, until: Timestamp) {
    hosts.trip(origin, .askedToWait(failure, until: until))
  }

  /// Blocks an origin that asked for a pause, on behalf of all its requests, when one of them gives up.
  func giveUp(_ origin: RemoteURL.Origin, _ failure: Failure) {
    let time = time
    guard let opening = hosts.requestedOpening(of: origin, at: time) else { return }
    trip(origin, failure, until: settings.clock.now() + (opening - time))
  }

  /// Notes that a host demands https. RFC 6797 §8.1: only the first of several fields counts.
  func noteHSTS(_ head: ResponseHead, from url: RemoteURL) {
    guard settings.policy.tls.hsts, let field = head["Strict-Transport-Security"] else { return }
    hsts.note(field, from: url, at: settings.clock.now())
  }

  // MARK: The network

  /// True if the first request failed and this machine has no route to the outside.
  var isOffline: Bool { judge { $0.isOffline(hasRoute: $1) } }

  /// True if a request failed up to its last retry, as did everything else.
  var isOfflineAfterRetries: Bool { judge { $0.isOfflineAfterRetries(hasRoute: $1) } }

  /// True if no request has been answered so far.
  var isUnanswered: Bool { mayBeOffline && !reachability.hasAnswer }

  /// Reports once that there is no network.
  func announceOffline() {
    guard !hasAnnouncedOffline else { return }
    hasAnnouncedOffline = true
    emit(.warned(.offline))
  }

  func note(_ evidence: Reachability.Evidence, host: String) { reachability.note(evidence, host: host) }

  private func judge(_ rule: (Reachability, Bool?) -> Bool) -> Bool {
    // The kernel is asked only where its answer would count.
    mayBeOffline && rule(reachability, false) && rule(reachability, Routes.haveWayOut())
  }
}

/// A repeatable random source (SplitMix64).
private struct SeededRandom {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  /// A random number from 0 up to 1.
  mutating func next() -> Double {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return Double((mixed ^ (mixed >> 31)) >> 11) * 0x1p-53
  }
}
