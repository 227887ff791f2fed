// SPDX-License-Identifier: Apache-2.0

/// Decides if URLs that came from a source may lead into a private network.
package enum AddressPolicy: Hashable, Sendable {
  case forbidPrivate
  case allowAll
  /// Private addresses are forbidden except these hosts and ranges.
  case allow([PrivateGrant])

  /// - Parameters:
  ///   - host: The name in the URL, in lower case.
  ///   - address: The numeric address to which it was resolved.
  package func allows(host: String, address: String) -> Bool {
    guard let number = IPAddress(address) else { return false }
    if !number.isPrivate { return true }
    switch self {
    case .forbidPrivate: return false
    case .allowAll: return true
    case .allow(let grants):
      return grants.contains { grant in
        switch grant {
        case .host(let name): name == host
        case .range(let base, let bits): number.isIn(base, bits: bits)
        }
      }
    }
  }
}

/// A host or an address range that may be private.
package enum PrivateGrant: Hashable, Sendable {
  case host(String)
  case range(IPAddress, bits: Int)

  /// Reads a host name, an address or a CIDR range (`192.168.1.0/24`). Returns nil for anything else.
  package init?(_ text: String) {
    let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    if let address = IPAddress(String(parts[0])) {
      guard parts.count == 2 else {
        self = .range(address, bits: address.bytes.count * 8)
        return
      }
      guard let bits = decimal(parts[1]), bits <= Int64(address.bytes.count * 8) else { return nil }
      self = .range(address, bits: Int(bits))
    } else {
      let isName = text.utf8.allSatisfy { byte in
        (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20) || byte >= 0x80 || "-._".utf8.contains(byte)
      }
      guard parts.count == 1, isName, !text.isEmpty else { return nil }
      self = .host(text.lowercased())
    }
  }

  package var text: String {
    switch self {
    case .host(let name): name
    case .range(let address, let bits): bits == address.bytes.count * 8 ? address.text : "\(address.text)/\(bits)"
    }
  }
}

/// The reason why a redirect is not followed.
package enum RedirectProblem: Hashable, Sendable {
  /// The target is not a valid URL, or has another scheme.
  case notHTTP
  /// The target is an http or https URL without a host.
  case noHost
  /// The redirect leads from https to http.
  case downgrade
  /// The redirect leads back to an earlier URL of the request.
  case circle
  case tooMany(limit: Int)
}
