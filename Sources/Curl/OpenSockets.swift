// SPDX-License-Identifier: Apache-2.0

import CCurl
import Glibc

/// The sockets that libcurl opened through us, by their local port. libcurl tells the descriptor of a connection only
/// after the transfer, when it may be closed, but the local port before. Belongs to the loop's thread.
///
/// An entry may be stale, even name another's descriptor: whatever is found is compared with the ports it should have.
final class OpenSockets {
  private var descriptors: [Int32: curl_socket_t] = [:]

  /// Notes which of the sockets that were opened for a transfer became its connection.
  func note(_ opened: [curl_socket_t], localPort: Int32) {
    for descriptor in opened where portOf(descriptor, getsockname) == localPort { descriptors[localPort] = descriptor }
  }

  /// Whether bytes wait on a connection.
  func hasUnreadBytes(localPort: Int32, peerPort: Int32) -> Bool {
    guard let descriptor = descriptors[localPort] else { return false }
    guard portOf(descriptor, getsockname) == localPort, portOf(descriptor, getpeername) == peerPort else {
      descriptors[localPort] = nil
      return false
    }
    var byte: UInt8 = 0
    return recv(descriptor, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT)) > 0
  }
}

private typealias NameCall = (Int32, UnsafeMutablePointer<sockaddr>?, UnsafeMutablePointer<socklen_t>?) -> Int32

private func portOf(_ descriptor: Int32, _ call: NameCall) -> Int32? {
  withUnsafeTemporaryAllocation(of: sockaddr_storage.self, capacity: 1) { storage in
    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    guard let start = storage.baseAddress else { return nil }
    return start.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
      guard call(descriptor, address, &length) == 0 else { return nil }
      return SocketAddressText(address).map { Int32($0.port) }
    }
  }
}
