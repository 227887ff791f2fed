// SPDX-License-Identifier: Apache-2.0

extension AddressPolicy {
  /// Whether a request may go to `host` through a proxy, which looks names up by itself: all that can be judged then is
  /// an address that stands in the URL, however it is written, and the names of this machine itself (RFC 6761 §6.3).
  package func allowsUnresolved(host: String) -> Bool {
    if let address = HostLiteral.address(of: host) { return allows(host: host, address: address.text) }
    let isOwn = host == "localhost" || host.hasSuffix(".localhost") || host == "localhost."
    return !isOwn || allows(host: host, address: "127.0.0.1")
  }
}

/// Addresses as they may stand in a URL.
enum HostLiteral {
  /// Nil for a name. One to four numbers, decimal, octal or hexadecimal, the last of which fills what is left, are an
  /// IPv4 address to every resolver: `127.1`, `0x7f000001`, `2130706433` (inet_aton(3)).
  static func address(of host: String) -> IPAddress? {
    if let address = IPAddress(host), host.contains(":") { return address }
    let parts = (host.hasSuffix(".") ? host.dropLast() : host[...]).split(
      separator: ".", omittingEmptySubsequences: false)
    let numbers = parts.compactMap(number)
    guard (1...4).contains(parts.count), numbers.count == parts.count, let last = numbers.last,
      numbers.dropLast().allSatisfy({ $0 <= 255 }), last < UInt64(1) << UInt64(8 * (5 - parts.count))
    else { return nil }
    let front = numbers.dropLast().reduce(UInt64(0)) { $0 << 8 | $1 }
    let whole = front << UInt64(8 * (5 - parts.count)) | last
    return IPAddress([24, 16, 8, 0].map { String(whole >> $0 & 255) }.joined(separator: "."))
  }

  private static func number(_ text: Substring) -> UInt64? {
    guard text.first.map({ $0.isASCII && $0.isNumber }) == true else { return nil }
    let lower = text.lowercased()
    if lower.hasPrefix("0x") { return lower.count == 2 ? 0 : UInt64(lower.dropFirst(2), radix: 16) }
    return lower.count > 1 && lower.hasPrefix("0") ? UInt64(lower, radix: 8) : UInt64(lower)
  }
}
