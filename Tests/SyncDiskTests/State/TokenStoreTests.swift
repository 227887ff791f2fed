// SPDX-License-Identifier: Apache-2.0
import SyncCore
import SyncDisk
import SyncDiskTestSupport
import SyncFormats
import Testing

@Suite("tokens on the disk")
struct TokenStoreTests {
  private let now = Timestamp(secondsSince1970: 1_800_000_000)

  private func store(_ twin: FileSystemTwin) throws -> (Workshop, TokenStore, OAuthClient) {
    let work = try twin.workshop()
    let folder = try StateFolder.open(work.files, inLibrary: work.root, making: true)
    let client = OAuthClient(.issuer(try RemoteURL("https://p.example")), id: "c")
    return (work, TokenStore(client, state: folder, work.files), client)
  }

  private func tokens(_ access: String) throws -> OAuthTokens {
    OAuthTokens(
      login: "1", access: Secret(access), refresh: Secret("r"), issuedAt: now, lifetime: nil,
      endpoints: OAuthEndpoints(token: try RemoteURL("https://p.example/t")))
  }

  private func locked(_ store: TokenStore) async throws -> LockedTokens {
    try await store.lock(waiting: .zero) { _ in false }
  }

  @Test("are there once they are committed, and gone once they are removed", arguments: FileSystemTwin.allCases)
  func commit(_ twin: FileSystemTwin) async throws {
    let (work, store, _) = try store(twin)
    defer { withExtendedLifetime(work) {} }
    #expect(try store.read() == nil)
    let first = try await locked(store)
    try first.commit(try tokens("a"), to: try first.begin(at: now))
    #expect(try store.read() == tokens("a") && first.interruptedAt == nil)
    #expect(try !store.isPublic())
    try first.release()
    let second = try await locked(store)
    #expect(second.interruptedAt == nil)
    try second.remove()
    #expect(try store.read() == nil)
  }

  @Test("are changed by one process at a time", arguments: FileSystemTwin.allCases)
  func oneAtATime(_ twin: FileSystemTwin) async throws {
    let (work, store, _) = try store(twin)
    defer { withExtendedLifetime(work) {} }
    let first = try await locked(store)
    var pauses = 0
    await #expect(throws: LoginProblem.busy(path: store.path, after: .milliseconds(300))) {
      try await store.lock(waiting: .milliseconds(300)) { _ in
        pauses += 1
        return true
      }
    }
    #expect(pauses == 3)
    try first.release()
    try await locked(store).release()
  }

  @Test("a renewal without an answer leaves its time, until one is committed", arguments: FileSystemTwin.allCases)
  func interrupted(_ twin: FileSystemTwin) async throws {
    let (work, store, _) = try store(twin)
    defer { withExtendedLifetime(work) {} }
    let first = try await locked(store)
    try first.commit(try tokens("a"), to: try first.begin(at: now))
    _ = try first.begin(at: now + .seconds(5))
    try first.release()
    let second = try await locked(store)
    #expect(second.interruptedAt == now + .seconds(5))
    #expect(try second.read() == tokens("a"))
    // Another attempt without an answer keeps the first time.
    _ = try second.begin(at: now + .seconds(50))
    try second.release()
    let third = try await locked(store)
    #expect(third.interruptedAt == now + .seconds(5))
    try third.abandon()
    try third.release()
    #expect(try await locked(store).interruptedAt == nil)
  }

  @Test("tokens that are whole beside the old ones take their place", arguments: FileSystemTwin.allCases)
  func adopted(_ twin: FileSystemTwin) async throws {
    let (work, store, client) = try store(twin)
    let first = try await locked(store)
    try first.commit(try tokens("a"), to: try first.begin(at: now))
    try first.release()
    let bytes = TokenFile.encode(try tokens("b"), of: client.identity)
    let place = try #require(LibraryPath(".syncjob/oauth/.\(client.fileName).new"))
    try work.files.create(work.root[place], bytes, mode: .privateFile)
    let second = try await locked(store)
    #expect(try second.interruptedAt == nil && second.read() == tokens("b"))
    #expect(try work.files.status(of: work.root[place]) == nil)
  }

  @Test("a file of something else is damaged, and is not overwritten by a look", arguments: FileSystemTwin.allCases)
  func damaged(_ twin: FileSystemTwin) async throws {
    let (work, store, client) = try store(twin)
    try await locked(store).release()
    let place = try #require(LibraryPath(".syncjob/oauth/\(client.fileName)"))
    try work.files.create(work.root[place], Array("{}".utf8), mode: .sharedFile)
    #expect(throws: LoginProblem.fileDamaged(path: store.path)) { try store.read() }
    #expect(try store.isPublic())
  }
}
