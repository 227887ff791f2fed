// SPDX-License-Identifier: Apache-2.0

/// A certificate authority for one test, made with openssl, and the certificates that it signs.
package final class TestAuthority: Sendable {
  package enum Problem: Error {
    case notInstalled
    case failed(String)
  }

  /// A server's key and certificate, as files.
  package struct Certificate: Sendable {
    package let key: String
    package let file: String
  }

  private let folder: TemporaryDirectory
  private let program: String

  package init() throws {
    guard let program = Tool("openssl").path else { throw Problem.notInstalled }
    self.program = program
    folder = try TemporaryDirectory("syncjob-authority")
    try run([
      "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2", "-keyout",
      folder.file("ca.key"), "-out", file, "-subj", "/CN=test authority", "-addext",
      "basicConstraints=critical,CA:TRUE", "-addext", "keyUsage=critical,keyCertSign",
    ])
  }

  /// The authority's own certificate, for clients that trust it.
  package var file: String { folder.file("ca.pem") }

  /// - Parameters:
  ///   - names: in openssl's notation, such as `DNS:localhost,IP:127.0.0.1`.
  ///   - days: the validity; a negative number makes an expired certificate.
  package func certificate(_ names: String = "DNS:localhost,IP:127.0.0.1,IP:::1", days: Int = 2) throws -> Certificate {
    let stem = folder.file("server-\(UInt32.random(in: .min ... .max))")
    try run([
      "req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout", "\(stem).key", "-out",
      "\(stem).csr", "-subj", "/CN=test server",
    ])
    try FileBytes.write("subjectAltName=\(names)\n", to: "\(stem).ext")
    try run([
      "x509", "-req", "-in", "\(stem).csr", "-CA", file, "-CAkey", folder.file("ca.key"), "-set_serial",
      "\(UInt32.random(in: 1 ... .max))", "-days", "\(days)", "-extfile", "\(stem).ext", "-out", "\(stem).pem",
    ])
    return Certificate(key: "\(stem).key", file: "\(stem).pem")
  }

  /// `sha256//…` of a certificate's public key, computed as curl's documentation describes.
  package func pin(of certificate: Certificate) throws -> String {
    let key = try run(["x509", "-in", certificate.file, "-pubkey", "-noout"])
    let binary = try run(["pkey", "-pubin", "-outform", "der"], input: key)
    let digest = try run(["dgst", "-sha256", "-binary"], input: binary)
    let text = try run(["base64"], input: digest)
    return "sha256//" + String(decoding: text, as: UTF8.self).split(separator: "\n").joined()
  }

  @discardableResult
  private func run(_ arguments: [String], input: [UInt8]? = nil) throws -> [UInt8] {
    let command = Command(program, arguments, input: input.map { .bytes($0) } ?? .none)
    let result = try command.run()
    guard result.ending == .exited(0) else { throw Problem.failed(result.standardError) }
    return result.stdout
  }
}
