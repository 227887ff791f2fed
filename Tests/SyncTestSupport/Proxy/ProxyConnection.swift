// SPDX-License-Identifier: Apache-2.0

import Glibc

/// One client of the proxy: one request, then its tunnel or its response, then the end.
struct ProxyConnection: Sendable {
  let client: Int32
  let stopping: Latch
  let refusal: Int?

  func run(_ note: (TestProxy.Request) -> Void) {
    guard let (head, rest) = readHead(), let request = RequestHead(head) else { return }
    note(TestProxy.Request(method: request.method, target: request.target, headers: request.headers))
    if let refusal {
      _ = send("HTTP/1.1 \(refusal) No\r\nContent-Length: 0\r\nConnection: close\r\n\r\n", to: client)
      return
    }
    let isTunnel = request.method == "CONNECT"
    guard let server = connect(to: isTunnel ? request.target : authority(of: request.target)) else {
      _ = send("HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\n\r\n", to: client)
      return
    }
    defer { close(server) }
    let greeting =
      isTunnel
      ? send("HTTP/1.1 200 OK\r\n\r\n", to: client) && send(rest, to: server)
      : send(handedOn(request), to: server) && send(rest, to: server)
    if greeting { join(server) }
  }

  private func authority(of target: String) -> String {
    String(target.dropFirst("http://".count).prefix { $0 != "/" })
  }

  /// The request in origin form, for one response, without the fields meant for the proxy.
  private func handedOn(_ request: RequestHead) -> String {
    let path = request.target.dropFirst("http://".count).drop { $0 != "/" }
    let fields = request.headers.filter {
      !$0.name.lowercased().hasPrefix("proxy-") && $0.name.lowercased() != "connection"
    }
    let lines = ["\(request.method) \(path) HTTP/1.1", "Connection: close"] + fields.map { "\($0.name): \($0.value)" }
    return lines.joined(separator: "\r\n") + "\r\n\r\n"
  }

  private func readHead() -> ([UInt8], [UInt8])? {
    var buffer: [UInt8] = []
    while buffer.count < 65_536 {
      if let end = buffer.firstRange(of: Array("\r\n\r\n".utf8)) {
        return (Array(buffer[..<end.lowerBound]), Array(buffer[end.upperBound...]))
      }
      guard Poll.firstReady([Poll.Interest(stopping.descriptor), Poll.Interest(client)], seconds: nil) == 1,
        let chunk = receive(from: client)
      else { return nil }
      buffer += chunk
    }
    return nil
  }

  /// Copies bytes both ways until either side ends.
  private func join(_ server: Int32) {
    let interests = [Poll.Interest(stopping.descriptor), Poll.Interest(client), Poll.Interest(server)]
    while let ready = Poll.firstReady(interests, seconds: nil), ready > 0 {
      let (source, target) = ready == 1 ? (client, server) : (server, client)
      guard let chunk = receive(from: source), send(chunk, to: target) else { return }
    }
  }

  private func receive(from descriptor: Int32) -> [UInt8]? {
    let chunk = [UInt8](unsafeUninitializedCapacity: 65_536) { space, count in
      count = max(0, recv(descriptor, space.baseAddress, space.count, 0))
    }
    return chunk.isEmpty ? nil : chunk
  }

  private func send(_ text: String, to descriptor: Int32) -> Bool { send(Array(text.utf8), to: descriptor) }

  private func send(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }

  private func connect(to authority: String) -> Int32? {
    guard let port = authority.split(separator: ":").last.flatMap({ UInt16($0) }) else { return nil }
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { return nil }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
    let isConnected = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
      }
    }
    guard isConnected else {
      close(descriptor)
      return nil
    }
    return descriptor
  }
}
