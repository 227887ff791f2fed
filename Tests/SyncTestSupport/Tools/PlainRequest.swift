// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The smallest client: one request over one connection, to check that a server is the expected one, and to test the
/// servers themselves.
package enum PlainRequest {
  /// The whole response with its headers; nil when nothing answers.
  package static func get(port: UInt16, path: String, headers: [String] = []) -> String? {
    let lines = ["GET \(path) HTTP/1.1", "Host: 127.0.0.1", "Connection: close"] + headers
    return send(lines.joined(separator: "\r\n") + "\r\n\r\n", port: port).map { String(decoding: $0, as: UTF8.self) }
  }

  /// Sends a body to a path; the result is that of `get`.
  package static func post(port: UInt16, path: String, body: String, headers: [String] = []) -> String? {
    let lines = ["POST \(path) HTTP/1.1", "Host: 127.0.0.1", "Connection: close"] + headers
    let head = (lines + ["Content-Length: \(body.utf8.count)"]).joined(separator: "\r\n")
    return send(head + "\r\n\r\n" + body, port: port).map { String(decoding: $0, as: UTF8.self) }
  }

  /// Sends a text and reads until the other side closes or resets.
  package static func send(_ text: String, port: UInt16) -> [UInt8]? {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    guard connect(descriptor, port) else { return nil }
    let bytes = Array(text.utf8)
    guard Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count else { return nil }
    var received: [UInt8] = []
    while true {
      let chunk = [UInt8](unsafeUninitializedCapacity: 65_536) { space, count in
        count = max(0, recv(descriptor, space.baseAddress, space.count, 0))
      }
      guard !chunk.isEmpty else { return received }
      received += chunk
    }
  }

  private static func connect(_ descriptor: Int32, _ port: UInt16) -> Bool {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
    return withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
      }
    }
  }
}
