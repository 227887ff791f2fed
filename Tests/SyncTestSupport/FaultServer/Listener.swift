// SPDX-License-Identifier: Apache-2.0

import Glibc
import Synchronization

/// A listening socket on a loopback address.
struct Listener: Sendable {
  let descriptor: Int32
  let address: String
  let port: UInt16

  /// One listener for each address, all at the same port, which the kernel chooses for the first.
  static func atOnePort(_ addresses: [String]) throws(SystemCallError) -> [Listener] {
    for _ in 0..<20 {
      var listeners: [Listener] = []
      do throws(SystemCallError) {
        for address in addresses { listeners.append(try Listener(address: address, port: listeners.first?.port ?? 0)) }
        return listeners
      } catch {
        for listener in listeners { close(listener.descriptor) }
        // Another process has that port at one of them: the kernel may choose another.
        guard error.code == EADDRINUSE else { throw error }
      }
    }
    throw SystemCallError("bind", code: EADDRINUSE)
  }

  /// - Parameter port: 0 for one that the kernel chooses.
  init(address: String, port wanted: UInt16 = 0) throws(SystemCallError) {
    self.address = address
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
    guard descriptor >= 0 else { throw SystemCallError("socket") }
    do throws(SystemCallError) {
      port = try Self.bind(descriptor, address, wanted)
    } catch {
      close(descriptor)
      throw error
    }
  }

  private static func bind(
    _ descriptor: Int32, _ text: String, _ port: UInt16
  ) throws(SystemCallError) -> UInt16 {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    guard inet_pton(AF_INET, text, &address.sin_addr) == 1 else { throw SystemCallError("inet_pton", code: EINVAL) }
    guard withSocketAddress(&address, { Glibc.bind(descriptor, $0, $1) }) == 0 else { throw SystemCallError("bind") }
    guard listen(descriptor, 512) == 0 else { throw SystemCallError("listen") }
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    guard withSocketAddress(&address, { pointer, _ in getsockname(descriptor, pointer, &size) }) == 0 else {
      throw SystemCallError("getsockname")
    }
    return UInt16(bigEndian: address.sin_port)
  }

  private static func withSocketAddress(
    _ address: inout sockaddr_in, _ body: (UnsafeMutablePointer<sockaddr>, socklen_t) -> Int32
  ) -> Int32 {
    withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(MemoryLayout<sockaddr_in>.size)) }
    }
  }

  /// The next connection; nil when the attempt failed: the client may already have left.
  func accept() -> Int32? {
    let accepted = Inheritance.lock.withLock { _ in
      let accepted = Glibc.accept(descriptor, nil, nil)
      return accepted >= 0 && fcntl(accepted, F_SETFD, FD_CLOEXEC) == 0 ? accepted : -1
    }
    guard accepted >= 0 else { return nil }
    var yes: Int32 = 1
    setsockopt(accepted, Int32(IPPROTO_TCP), TCP_NODELAY, &yes, socklen_t(MemoryLayout<Int32>.size))
    return accepted
  }
}

extension Listener {
  /// A port that nothing listens at, for a program that has to be told one.
  static func freePort() throws -> UInt16 {
    let listener = try Listener(address: "127.0.0.1")
    close(listener.descriptor)
    return listener.port
  }
}
