// SPDX-License-Identifier: Apache-2.0

import CCurl
import Glibc

/// One end of a connection in numeric form: `192.0.2.1` and 443, or `2001:db8::1` without brackets.
package struct SocketAddressText: Hashable, Sendable {
  package let address: String
  package let port: Int

  package init(address: String, port: Int) {
    self.address = address
    self.port = port
  }

  /// Returns nil for a family other than IPv4 and IPv6.
  init?(_ raw: UnsafePointer<sockaddr>) {
    switch Int32(raw.pointee.sa_family) {
    case AF_INET:
      self = raw.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { v4 in
        var bytes = v4.pointee.sin_addr
        return Self(address: numericText(AF_INET, &bytes), port: Int(UInt16(bigEndian: v4.pointee.sin_port)))
      }
    case AF_INET6:
      self = raw.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) { v6 in
        var bytes = v6.pointee.sin6_addr
        return Self(address: numericText(AF_INET6, &bytes), port: Int(UInt16(bigEndian: v6.pointee.sin6_port)))
      }
    default: return nil
    }
  }
}

extension SocketAddressText: CustomStringConvertible {
  package var description: String {
    address.utf8.contains(UInt8(ascii: ":")) ? "[\(address)]:\(port)" : "\(address):\(port)"
  }
}

private func numericText(_ family: Int32, _ bytes: UnsafeRawPointer) -> String {
  withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(INET6_ADDRSTRLEN)) { text in
    guard let start = text.baseAddress, inet_ntop(family, bytes, start, socklen_t(text.count)) != nil else { return "" }
    return String(cString: start)
  }
}
