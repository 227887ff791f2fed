// SPDX-License-Identifier: Apache-2.0

/// The address ranges that do not lead to a public server.
///
/// From the IANA IPv4 Special-Purpose Address Registry as of 2020-09-04 and the IANA IPv6 Special-Purpose Address
/// Registry as of 2025-10-09, plus ranges from other registries: multicast, and the deprecated forms of IPv6. Globally
/// reachable ranges inside one that is not (anycast services, AS112, AMT) are not excepted, because none of them serves
/// media.
enum SpecialAddresses {
  /// All other IPv6 addresses are special or unassigned (IANA Internet Protocol Version 6 Address Space).
  static let globalUnicast = (IPAddress(v6: [0x20]), 3)

  static let ranges: [(IPAddress, Int)] = texts.compactMap { text, bits in IPAddress(text).map { ($0, bits) } }

  private static let texts: [(String, Int)] = [
    ("0.0.0.0", 8),  // this network
    ("10.0.0.0", 8),  // private use
    ("100.64.0.0", 10),  // shared address space
    ("127.0.0.0", 8),  // loopback
    ("169.254.0.0", 16),  // link-local
    ("172.16.0.0", 12),  // private use
    ("192.0.0.0", 24),  // IETF protocol assignments
    ("192.0.2.0", 24),  // documentation
    ("192.88.99.0", 24),  // deprecated: 6to4 relay anycast
    ("192.168.0.0", 16),  // private use
    ("198.18.0.0", 15),  // benchmarking
    ("198.51.100.0", 24),  // documentation
    ("203.0.113.0", 24),  // documentation
    ("224.0.0.0", 4),  // multicast
    ("240.0.0.0", 4),  // reserved, limited broadcast
    ("::", 96),  // unspecified, loopback, deprecated: IPv4-compatible
    ("::ffff:0:0:0", 96),  // deprecated: IPv4-translated
    ("64:ff9b:1::", 48),  // IPv4-IPv6 translation, local use
    ("100::", 64),  // discard-only
    ("100:0:0:1::", 64),  // dummy prefix
    ("2001::", 23),  // IETF protocol assignments, Teredo, benchmarking, ORCHID
    ("2001:db8::", 32),  // documentation
    ("3fff::", 20),  // documentation
    ("5f00::", 16),  // segment routing
    ("fc00::", 7),  // unique local
    ("fe80::", 10),  // link-local
    ("fec0::", 10),  // deprecated: site-local
    ("ff00::", 8),  // multicast
  ]
}
