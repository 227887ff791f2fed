// SPDX-License-Identifier: Apache-2.0
import Curl
package import SyncCore
package import SyncDisk
package import SyncFormats

/// Makes and ends logins at OAuth 2 providers, on an engine of its own.
package struct ProviderLogin: Sendable {
  private let client: OAuthClient
  private let account: OAuthAccount
  private let store: TokenStore
  private let http: HTTPClient
  private let provider: ProviderClient

  /// The time for the person.
  private static let patience = Duration.minutes(10)
  /// The time to wait for a renewal by another process.
  private static let wait = Duration.minutes(2)

  /// The terms of its requests.
  package struct Terms: Sendable {
    package let downloads: DownloadPolicy
    package let clock: any WallClock
    package let userAgent: String

    package init(_ downloads: DownloadPolicy, clock: any WallClock, userAgent: String) {
      (self.downloads, self.clock, self.userAgent) = (downloads, clock, userAgent)
    }
  }

  /// - Throws: The reason why the engine cannot start.
  package init(
    _ client: OAuthClient, _ account: OAuthAccount, _ store: TokenStore, _ terms: Terms,
    emit: @escaping @Sendable (RunEvent) -> Void
  ) throws(JobError) {
    (self.client, self.account, self.store) = (client, account, store)
    var credentials = RunCredentials()
    credentials.accounts = [account.source: account]
    let settings = DownloadSettings(
      Manifest(name: "", library: LibrarySettings(path: "/"), downloads: terms.downloads), credentials: credentials,
      clock: terms.clock, userAgent: terms.userAgent)
    http = HTTPClient(
      loop: try Network.loop(), settings: settings, seed: UInt64.random(in: .min ... .max), stopwatch: Stopwatch(),
      emit: emit)
    provider = ProviderClient(http)
  }

  package func close() async { await http.loop.shutdown() }

  /// A problem as it may be shown.
  private func shown(_ problem: LoginProblem) -> LoginProblem { http.settings.mask.masked(problem) }

  // MARK: Login

  /// - Parameters:
  ///   - wanted: The way that was asked for. Nil for none.
  ///   - tell: Gets what the person has to know.
  package func logIn(
    _ wanted: LoginWay?, browser: BrowserSigns, tell: @escaping @Sendable (LoginStep) -> Void
  ) async -> Result<OAuthTokens, LoginProblem> {
    do throws(LoginProblem) {
      // Where the tokens could not be kept, nobody is asked for them.
      try await locked { locked throws(LoginProblem) in
        _ = try locked.begin(at: http.settings.clock.now())
        try locked.abandon()
      }
      let endpoints = try await provider.endpoints(of: client).get()
      let way: LoginWay
      do throws(LoginDefect) {
        way = try LoginWay.choose(wanted, hasBrowser: browser.opener != nil, endpoints)
      } catch { throw .unusable(host: client.host, error) }
      let asked: Timestamp
      let grant: TokenGrant
      switch way {
      case .device: (grant, asked) = try await throughDevice(endpoints, tell)
      case .browser, .url:
        (grant, asked) = try await throughBrowser(endpoints, way == .browser ? browser.opener : nil, tell)
      }
      let tokens = OAuthTokens(
        login: RandomText.make(bytes: 16), access: grant.access, refresh: grant.refresh, issuedAt: asked,
        lifetime: grant.lifetime, endpoints: endpoints)
      try await locked { locked throws(LoginProblem) in
        try locked.commit(tokens, to: try locked.begin(at: http.settings.clock.now()))
      }
      return .success(tokens)
    } catch { return .failure(shown(error)) }
  }

  private func throughBrowser(
    _ endpoints: OAuthEndpoints, _ opener: String?, _ tell: @Sendable (LoginStep) -> Void
  ) async throws(LoginProblem) -> (TokenGrant, Timestamp) {
    let listener = try LoopbackListener()
    let verifier = RandomText.make(bytes: 32)
    let request = CodeRequest(
      client, endpoints, redirect: listener.redirect, state: RandomText.make(bytes: 16), verifier: Secret(verifier),
      digest: RandomText.sha256(of: verifier))
    http.settings.learnt.add([Secret(verifier)])
    guard let url = request.url else { throw .unusable(host: client.host, .noEndpoint(.authorization)) }
    let isOpened = opener.map { DetachedProgram.start([$0, url.text]) } ?? false
    tell(isOpened ? .opened(url: url.text) : .open(url: url.text, redirect: listener.redirect))
    let values = await listener.answer(within: Self.patience, takesInput: !isOpened) { values in
      do throws(LoginProblem) {
        _ = try request.code(in: values)
        return LoginPage.taken
      } catch {
        switch error {
        case .wrongState, .wrongIssuer: return LoginPage.wrong
        default: return LoginPage.refused
        }
      }
    }
    guard let values else { throw .expired }
    let code = try request.code(in: values)
    http.settings.learnt.add([code])
    let asked = http.settings.clock.now()
    return (try await provider.grant(request.exchange(code), client, account.secret, endpoints).get(), asked)
  }

  private func throughDevice(
    _ endpoints: OAuthEndpoints, _ tell: @Sendable (LoginStep) -> Void
  ) async throws(LoginProblem) -> (TokenGrant, Timestamp) {
    let offer = try await provider.offer(client, account.secret, endpoints).get()
    let stopwatch = Stopwatch()
    tell(.device(offer))
    var polling = DevicePolling(offer)
    var step = polling.first
    var asked = http.settings.clock.now()
    let form = [
      ("grant_type", "urn:ietf:params:oauth:grant-type:device_code"), ("device_code", offer.code.exposed),
    ]
    while true {
      switch step {
      case .granted(let grant): return (grant, asked)
      case .failed(let problem): throw problem
      case .wait(let pause): do { try await Task.sleep(for: pause) } catch { throw .expired }
      }
      asked = http.settings.clock.now()
      let answer = await provider.grant(form, client, account.secret, endpoints)
      step = polling.next(after: answer, elapsed: stopwatch.elapsed)
    }
  }

  // MARK: Logout

  /// Ends the login at the provider, as far as it takes that, and removes its tokens here.
  /// - Returns: Nil if there was no login; otherwise whether the provider took it.
  package func logOut() async throws(LoginProblem) -> Result<Bool, LoginProblem>? {
    let locked = try await store.lock(waiting: Self.wait, sleep: LoginPause.sleep)
    var tokens: OAuthTokens?
    do throws(LoginProblem) { tokens = try locked.read() } catch {
      guard case .fileDamaged = error else { throw error }
      // Nobody can tell the provider what they were.
      try locked.remove()
      try locked.release()
      return .success(false)
    }
    guard let tokens else {
      try locked.remove()
      return nil
    }
    http.settings.learnt.add(tokens.secrets)
    let revoked = await provider.revoke(tokens, client, account.secret)
    try locked.remove()
    try locked.release()
    let couldBe = tokens.endpoints.revocation != nil
    return revoked.map { couldBe }.mapError(shown)
  }

  private func locked(
    _ body: (LockedTokens) throws(LoginProblem) -> Void
  ) async throws(LoginProblem) {
    let locked = try await store.lock(waiting: Self.wait, sleep: LoginPause.sleep)
    try body(locked)
    try locked.release()
  }
}

/// Waits between two looks at a lock.
enum LoginPause {
  static func sleep(_ pause: Duration) async -> Bool {
    do {
      try await Task.sleep(for: pause)
      return true
    } catch { return false }
  }
}

/// Random texts of the alphabet for URLs, from the system's generator.
enum RandomText {
  static func make(bytes count: Int) -> String {
    var generator = SystemRandomNumberGenerator()
    return Base64.encodedForURL((0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) })
  }

  static func sha256(of text: String) -> [UInt8] {
    var digest = RunningDigest()
    Array(text.utf8).withUnsafeBytes { digest.update($0) }
    let digits = Array(digest.finishHash().hex)
    return stride(from: 0, to: digits.count, by: 2).compactMap { UInt8(String(digits[$0..<$0 + 2]), radix: 16) }
  }
}
