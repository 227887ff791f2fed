// SPDX-License-Identifier: Apache-2.0

import Curl
import SyncTestSupport
import Testing

@Suite("TLS", .enabled(if: Tool("openssl").isInstalled, "openssl is not installed"))
struct TLSTests {
  @Test("an unknown certificate fails as such before any byte of body")
  func unknownAuthority() async throws {
    let server = try TLSServer()
    let got = try await Client.with { await $0.fetch(server.url) }
    #expect(got.tlsProblem == .verification)
    #expect(got.heads.isEmpty && got.body.isEmpty)
  }

  @Test("a certificate of the given authority is accepted")
  func knownAuthority() async throws {
    let server = try TLSServer()
    let got = try await Client.with { await $0.fetch(server.request) }
    #expect(got.head?.status == 200)
    #expect(got.summary?.bodyEnd == .close)
  }

  @Test("another host's certificate fails as such")
  func wrongHost() async throws {
    let server = try TLSServer(host: "other.example")
    let got = try await Client.with { await $0.fetch(server.request) }
    #expect(got.tlsProblem == .verification)
    #expect(got.heads.isEmpty)
  }

  @Test("a server without the least version is refused in the handshake")
  func version() async throws {
    let server = try TLSServer(options: ["-tls1_2"])
    var request = server.request
    let accepted = try await Client.with { [request] in await $0.fetch(request) }
    request.minimumTLS = .tls13
    let refused = try await Client.with { [request] in await $0.fetch(request) }
    #expect(accepted.head?.status == 200)
    #expect(refused.tlsProblem == .handshake)
  }

  @Test("a key that is not pinned is refused")
  func pins() async throws {
    let server = try TLSServer()
    var request = server.request
    request.pinnedPublicKeys = ["sha256//\(String(repeating: "A", count: 43))="]
    let got = try await Client.with { [request] in await $0.fetch(request) }
    #expect(got.tlsProblem == .pinMismatch)
  }

  @Test("an authority file that is not there is told")
  func missingFile() async throws {
    let server = try TLSServer()
    var request = server.request
    request.caFile = "/nonexistent/ca.pem"
    let got = try await Client.with { [request] in await $0.fetch(request) }
    #expect(got.tlsProblem == .caFile)
  }

  @Test("a connection that ends in the handshake is one that broke, and does not show who the peer is")
  func brokenHandshake() async throws {
    let server = try FaultServer()
    let request = TransferRequest(url: "https://127.0.0.1:\(server.port)/")
    async let fetched = Client.with { await $0.fetch(request) }
    while server.connectionCount == 0 { await Task.yield() }
    server.stop()
    let got = try await fetched
    // A server that closes with unread bytes in its buffer resets the connection.
    switch got.error {
    case .receiveFailed?, .connectionReset?: break
    default: Issue.record("\(got.results)")
    }
  }

  @Test("a plain server is no TLS server")
  func plain() async throws {
    let server = try FaultServer()
    server.script("/", [.raw("hello")])
    var request = TransferRequest(url: "https://127.0.0.1:\(server.port)/")
    request.connectTimeout = .seconds(1)
    let got = try await Client.with { [request] in await $0.fetch(request) }
    #expect(got.heads.isEmpty)
    #expect(got.error != nil)
  }
}

extension Recording {
  fileprivate var tlsProblem: TransferError.TLSProblem? {
    if case .tls(let problem, _) = error { problem } else { nil }
  }
}
