// SPDX-License-Identifier: Apache-2.0

extension AddressPolicy {
  /// Returns the address because of which a request must not go to `host` through a proxy that resolves names itself.
  /// Returns nil if the request may go. Only two cases can be checked: an address in the URL, in any notation, and a
  /// name that never leaves a private network, for which this machine's own address is returned.
  /// - Parameter host: The host as libcurl reads it, in lower case.
  package func refusal(ofUnresolved host: String) -> String? {
    let address = HostLiteral.address(of: host)?.text ?? (HostLiteral.isPrivateName(host) ? "127.0.0.1" : nil)
    return address.flatMap { allows(host: host, address: $0) ? nil : $0 }
  }
}

/// IP addresses in the notations that a URL may contain.
enum HostLiteral {
  /// Returns nil for a name. To every resolver, one to four numbers in decimal, octal or hexadecimal are an IPv4
  /// address, and the last number fills the remaining bytes: `127.1`, `0x7f000001`, `2130706433` (inet_aton(3)).
  static func address(of host: String) -> IPAddress? {
    if let address = IPAddress(host), host.contains(":") { return address }
    let parts = withoutRoot(host).split(separator: ".", omittingEmptySubsequences: false)
    let numbers = parts.compactMap(number)
    guard (1...4).contains(parts.count), numbers.count == parts.count, let last = numbers.last,
      numbers.dropLast().allSatisfy({ $0 <= 255 }), last < UInt64(1) << UInt64(8 * (5 - parts.count))
    else { return nil }
    let front = numbers.dropLast().reduce(UInt64(0)) { $0 << 8 | $1 }
    let whole = front << UInt64(8 * (5 - parts.count)) | last
    return IPAddress([24, 16, 8, 0].map { String(whole >> $0 & 255) }.joined(separator: "."))
  }

  /// True for the names of this machine: `localhost` and all names below it (RFC 6761 §6.3), and the names that
  /// distributions write into `/etc/hosts`.
  static func isOwnName(_ host: String) -> Bool {
    let name = withoutRoot(host)
    return ownNames.contains(String(name)) || name.hasSuffix(".localhost")
  }

  /// True also for names of a private network: `.local` (RFC 6762), `.home.arpa` (RFC 8375) and `.internal` (ICANN,
  /// 2024), which clouds use for their metadata.
  static func isPrivateName(_ host: String) -> Bool {
    let name = withoutRoot(host)
    return isOwnName(host) || [".local", ".home.arpa", ".internal"].contains { name.hasSuffix($0) }
  }

  private static let ownNames: Set<String> = [
    "localhost", "localhost.localdomain", "localhost4", "localhost4.localdomain4", "localhost6",
    "localhost6.localdomain6", "ip6-localhost", "ip6-loopback",
  ]

  /// The host without trailing dots, which only mark the name as complete.
  private static func withoutRoot(_ host: String) -> Substring {
    var name = host[...]
    while name.last == "." { name.removeLast() }
    return name
  }

  private static func number(_ text: Substring) -> UInt64? {
    guard text.first.map({ $0.isASCII && $0.isNumber }) == true else { return nil }
    let lower = text.lowercased()
    if lower.hasPrefix("0x") { return lower.count == 2 ? 0 : UInt64(lower.dropFirst(2), radix: 16) }
    return lower.count > 1 && lower.hasPrefix("0") ? UInt64(lower, radix: 8) : UInt64(lower)
  }
}
