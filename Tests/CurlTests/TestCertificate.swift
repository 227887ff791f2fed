// SPDX-License-Identifier: Apache-2.0

import SyncTestSupport
import Testing

/// A certificate that signs itself, and its key, in a folder of their own.
struct TestCertificate {
  let key: String
  let certificate: String
  private let folder: TemporaryDirectory

  private struct NotMade: Error { let output: String }

  init(host: String = "127.0.0.1") throws {
    folder = try TemporaryDirectory()
    (key, certificate) = (folder.file("key.pem"), folder.file("cert.pem"))
    let name = host.first?.isNumber == true ? "IP:\(host)" : "DNS:\(host)"
    let made = try Command(
      try #require(Tool("openssl").path),
      [
        "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2", "-keyout", key,
        "-out", certificate, "-subj", "/CN=test", "-addext", "subjectAltName=\(name)",
      ]
    ).run()
    guard made.ending == .exited(0) else { throw NotMade(output: made.standardError) }
  }
}
