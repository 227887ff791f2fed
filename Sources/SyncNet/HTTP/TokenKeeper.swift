// SPDX-License-Identifier: Apache-2.0
package import SyncCore
package import SyncDisk
import SyncFormats

/// Has the tokens of a run's logins: reads them, renews them in time or after a server refused one, and stores new ones
/// before it gives them out. For one login there is one renewal at a time.
package actor TokenKeeper {
  private let client: HTTPClient
  private let provider: ProviderClient
  private let runner: any ProcessRunner
  private let accounts: [TokenSource: OAuthAccount]
  private var running: [TokenSource: Task<Result<AccessToken, Failure>, Never>] = [:]
  /// The logins that give no token any more in this run.
  private var failed: [TokenSource: Failure] = [:]
  private var isClosing = false
  /// The latest tokens, and the times of those that took the place of one that a server refused.
  private var latest: [TokenSource: AccessToken] = [:]
  private var exchanged: [TokenSource: Duration] = [:]
  private let stopwatch = Stopwatch()

  /// A server that refuses every token must not cause as many renewals as requests.
  private static let shortestLife = Duration.seconds(10)
  /// The time to wait for a renewal by another process.
  private static let wait = Duration.minutes(2)

  package init(
    _ client: HTTPClient, _ accounts: [TokenSource: OAuthAccount], runner: any ProcessRunner = POSIXProcessRunner()
  ) {
    (self.client, self.accounts, self.runner) = (client, accounts, runner)
    provider = ProviderClient(client)
  }

  private var now: Timestamp { client.settings.clock.now() }
  private var learnt: LearntSecrets { client.settings.learnt }

  /// A token that can be sent.
  /// - Parameter rejected: The token that a server has just refused.
  package func token(_ source: TokenSource, besides rejected: Secret?) async -> Result<AccessToken, Failure> {
    while true {
      if let failure = failed[source] { return .failure(failure) }
      guard !isClosing else { return .failure(.cancelled) }
      guard let task = running[source] else { break }
      let result = await task.value
      // A renewal that began before the refusal may have brought the token that was refused.
      guard case .success(let token) = result, token.secret == rejected else { return result }
    }
    let task = Task { await self.obtain(source, besides: rejected) }
    running[source] = task
    return await task.value
  }

  private func obtain(_ source: TokenSource, besides rejected: Secret?) async -> Result<AccessToken, Failure> {
    let result: Result<AccessToken, Failure>
    do throws(LoginProblem) {
      let token =
        if let token = refusedAgain(source, rejected) { token } else { try await current(source, besides: rejected) }
      latest[source] = token
      result = .success(token)
    } catch {
      let command = accounts[source]?.command ?? ""
      let failure = client.settings.mask.masked(Failure.login(error, command: command))
      if case .unanswered(_, .cancelled) = error { result = .failure(.cancelled) } else { result = .failure(failure) }
      failed[source] = failure
    }
    running[source] = nil
    return result
  }

  /// Waits a moment for renewals, so that their answers are not lost.
  package func close(within limit: Duration) async {
    isClosing = true
    let tasks = Array(running.values)
    guard !tasks.isEmpty else { return }
    await withTaskGroup(of: Void.self) { group in
      group.addTask { for task in tasks { _ = await task.value } }
      group.addTask { do { try await Task.sleep(for: limit) } catch { return } }
      await group.next()
      group.cancelAll()
    }
  }

  /// The refused token once more, if another was refused a moment ago: the server means something else.
  private func refusedAgain(_ source: TokenSource, _ rejected: Secret?) -> AccessToken? {
    guard let rejected, let token = latest[source], token.secret == rejected, token.standing(at: now) != .over else {
      return nil
    }
    if let time = exchanged[source], stopwatch.elapsed - time < Self.shortestLife { return token }
    exchanged[source] = stopwatch.elapsed
    return nil
  }

  // MARK: Tokens

  private func current(
    _ source: TokenSource, besides rejected: Secret?
  ) async throws(LoginProblem) -> AccessToken {
    switch source {
    case .command(let words): return try await printed(by: words)
    case .login(let client):
      guard let account = accounts[source], let store = account.store, let tokens = try store.read() else {
        throw .notLoggedIn
      }
      learnt.add(tokens.secrets)
      switch RenewalRule.decision(tokens, rejected: rejected, at: now) {
      case .use: return tokens.token
      case .fail(let problem): throw problem
      case .renew: break
      }
      do throws(LoginProblem) { return try await renewed(client, account, store, besides: rejected) } catch {
        guard RenewalRule.mayGoOn(with: tokens, after: error, rejected: rejected, at: now) else { throw error }
        return tokens.token.last
      }
    }
  }

  private func printed(by words: [String]) async throws(LoginProblem) -> AccessToken {
    do throws(SecretProblem) {
      let asked = now
      let grant = try OAuthAnswer.printed(try await SecretCommand(words, runner: runner).output(), by: words[0])
      learnt.add([grant.access])
      return AccessToken(grant.access, issuedAt: asked, lifetime: grant.lifetime)
    } catch { throw .command(error) }
  }

  private func renewed(
    _ client: OAuthClient, _ account: OAuthAccount, _ store: TokenStore, besides rejected: Secret?
  ) async throws(LoginProblem) -> AccessToken {
    let locked = try await store.lock(waiting: Self.wait, sleep: Self.pause)
    // Another process may have renewed them meanwhile.
    guard let tokens = try locked.read() else { throw .notLoggedIn }
    learnt.add(tokens.secrets)
    switch RenewalRule.decision(tokens, rejected: rejected, at: now) {
    case .use: return tokens.token
    case .fail(let problem): throw problem
    case .renew: break
    }
    guard let refresh = tokens.refresh else { throw .notRenewable }
    let (asked, file) = (now, try locked.begin(at: now))
    let renewed: OAuthTokens
    do throws(LoginProblem) {
      let grant = try await grant(refresh, client, account.secret, tokens.endpoints, after: locked.interruptedAt)
      renewed = tokens.renewed(by: grant, at: asked)
    } catch {
      if !error.leavesDoubt { try locked.abandon() }
      throw error
    }
    learnt.add(renewed.secrets)
    try locked.commit(renewed, to: file)
    try locked.release()
    return renewed.token
  }

  private static func pause(_ pause: Duration) async -> Bool {
    do {
      try await Task.sleep(for: pause)
      return true
    } catch { return false }
  }

  /// Repeats the request as the manifest says.
  /// - Parameter interruption: The time of an earlier request whose answer never came.
  private func grant(
    _ refresh: Secret, _ client: OAuthClient, _ secret: Secret?, _ endpoints: OAuthEndpoints,
    after interruption: Timestamp?
  ) async throws(LoginProblem) -> TokenGrant {
    let form = [("grant_type", "refresh_token"), ("refresh_token", refresh.exposed)]
    var (requests, interruption) = (1, interruption)
    while true {
      let problem: LoginProblem
      switch await provider.grant(form, client, secret, endpoints) {
      case .success(let grant): return grant
      case .failure(let found): problem = RenewalRule.judged(found, after: interruption)
      }
      if problem.leavesDoubt, interruption == nil { interruption = now }
      let chance = Double.random(in: 0..<1)
      guard let failure = problem.failureOfRequest, !isClosing, await !self.client.isOffline,
        let delay = self.client.settings.rules.retry.delay(after: failure, requests: requests, chance: chance),
        await Self.pause(delay), !isClosing
      else { throw problem }
      requests += 1
    }
  }
}

extension LoginProblem {
  /// The failure by which a repetition is decided. Nil for an answer of the provider.
  fileprivate var failureOfRequest: Failure? {
    switch self {
    case .unanswered(_, let failure): failure
    case .status(_, let status): .http(status: status)
    default: nil
    }
  }
}
