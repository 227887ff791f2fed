// SPDX-License-Identifier: Apache-2.0
package import SyncCore
import SyncDisk
package import SyncFormats
import SyncNet

/// Makes and ends the logins at OAuth 2 providers. Neither waits for a run: a login has a lock of its own.
package struct Login: Sendable {
  private let context: JobContext

  package init(_ context: JobContext) { self.context = context }

  /// One login of the manifest.
  package struct Place: Sendable {
    package let name: String
    /// The host of the provider.
    package let provider: String
    /// The file of the tokens.
    package let path: String
    /// The command that makes the login.
    package let command: String
    fileprivate let client: OAuthClient
    fileprivate let account: OAuthAccount
    fileprivate let store: TokenStore
  }

  /// The place of a login, without changing anything.
  /// - Parameter name: A server, a playlist, or `licenses`.
  package func place(_ name: String) async throws(JobError) -> (Place, warnings: [Warning]) {
    let (owner, client) = try find(name)
    return try await place(owner, client, try Library.look(context.manifest.library, context.files))
  }

  private func find(_ name: String) throws(JobError) -> (TokenOwner, OAuthClient) {
    let manifest = context.manifest
    guard let owner = manifest.tokenOwner(named: name) else {
      throw .noSuchLogin(name, known: manifest.tokenOwners.map(\.name))
    }
    guard let client = owner.source.client else { throw .printedTokens(name) }
    return (owner, client)
  }

  private func place(
    _ owner: TokenOwner, _ client: OAuthClient, _ library: Library
  ) async throws(JobError) -> (Place, warnings: [Warning]) {
    let recorder = ReportRecorder(context)
    let reader = CredentialsReader(
      runner: POSIXProcessRunner(), library: library, invocation: context.options.invocation, emit: recorder.emit)
    let account = try await reader.account(of: owner)
    let store = account.store ?? TokenStore(client, state: library.stateFolder, library.files)
    let place = Place(
      name: owner.name, provider: client.host, path: store.path, command: account.command, client: client,
      account: account, store: store)
    return (place, recorder.current.warnings)
  }

  // MARK: Login

  /// A new login.
  package struct Made: Sendable {
    package let place: Place
    package let tokens: OAuthTokens
  }

  /// - Parameters:
  ///   - wanted: The way that was asked for. Nil for none.
  ///   - emit: Gets the requests.
  ///   - tell: Gets what the person has to know.
  package func logIn(
    _ name: String, _ wanted: LoginWay?, browser: BrowserSigns, emit: @escaping @Sendable (RunEvent) -> Void,
    tell: @escaping @Sendable (LoginStep) -> Void
  ) async throws(JobError) -> (Result<Made, LoginProblem>, Place, warnings: [Warning]) {
    let (owner, client) = try find(name)
    let (place, warnings) = try await place(owner, client, try await library(for: client))
    let provider = try provider(of: place, emit)
    let tokens = await provider.logIn(wanted, browser: browser, tell: tell)
    await provider.close()
    return (tokens.map { Made(place: place, tokens: $0) }, place, warnings)
  }

  /// The library with the folder of its state, which is made if it is missing.
  private func library(for client: OAuthClient) async throws(JobError) -> Library {
    let seen = try Library.look(context.manifest.library, context.files)
    guard client.tokenFile == nil else { return seen }
    let context = try await context.withKeys { _ in }
    if seen.stateFolder != nil { return try LibraryOpener(context).look().library }
    let opened = try await LibraryOpener(context).open(for: .edit)
    try opened.journal.close(at: opened.view.clock.now(), closingJournalFrom: context.options.longQueue)
    return opened.view.library
  }

  private func provider(
    of place: Place, _ emit: @escaping @Sendable (RunEvent) -> Void
  ) throws(JobError) -> ProviderLogin {
    let terms = ProviderLogin.Terms(
      context.manifest.downloads, clock: context.clock, userAgent: context.userAgent)
    return try ProviderLogin(place.client, place.account, place.store, terms, emit: emit)
  }

  // MARK: Logout

  /// The end of a login.
  package enum Ended: Hashable, Sendable {
    /// There was none.
    case none
    /// - Parameter isRevoked: False if the provider has no way to be told.
    case removed(isRevoked: Bool)
    /// The tokens are removed here, and the provider could not be told.
    case notRevoked(LoginProblem)
    case failed(LoginProblem)
  }

  package func logOut(
    _ name: String, emit: @escaping @Sendable (RunEvent) -> Void
  ) async throws(JobError) -> (Ended, Place, warnings: [Warning]) {
    let (place, warnings) = try await place(name)
    let hasTokens: Bool
    do throws(LoginProblem) { hasTokens = try place.store.read() != nil } catch {
      guard case .fileDamaged = error else { return (.failed(error), place, warnings) }
      hasTokens = true
    }
    guard hasTokens else { return (.none, place, warnings) }
    let provider = try provider(of: place, emit)
    let ended: Ended
    do throws(LoginProblem) {
      switch try await provider.logOut() {
      case nil: ended = .none
      case .success(let isRevoked)?: ended = .removed(isRevoked: isRevoked)
      case .failure(let problem)?: ended = .notRevoked(problem)
      }
    } catch { ended = .failed(error) }
    await provider.close()
    return (ended, place, warnings)
  }
}
