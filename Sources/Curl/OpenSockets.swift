// SPDX-License-Identifier: Apache-2.0

import CCurl
import CPosix
import Glibc

/// The sockets that libcurl opened through the program's callback, by their two ends. libcurl reveals the descriptor of
/// a connection only after the transfer, when it may be closed, but its two ends before that. Confined to the loop's
/// thread.
///
/// One local port may serve connections to several hosts at once. An entry may be stale and its descriptor may belong
/// to another socket, so the ends of every entry found are checked again.
final class OpenSockets {
  /// Both ends as reported by libcurl.
  struct Ends: Equatable {
    var localPort: Int32
    var peer: SocketAddressText
  }

  private struct Entry {
    var ends: Ends
    /// The peer as reported by the system.
    var peer: SocketAddressText
  }

  private var entries: [curl_socket_t: Entry] = [:]

  /// Records which of the sockets opened for a transfer became its connection.
  func note(_ opened: [curl_socket_t], _ ends: Ends) {
    for descriptor in opened {
      guard let peer = name(descriptor, getpeername), isLocal(descriptor, ends.localPort) else { continue }
      entries[descriptor] = Entry(ends: ends, peer: peer)
    }
  }

  /// True if unread bytes wait on the connection.
  func hasUnreadBytes(_ ends: Ends) -> Bool {
    guard let descriptor = descriptor(of: ends) else { return false }
    var byte: UInt8 = 0
    return recv(descriptor, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT)) > 0
  }

  /// The shortest round trip measured on a connection, or nil if the system does not know it.
  func shortestRoundTrip(_ ends: Ends) -> Duration? {
    var microseconds: UInt32 = 0
    guard let descriptor = descriptor(of: ends), syncjob_shortest_round_trip(descriptor, &microseconds) == 0 else {
      return nil
    }
    return .microseconds(Int64(microseconds))
  }

  private func descriptor(of ends: Ends) -> curl_socket_t? {
    guard let (descriptor, entry) = entries.first(where: { $0.value.ends == ends }) else { return nil }
    guard isLocal(descriptor, ends.localPort), name(descriptor, getpeername) == entry.peer else {
      entries[descriptor] = nil
      return nil
    }
    return descriptor
  }

  private func isLocal(_ descriptor: curl_socket_t, _ port: Int32) -> Bool {
    name(descriptor, getsockname).map { Int32($0.port) } == port
  }
}

private typealias NameCall = (Int32, UnsafeMutablePointer<sockaddr>?, UnsafeMutablePointer<socklen_t>?) -> Int32

private func name(_ descriptor: Int32, _ call: NameCall) -> SocketAddressText? {
  withUnsafeTemporaryAllocation(of: sockaddr_storage.self, capacity: 1) { storage in
    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    guard let start = storage.baseAddress else { return nil }
    return start.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
      guard call(descriptor, address, &length) == 0 else { return nil }
      return SocketAddressText(address)
    }
  }
}
