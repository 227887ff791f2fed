// SPDX-License-Identifier: Apache-2.0

import Glibc
import SyncTestSupport
import Testing

/// The machine's store of trusted authorities.
enum TrustStore {
  static let path = "/etc/ssl/certs/ca-certificates.crt"

  static var isReplaceable: Bool {
    do {
      let mount = ["-rm", "sh", "-c", "mount --bind /etc/hostname \(path)"]
      return try Tool("unshare").command(mount)?.run().ending == .exited(0) && Tool("openssl").isInstalled
    } catch { return false }
  }
}

/// In a separate mount namespace the program trusts the authorities that a test puts in place of the machine's.
@Suite("a server's certificate", .enabled(if: TrustStore.isReplaceable, "openssl or mount namespaces are missing"))
struct CertificateTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    var name = "IP:127.0.0.1"
    var days = 2
    var isTrusted = true
    /// The kind of error: in this test a trusted server sends a page where media was expected.
    var kind = "tls"
  }

  @Test(
    "that does not prove who it is lets no byte of the body in",
    arguments: [
      Case(testDescription: "trusted", kind: "not_media"), Case(testDescription: "unknown", isTrusted: false),
      Case(testDescription: "expired", days: -1), Case(testDescription: "of another host", name: "DNS:other.example"),
    ])
  func proof(of certificate: Case) throws {
    let home = try LibraryFixture()
    try make(certificate, in: home.folder)
    let server = try Command(
      try #require(Tool("openssl").path),
      [
        "s_server", "-accept", "127.0.0.1:0", "-key", home.folder.file("key.pem"), "-cert",
        home.folder.file("cert.pem"), "-www", "-no_dhe",
      ]
    ).start()
    defer {
      server.signal(SIGKILL)
      _ = server.wait(timeout: 5)
    }
    let port = try #require(server.firstLine()?.split(separator: ":").last)
    try home.declare(
      "playlists: { all: { items: [{ id: a, title: A, url: \"https://127.0.0.1:\(port)/\" }] } }")
    let result = try run(home, certificate.isTrusted ? home.folder.file("cert.pem") : TrustStore.path)
    #expect(result.ending == .exited(3), "\(result.standardError)")
    let report = try JSONValue(result.stdout)
    #expect(report[path: "items.0.error.kind"] == .string(certificate.kind), "\(report)")
    #expect(report[path: "items.0.error.temporary"] == .bool(false))
    #expect(report[path: "totals.bytes_downloaded"] == .number(0) || certificate.kind != "tls")
    #expect(try FileTree.files(home.library, hidden: true).filter { $0.contains("partial/") } == [])
    #expect(try home.strays() == [])
  }

  private func run(_ home: LibraryFixture, _ authorities: String) throws -> CommandResult {
    let command = home.command("run", "--json")
    let script = "mount --bind \(authorities) \(TrustStore.path) && exec \"$@\""
    let words = ["-rm", "sh", "-c", script, "sh", command.executable] + command.arguments
    return try #require(Tool("unshare").command(words)).run()
  }

  /// Makes the certificate. An expired one ends before it begins: that cannot be made directly, only by signing anew.
  private func make(_ certificate: Case, in folder: TemporaryDirectory) throws {
    let (key, cert) = (folder.file("key.pem"), folder.file("cert.pem"))
    try openssl([
      "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2", "-keyout", key,
      "-out", cert, "-subj", "/CN=test", "-addext", "subjectAltName=\(certificate.name)",
    ])
    guard certificate.days < 0 else { return }
    try openssl(["x509", "-in", cert, "-signkey", key, "-days", "\(certificate.days)", "-out", cert])
  }

  private func openssl(_ words: [String]) throws {
    let made = try #require(Tool("openssl").command(words)).run()
    try #require(made.ending == .exited(0), "\(made.standardError)")
  }
}
