// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Glibc
import SyncCore
import SyncFormats

/// A connection to a player, which sends and receives lines. Waiting holds up no thread of the pool.
final class PlayerSocket: Sendable {
  private let descriptor: Int32
  private let queue = DispatchQueue(label: "player")

  /// Takes ownership of a connected socket.
  init(descriptor: Int32) {
    self.descriptor = descriptor
    _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
  }

  deinit { close(descriptor) }

  /// Ends the connection for both sides. The descriptor stays until nobody uses it.
  func shutDown() { shutdown(descriptor, Int32(SHUT_RDWR)) }

  /// Connects to a Unix socket.
  /// - Parameter path: An abstract one begins with `@`.
  static func connect(unix path: String) throws(PlayerProblem) -> PlayerSocket {
    let place = path
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { throw .notReached(place, ErrnoCode(errno)) }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    var bytes = Array(path.utf8)
    let isAbstract = bytes.first == UInt8(ascii: "@")
    if isAbstract { bytes[0] = 0 }
    let room = MemoryLayout.size(ofValue: address.sun_path)
    guard bytes.count < room else {
      close(descriptor)
      throw .notReached(place, ErrnoCode(ENAMETOOLONG))
    }
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
    let length = MemoryLayout<sockaddr_un>.size - room + bytes.count + (isAbstract ? 0 : 1)
    let result = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Glibc.connect(descriptor, $0, socklen_t(length))
      }
    }
    guard result == 0 else {
      let code = ErrnoCode(errno)
      close(descriptor)
      throw .notReached(place, code)
    }
    return PlayerSocket(descriptor: descriptor)
  }

  /// Connects to a host by TCP, on a thread of its own, since a name lookup waits.
  static func connect(host: String, port: Int, within time: Duration) async throws(PlayerProblem) -> PlayerSocket {
    let result: Result<PlayerSocket, PlayerProblem> = await withCheckedContinuation { continuation in
      DispatchQueue(label: "connect").async {
        continuation.resume(
          returning: Result { () throws(PlayerProblem) in try lookUpAndConnect(host, port, within: time) })
      }
    }
    return try result.get()
  }

  private static func lookUpAndConnect(
    _ host: String, _ port: Int, within time: Duration
  ) throws(PlayerProblem) -> PlayerSocket {
    let place = "\(host):\(port)"
    var hints = addrinfo()
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    var list: UnsafeMutablePointer<addrinfo>?
    guard getaddrinfo(host, String(port), &hints, &list) == 0 else { throw .unknownHost(host) }
    defer { freeaddrinfo(list) }
    var code = ErrnoCode(ECONNREFUSED)
    var next = list
    while let info = next?.pointee {
      next = info.ai_next
      let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
      let descriptor = socket(info.ai_family, kind, 0)
      guard descriptor >= 0 else { continue }
      if Glibc.connect(descriptor, info.ai_addr, info.ai_addrlen) == 0 { return PlayerSocket(descriptor: descriptor) }
      var error = errno
      if error == EINPROGRESS { error = waitForConnection(descriptor, time) }
      if error == 0 { return PlayerSocket(descriptor: descriptor) }
      code = ErrnoCode(error)
      close(descriptor)
    }
    throw .notReached(place, code)
  }

  /// Returns zero once the socket is connected.
  private static func waitForConnection(_ descriptor: Int32, _ time: Duration) -> Int32 {
    var interest = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    guard poll(&interest, 1, Int32(clamping: time.milliseconds)) > 0 else { return ETIMEDOUT }
    var error: Int32 = 0
    var size = socklen_t(MemoryLayout<Int32>.size)
    return getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &error, &size) == 0 ? error : errno
  }

  /// Sends all of the bytes. Commands are short, so a player that does not take them at once is stuck.
  func send(_ bytes: [UInt8]) throws(PlayerProblem) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
      if count > 0 {
        rest = rest.dropFirst(count)
      } else if errno == EAGAIN {
        var interest = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        guard poll(&interest, 1, 1000) > 0 else { throw .gone }
      } else if errno != EINTR {
        throw .gone
      }
    }
  }

  /// Waits for bytes.
  /// - Returns: Nil if none came in time.
  func receive(within time: Duration) async throws(PlayerProblem) -> [UInt8]? {
    let result: Result<[UInt8]?, PlayerProblem> = await withCheckedContinuation { continuation in
      queue.async { [self] in
        continuation.resume(returning: Result { () throws(PlayerProblem) in try take(within: time) })
      }
    }
    return try result.get()
  }

  private func take(within time: Duration) throws(PlayerProblem) -> [UInt8]? {
    var interest = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    guard poll(&interest, 1, Int32(clamping: max(0, time.milliseconds))) > 0 else { return nil }
    var buffer = [UInt8](repeating: 0, count: 64 << 10)
    while true {
      let count = read(descriptor, &buffer, buffer.count)
      if count > 0 { return Array(buffer[..<count]) }
      if count < 0, errno == EINTR { continue }
      if count < 0, errno == EAGAIN { return nil }
      throw .gone
    }
  }
}

/// The lines of a stream of bytes.
struct LineBuffer {
  private var bytes: [UInt8] = []
  /// No line of a player is longer.
  private static let limit = 4 << 20

  mutating func append(_ more: [UInt8]) throws(PlayerProblem) {
    bytes += more
    guard bytes.count <= Self.limit else { throw .notUnderstood }
  }

  /// The next complete line without its end.
  mutating func next() -> [UInt8]? {
    guard let end = bytes.firstIndex(of: UInt8(ascii: "\n")) else { return nil }
    defer { bytes.removeFirst(end + 1) }
    return Array(bytes[..<end])
  }
}
