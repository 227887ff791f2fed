// SPDX-License-Identifier: Apache-2.0

import Glibc
import SyncTestSupport
import Testing

@testable import Curl

@Suite("The open sockets") struct OpenSocketsTests {
  @Test("two connections from one local port to two hosts are told apart")
  func oneLocalPort() throws {
    let hosts = ["127.0.0.1", "127.0.0.2"]
    let server = try FaultServer(addresses: hosts)
    server.serve("/a", Resource(text: "hello"))
    let first = try #require(connection(to: hosts[0], server.port, from: 0))
    defer { close(first) }
    let localPort = try #require(port(of: first))
    let second = try #require(connection(to: hosts[1], server.port, from: localPort))
    defer { close(second) }

    let sockets = OpenSockets()
    let ends = hosts.map { host in
      OpenSockets.Ends(
        localPort: Int32(localPort), peer: SocketAddressText(address: host, port: Int(server.port)))
    }
    sockets.note([first], ends[0])
    sockets.note([second], ends[1])
    let request = Array("GET /a HTTP/1.1\r\nHost: a\r\n\r\n".utf8)
    #expect(send(second, request, request.count, 0) == request.count)
    var byte: UInt8 = 0
    #expect(recv(second, &byte, 1, Int32(MSG_PEEK)) == 1)
    #expect(sockets.hasUnreadBytes(ends[1]))
    #expect(!sockets.hasUnreadBytes(ends[0]))
  }

  /// - Parameter localPort: 0: one that the kernel chooses.
  private func connection(to host: String, _ port: UInt16, from localPort: UInt16) -> Int32? {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    var yes: Int32 = 1
    setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
    guard named("127.0.0.1", localPort, { bind(descriptor, $0, $1) }) == 0,
      named(host, port, { connect(descriptor, $0, $1) }) == 0
    else {
      close(descriptor)
      return nil
    }
    return descriptor
  }

  private func named(
    _ host: String, _ port: UInt16, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
  ) -> Int32 {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = inet_addr(host)
    return withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(MemoryLayout<sockaddr_in>.size)) }
    }
  }

  private func port(of descriptor: Int32) -> UInt16? {
    var address = sockaddr_in()
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let code = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
    }
    return code == 0 ? UInt16(bigEndian: address.sin_port) : nil
  }
}
