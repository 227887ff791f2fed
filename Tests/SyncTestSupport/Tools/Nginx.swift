// SPDX-License-Identifier: Apache-2.0

import Glibc
import Synchronization

/// An unprivileged nginx on loopback in its own folder: the honest origin, in contrast to the fault server.
package final class Nginx: Sendable {
  package enum Problem: Error, Equatable {
    case notInstalled
    /// It ended, or something else answered at its port; holds its standard error.
    case didNotStart(String)
  }

  package let port: UInt16
  /// The port of the server that uses TLS; nil without a certificate.
  package let securePort: UInt16?
  /// The folder that is served at `/`.
  package let root: String
  private let folder: TemporaryDirectory
  private let process: Mutex<RunningCommand>

  /// - Parameters:
  ///   - shared: lines for the `http` block, such as `limit_req_zone $server_port zone=z:1m rate=2r/s;`.
  ///   - locations: lines for the `server` block, such as `location /slow/ { alias www/; limit_rate 200k; }`.
  ///   - certificate: makes it serve the same over TLS and HTTP/2, at another port, on IPv4 and IPv6.
  ///   - secureOptions: lines for the block of that second server.
  package init(
    shared: String = "", locations: String = "", certificate: TestAuthority.Certificate? = nil,
    secureOptions: String = ""
  ) throws {
    guard let program = Tool.nginx.path else { throw Problem.notInstalled }
    folder = try TemporaryDirectory("syncjob-nginx")
    root = folder.file("www")
    port = try Listener.freePort()
    let securePort = try certificate.map { _ in try Listener.freePort() }
    self.securePort = securePort
    let nonce = "/nonce-\(UInt64.random(in: .min ... .max))"
    try FileBytes.write(nonce, to: root + nonce)
    try FileBytes.write("", to: folder.file("tmp/access.log"))
    let secure = certificate.flatMap { certificate in
      securePort.map { Self.secureServer(port: $0, certificate, "\(locations)\n\(secureOptions)") }
    }
    let configuration = Self.configuration(
      port: port, locations: locations, servers: "\(shared)\n\(secure ?? "")")
    try FileBytes.write(configuration, to: folder.file("nginx.conf"))
    let process = try Self.start(program, in: folder)
    self.process = Mutex(process)
    guard Self.answers(port: port, nonce: nonce, process) else {
      process.signal(SIGKILL)
      throw Problem.didNotStart(process.wait(timeout: 5).standardError)
    }
  }

  private static func start(_ program: String, in folder: TemporaryDirectory) throws -> RunningCommand {
    try Command(program, ["-e", "stderr", "-p", folder.path + "/", "-c", "nginx.conf"]).start()
  }

  /// Starts it again after `stop`, at the same port.
  package func startAgain() throws {
    guard let program = Tool.nginx.path else { throw Problem.notInstalled }
    let process = try Self.start(program, in: folder)
    self.process.withLock { $0 = process }
  }

  deinit { stop() }

  package func url(_ path: String) -> String { "http://127.0.0.1:\(port)\(path)" }

  /// - Precondition: there is a certificate.
  package func secureURL(_ path: String, host: String = "localhost") -> String {
    "https://\(host):\(securePort ?? 0)\(path)"
  }

  /// One line a request: method, path, status, body bytes, Range, If-Range, If-None-Match, protocol, connection.
  package func accessLog() throws -> [String] {
    try FileBytes.text(folder.file("tmp/access.log")).split(separator: "\n").map(String.init)
  }

  /// Lets nginx finish its responses, and waits for its end.
  package func stop() {
    let process = process.withLock { $0 }
    guard process.signal(SIGQUIT) else { return }
    _ = process.wait(timeout: 10)
  }

  /// A port that was free a moment ago.
  private static func answers(port: UInt16, nonce: String, _ process: RunningCommand) -> Bool {
    process.isReady(within: 5) { PlainRequest.get(port: port, path: nonce)?.hasSuffix(nonce) == true }
  }

  private static func secureServer(
    port: UInt16, _ certificate: TestAuthority.Certificate, _ options: String
  ) -> String {
    """
    server { listen 127.0.0.1:\(port) ssl http2; listen [::1]:\(port) ssl http2;
      ssl_certificate \(certificate.file); ssl_certificate_key \(certificate.key);
      \(options)
    }
    """
  }

  private static func configuration(port: UInt16, locations: String, servers: String) -> String {
    """
    daemon off; master_process off; worker_processes 1; pid tmp/nginx.pid; error_log stderr warn;
    events { worker_connections 512; }
    http {
      types { audio/mpeg mp3; audio/ogg opus; audio/mp4 m4a; application/rss+xml xml rss; audio/x-mpegurl m3u8; }
      log_format t '$request_method $request_uri $status $body_bytes_sent $http_range $http_if_range $http_if_none_match'
      ' $server_protocol $connection';
      access_log tmp/access.log t;
      client_body_temp_path tmp/b; proxy_temp_path tmp/p; fastcgi_temp_path tmp/f; uwsgi_temp_path tmp/u;
      scgi_temp_path tmp/s; root www; etag on; keepalive_timeout 300; client_header_timeout 300;
      server { listen 127.0.0.1:\(port);
        \(locations)
      }
      \(servers)
    }

    """
  }
}
