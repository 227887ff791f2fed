// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Glibc
import SyncCore
import SyncDisk
import SyncFormats

/// Waits on a port of 127.0.0.1 for the browser that comes back from a provider (RFC 8252 §7.3). It takes one answer.
/// A person whose browser is on another machine may paste the address instead.
final class LoopbackListener: Sendable {
  private let socket: Int32
  private let port: UInt16

  /// - Throws: The error of the system.
  init() throws(LoginProblem) {
    let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
    guard socket >= 0 else { throw .noListener(ErrnoCode(errno)) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isOpen = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(socket, $0, size) == 0 && listen(socket, 16) == 0 && getsockname(socket, $0, &size) == 0
      }
    }
    guard isOpen else {
      let code = ErrnoCode(errno)
      close(socket)
      throw .noListener(code)
    }
    (self.socket, port) = (socket, UInt16(bigEndian: address.sin_port))
  }

  deinit { close(socket) }

  /// The address to which the browser comes back.
  var redirect: String { "http://127.0.0.1:\(port)/" }

  /// The values of the first answer. Nil if none came in time.
  /// - Parameters:
  ///   - takesInput: True if an address may come on standard input.
  ///   - judge: Returns the page for the browser.
  func answer(
    within limit: Duration, takesInput: Bool, judge: @escaping @Sendable ([String: String]) -> LoginPage
  ) async -> [String: String]? {
    await withCheckedContinuation { continuation in
      // A thread of its own, because it waits without giving way.
      DispatchQueue(label: "login").async { [self] in
        var exchange = LoopbackExchange(socket, input: takesInput ? STDIN_FILENO : nil)
        continuation.resume(returning: exchange.run(within: limit, judge))
      }
    }
  }
}

/// The connections of browsers, on one thread.
private struct LoopbackExchange {
  private let socket: Int32
  /// Nil once it has ended.
  private var input: Int32?
  private var typed: [UInt8] = []
  private var connections: [Int32: [UInt8]] = [:]

  /// A browser opens a few connections ahead.
  private static let mostConnections = 16
  private static let longestRequest = 32 << 10

  init(_ socket: Int32, input: Int32?) { (self.socket, self.input) = (socket, input) }

  mutating func run(within limit: Duration, _ judge: ([String: String]) -> LoginPage) -> [String: String]? {
    defer { for connection in connections.keys { close(connection) } }
    let stopwatch = Stopwatch()
    while stopwatch.elapsed < limit {
      var interests = ([socket, input].compactMap(\.self) + connections.keys).map {
        pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
      }
      let rest = (limit - stopwatch.elapsed).milliseconds
      guard poll(&interests, nfds_t(interests.count), Int32(clamping: rest) + 1) > 0 else { continue }
      for ready in interests where ready.revents != 0 {
        if ready.fd == socket {
          accept()
        } else if ready.fd == input, connections[ready.fd] == nil {
          if let values = readInput() { return values }
        } else if let values = read(ready.fd, judge) {
          return values
        }
      }
    }
    return nil
  }

  private mutating func accept() {
    let connection = Glibc.accept(socket, nil, nil)
    guard connection >= 0 else { return }
    _ = fcntl(connection, F_SETFD, FD_CLOEXEC)
    guard connections.count < Self.mostConnections else {
      close(connection)
      return
    }
    // Nobody waits for a browser that does not take its page.
    var limit = timeval(tv_sec: 5, tv_usec: 0)
    setsockopt(connection, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    connections[connection] = []
  }

  /// - Returns: The values of an address that was pasted.
  private mutating func readInput() -> [String: String]? {
    guard let input else { return nil }
    var buffer = [UInt8](repeating: 0, count: 4096)
    let count = Glibc.read(input, &buffer, buffer.count)
    guard count > 0 else {
      self.input = nil
      return nil
    }
    typed += buffer[..<count]
    guard typed.count <= Self.longestRequest else {
      typed = []
      return nil
    }
    while let end = typed.firstIndex(of: UInt8(ascii: "\n")) {
      let line = String(decoding: typed[..<end], as: UTF8.self)
      typed.removeSubrange(...end)
      if let values = Self.values(ofTarget: line.filter { !$0.isWhitespace }) { return values }
    }
    return nil
  }

  /// - Returns: The values of the answer, once the whole request is there.
  private mutating func read(_ connection: Int32, _ judge: ([String: String]) -> LoginPage) -> [String: String]? {
    var buffer = [UInt8](repeating: 0, count: 4096)
    let count = recv(connection, &buffer, buffer.count, Int32(MSG_DONTWAIT))
    if count < 0, errno == EAGAIN || errno == EINTR { return nil }
    var bytes = connections[connection] ?? []
    if count > 0 { bytes += buffer[..<count] }
    guard count > 0, bytes.count <= Self.longestRequest else {
      end(connection)
      return nil
    }
    connections[connection] = bytes
    guard bytes.holdsHeadEnd else { return nil }
    defer { end(connection) }
    let words = bytes.prefix { $0 != UInt8(ascii: "\r") && $0 != UInt8(ascii: "\n") }.split(
      separator: UInt8(ascii: " "))
    let target = words.count == 3 && words[0].elementsEqual("GET".utf8) ? String(decoding: words[1], as: UTF8.self) : ""
    guard target.hasPrefix("/?"), let values = Self.values(ofTarget: target) else {
      send(LoginPage.unknown, to: connection)
      return nil
    }
    send(judge(values), to: connection)
    return values
  }

  private mutating func end(_ connection: Int32) {
    connections[connection] = nil
    shutdown(connection, Int32(SHUT_WR))
    close(connection)
  }

  private func send(_ page: LoginPage, to connection: Int32) {
    let bytes = page.response
    var sent = 0
    while sent < bytes.count {
      let count = bytes[sent...].withUnsafeBytes {
        Glibc.send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return }
      sent += count
    }
  }

  /// Nil for a target that is not an answer of a provider.
  private static func values(ofTarget target: String) -> [String: String]? {
    guard let mark = target.firstIndex(of: "?") else { return nil }
    let values = FormText.values(target[target.index(after: mark)...].prefix { $0 != "#" })
    return values["code"] != nil || values["error"] != nil || values["state"] != nil ? values : nil
  }
}

extension [UInt8] {
  /// True if the empty line that ends a request's head is there.
  fileprivate var holdsHeadEnd: Bool { firstRange(of: Array("\r\n\r\n".utf8)) != nil }
}
