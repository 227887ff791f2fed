// SPDX-License-Identifier: Apache-2.0
package import Curl
package import SyncCore
package import SyncDisk

/// The one HTTP client of a run, for media and sources. Credentials, HTTPS by HSTS, proxies, the health of hosts and
/// the budget are applied here and nowhere else.
///
/// Its executor is the curl loop. Actors that have the same executor send requests without waiting, others ask it with
/// `await`.
package actor HTTPClient {
  package nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

  nonisolated let loop: CurlLoop
  package nonisolated let settings: DownloadSettings
  private nonisolated let confined: LoopConfined<NetworkState>
  /// The bandwidth limit at this time of day.
  private(set) var limit: ByteRate?
  /// The requests that `result` waits for, by number.
  private var awaited: [Int: TransferID] = [:]
  /// Nil if no request needs a token.
  private var keeper: TokenKeeper?
  private var lastAwaited = 0

  /// - Parameters:
  ///   - hsts: The hosts that demand https, as learnt in earlier runs.
  ///   - seed: Makes the random choices of a run repeatable.
  ///   - stopwatch: Runs since the start of the run, including everything that it waited for before its first request.
  package init(
    loop: CurlLoop, settings: DownloadSettings, hsts: HSTSCache = HSTSCache(), seed: UInt64,
    stopwatch: Stopwatch, emit: @escaping @Sendable (RunEvent) -> Void = { _ in }
  ) {
    self.loop = loop
    self.settings = settings
    let state = NetworkState(settings, hsts: hsts, seed: seed, stopwatch: stopwatch, emit: emit)
    confined = LoopConfined(state, to: loop)
  }

  /// For code on the loop's thread only.
  nonisolated var state: NetworkState { confined.value }

  /// Sends a request. The loop holds `sink` until its `ended`, which never comes before this method returns. For code on
  /// the loop's thread only.
  /// - Parameter trail: The credentials of the request and of those that redirected it.
  nonisolated func send(
    _ request: HTTPRequest, along trail: inout CredentialTrail, to sink: any HTTPSink
  ) -> TransferID {
    let state = state
    let now = settings.clock.now()
    let isPlain = state.plainOrigins.contains(request.url.origin)
    let credentials = trail.fields(for: request.url, isRedirect: request.isRedirect, isPlain: isPlain, at: now)
    let url = settings.policy.tls.hsts ? state.hsts.upgraded(request.url, at: now) : request.url
    let receiver = HTTPReceiver(request.url, sent: url, sink: sink, state: state)
    if let tokens = credentials.lazy.compactMap(\.tokens).first {
      return TokenRequest(self, request, to: url, credentials, tokens, receiver).begin()
    }
    announce(request)
    return loop.start(settings.transfer(request, to: url, credentials: credentials), receiver)
  }

  /// Reports that a request goes out. For code on the loop's thread only.
  nonisolated func announce(_ request: HTTPRequest) {
    let (shown, start) = (settings.mask.masked(request.url), request.range?.first ?? .zero)
    state.emit(.asked(.sent(shown, from: start, isPost: request.body != nil)))
  }

  // MARK: Tokens

  /// Gives the client the keeper of the tokens, before the first request.
  func take(_ keeper: TokenKeeper) { self.keeper = keeper }

  /// Asks for a token, which the request gets later. For code on the loop's thread only.
  /// - Parameter rejected: The token that a server has just refused.
  nonisolated func obtainToken(for request: TokenRequest, _ source: TokenSource, besides rejected: Secret?) {
    let number = state.wait(request)
    Task { await self.obtainToken(number, source, besides: rejected) }
  }

  private func obtainToken(_ number: Int, _ source: TokenSource, besides rejected: Secret?) async {
    let result: Result<AccessToken, Failure> =
      if let keeper { await keeper.token(source, besides: rejected) } else { .failure(.cancelled) }
    state.tokens[source] = { if case .success(let token) = result { token } else { nil } }()
    state.endWait(number)?.received(result)
  }

  /// Sends a request and waits for the result that its sink gives. Ends at once if the task is cancelled.
  /// - Parameters:
  ///   - limit: The time after which the request is cancelled. Nil for none.
  ///   - sink: Makes the sink, which calls its argument exactly once, at the end.
  func result<Value: Sendable>(
    of request: HTTPRequest, along trail: inout CredentialTrail, within limit: Duration? = nil,
    to sink: @Sendable (@escaping @Sendable (Result<Value, Failure>) -> Void) -> any HTTPSink
  ) async -> Result<Value, Failure> {
    lastAwaited += 1
    let number = lastAwaited
    defer { awaited[number] = nil }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        guard !Task.isCancelled else { return continuation.resume(returning: .failure(.cancelled)) }
        let id = send(request, along: &trail, to: sink { continuation.resume(returning: $0) })
        awaited[number] = id
        if let limit { loop.after(limit) { [loop] in loop.cancel(id) } }
      }
    } onCancel: {
      Task { await self.cancel(number) }
    }
  }

  private func cancel(_ number: Int) { if let id = awaited[number] { loop.cancel(id) } }
}

// MARK: - For code elsewhere

extension HTTPClient {
  /// True if the first request failed and this machine has no route to the outside.
  package var isOffline: Bool { state.isOffline }

  /// True if a request failed up to its last retry, as did everything else.
  package var isOfflineAfterRetries: Bool { state.isOfflineAfterRetries }

  /// Reports once that there is no network.
  package func announceOffline() { state.announceOffline() }

  /// The hosts that demand https, as learnt in this run and in earlier ones.
  var hsts: HSTSCache { state.hsts }

  /// Applies the bandwidth limit for the time of day, for as long as the run lasts. Called before the first request.
  func keepBandwidth() {
    let now = settings.clock.now()
    let limit = settings.policy.bandwidth.limit(at: LocalTime(now))
    if limit != self.limit { loop.limit(bytesPerSecond: limit?.bytesPerSecond) }
    self.limit = limit
    guard case .timetable = settings.policy.bandwidth else { return }
    // Entries begin at full minutes. A look at each minute, instead of a wait for the next entry, follows a clock that
    // is set.
    let seconds = ((now.secondsSince1970 % 60) + 60) % 60
    loop.after(.seconds(60 - seconds)) { [weak self] in self?.assumeIsolated { $0.keepBandwidth() } }
  }
}
