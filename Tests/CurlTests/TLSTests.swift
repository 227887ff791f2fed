// SPDX-License-Identifier: Apache-2.0

import Curl
import Glibc
import SyncTestSupport
import Testing

@Suite("TLS", .enabled(if: Tool("openssl").isInstalled, "openssl is not installed"))
struct TLSTests {
  @Test("an unknown certificate fails as such before any byte of body")
  func unknownAuthority() async throws {
    let server = try TLSServer()
    let got = try await Client.with { await $0.fetch(server.url()) }
    #expect(got.tlsProblem == .verification)
    #expect(got.heads.isEmpty && got.body.isEmpty)
  }

  @Test("a certificate of the given authority is accepted")
  func knownAuthority() async throws {
    let server = try TLSServer()
    let got = try await Client.with { await $0.fetch(server.request()) }
    #expect(got.head?.status == 200)
    #expect(got.summary?.bodyEnd == .close)
  }

  @Test("another host's certificate fails as such")
  func wrongHost() async throws {
    let server = try TLSServer(host: "other.example")
    let got = try await Client.with { await $0.fetch(server.request()) }
    #expect(got.tlsProblem == .verification)
    #expect(got.heads.isEmpty)
  }

  @Test("a server without the least version is refused in the handshake")
  func version() async throws {
    let server = try TLSServer(options: ["-tls1_2"])
    var request = server.request()
    let accepted = try await Client.with { [request] in await $0.fetch(request) }
    request.minimumTLS = .tls13
    let refused = try await Client.with { [request] in await $0.fetch(request) }
    #expect(accepted.head?.status == 200)
    #expect(refused.tlsProblem == .handshake)
  }

  @Test("a key that is not pinned is refused")
  func pins() async throws {
    let server = try TLSServer()
    var request = server.request()
    request.pinnedPublicKeys = ["sha256//\(String(repeating: "A", count: 43))="]
    let got = try await Client.with { [request] in await $0.fetch(request) }
    #expect(got.tlsProblem == .pinMismatch)
  }

  @Test("an authority file that is not there is told")
  func missingFile() async throws {
    let server = try TLSServer()
    var request = server.request()
    request.caFile = "/nonexistent/ca.pem"
    let got = try await Client.with { [request] in await $0.fetch(request) }
    #expect(got.tlsProblem == .caFile)
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

/// `openssl s_server` with a certificate that signs itself.
private final class TLSServer {
  private let folder: TemporaryDirectory
  private let process: RunningCommand
  private let port: String

  private enum Problem: Error { case noCertificate(String), didNotStart(String) }

  init(host: String = "127.0.0.1", options: [String] = []) throws {
    folder = try TemporaryDirectory()
    let name = host.first?.isNumber == true ? "IP:\(host)" : "DNS:\(host)"
    let openssl = try #require(Tool("openssl").path)
    let (key, certificate) = (folder.file("key.pem"), folder.file("cert.pem"))
    let made = try Command(
      openssl,
      [
        "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2", "-keyout", key,
        "-out", certificate, "-subj", "/CN=test", "-addext", "subjectAltName=\(name)",
      ]
    ).run()
    guard made.ending == .exited(0) else { throw Problem.noCertificate(made.standardError) }
    process = try Command(
      openssl,
      ["s_server", "-accept", "127.0.0.1:0", "-key", key, "-cert", certificate, "-www", "-no_dhe"] + options
    ).start()
    guard let line = process.firstLine(), let number = line.split(separator: ":").last else {
      process.signal(SIGKILL)
      throw Problem.didNotStart(process.wait(timeout: 5).standardError)
    }
    port = String(number)
  }

  deinit {
    process.signal(SIGKILL)
    _ = process.wait(timeout: 5)
  }

  func url() -> String { "https://127.0.0.1:\(port)/" }

  func request() -> TransferRequest {
    var request = TransferRequest(url: url())
    request.caFile = folder.file("cert.pem")
    return request
  }
}
