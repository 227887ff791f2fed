// SPDX-License-Identifier: Apache-2.0

import Curl
import Glibc
import SyncTestSupport
import Testing

/// `openssl s_server` with a certificate of its own; every request gets a page over HTTP/1.0.
final class TLSServer {
  private let certificate: TestCertificate
  private let process: RunningCommand
  private let port: String

  private struct NotStarted: Error { let output: String }

  init(host: String = "127.0.0.1", options: [String] = []) throws {
    certificate = try TestCertificate(host: host)
    process = try Command(
      try #require(Tool("openssl").path),
      [
        "s_server", "-accept", "127.0.0.1:0", "-key", certificate.key, "-cert", certificate.certificate, "-www",
        "-no_dhe",
      ] + options
    ).start()
    guard let line = process.firstLine(), let number = line.split(separator: ":").last else {
      process.signal(SIGKILL)
      throw NotStarted(output: process.wait(timeout: 5).standardError)
    }
    port = String(number)
  }

  deinit {
    process.signal(SIGKILL)
    _ = process.wait(timeout: 5)
  }

  var url: String { "https://127.0.0.1:\(port)/" }

  /// With the server's certificate as the authority.
  var request: TransferRequest {
    var request = TransferRequest(url: url)
    request.caFile = certificate.certificate
    return request
  }
}
