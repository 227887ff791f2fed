// SPDX-License-Identifier: Apache-2.0

import Curl
import SyncTestSupport
import Testing

@Suite(
  "HTTP/2", .enabled(if: Tool.nginx.isInstalled && Tool("openssl").isInstalled, "nginx or openssl is not installed"))
struct HTTP2Tests {
  private let certificate: TestCertificate
  private let nginx: Nginx
  private let request: TransferRequest
  private let body = GeneratedBytes(seed: 5, count: 400_000).bytes(in: 0..<400_000)

  init() throws {
    certificate = try TestCertificate()
    let probe = try FaultServer()
    let port = probe.port
    probe.stop()
    nginx = try Nginx(
      locations: """
        listen 127.0.0.1:\(port) ssl http2;
        ssl_certificate \(certificate.certificate); ssl_certificate_key \(certificate.key);
        keepalive_timeout 1h;
        """)
    try FileBytes.write(body, to: "\(nginx.root)/a.mp3")
    var request = TransferRequest(url: "https://127.0.0.1:\(port)/a.mp3")
    request.caFile = certificate.certificate
    self.request = request
  }

  @Test("is spoken where TLS agrees on it, and a body ends with its stream")
  func stream() async throws {
    let got = try await Client.with { [request] in await $0.fetch(request) }
    #expect(got.heads.count == 1)
    #expect(got.head?.version == .http2)
    #expect(got.head?.framing == .stream(400_000))
    #expect(got.head?["Content-Type"] == "audio/mpeg")
    #expect(got.summary?.bodyEnd == .stream)
    #expect(got.body == body)
  }

  @Test("is not spoken to a caller who wants HTTP/1.1")
  func onlyHTTP1() async throws {
    var request = request
    request.http = .onlyHTTP1
    let got = try await Client.with { [request] in await $0.fetch(request) }
    #expect(got.head?.version == .http11)
    #expect(got.summary?.bodyEnd == .length)
  }

  @Test("goes on where one transfer ends while others are still on its connection")
  func oneAfterTheOther() async throws {
    let all = try await Client.with { [request] client in
      await withTaskGroup(of: [Recording].self) { group in
        for _ in 0..<8 {
          group.addTask {
            var own: [Recording] = []
            for _ in 0..<4 { own.append(await client.fetch(request)) }
            return own
          }
        }
        return await group.reduce(into: []) { $0 += $1 }
      }
    }
    #expect(all.count == 32)
    #expect(all.allSatisfy { $0.error == nil && $0.body == body })
  }

  @Test("carries many transfers over one connection, and an aborted one does not harm the others")
  func multiplexed() async throws {
    let (aborted, all) = try await Client.with { [request] in await $0.fetch(request, then: 6) }
    #expect(aborted.error == .abortedByReceiver)
    #expect(all.allSatisfy { $0.body == body })
    #expect(all.map { $0.summary?.isConnectionReused } == Array(repeating: true, count: 5))
  }
}
