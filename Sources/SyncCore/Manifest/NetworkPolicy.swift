// SPDX-License-Identifier: Apache-2.0

/// The requirements for a secured connection.
package struct TLSPolicy: Hashable, Sendable {
  package enum Version: String, CaseIterable, Sendable {
    case oneTwo = "1.2"
    case oneThree = "1.3"
  }

  package var min: Version = .oneTwo
  /// Absolute path of a PEM file that replaces the system's certificates.
  package var caFile: String?
  /// The server must have one of these keys. Empty allows any key that a trusted authority certifies.
  package var pins: [PublicKeyPin] = []
  /// True to remember the hosts that require https (RFC 6797).
  package var hsts = true
  package init() {}
}

/// A pin in curl's notation: `sha256//` and the Base64 of a public key's SHA-256.
package struct PublicKeyPin: Hashable, Sendable {
  package let text: String

  /// Returns nil for any other text.
  package init?(_ text: String) {
    let digest = text.utf8.dropFirst("sha256//".utf8.count)
    let isBase64 = digest.dropLast().allSatisfy { byte in
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "+"), UInt8(ascii: "/"): true
      default: false
      }
    }
    // 32 bytes are 43 characters of Base64 and one padding character.
    guard text.hasPrefix("sha256//"), digest.count == 44, digest.last == UInt8(ascii: "="), isBase64 else { return nil }
    self.text = text
  }
}

/// The proxy for requests, if any.
package enum ProxyPolicy: Hashable, Sendable {
  case none
  /// The variables `http_proxy`, `https_proxy`, `all_proxy` and `no_proxy` apply.
  case environment
  case url(ProxyURL)
}

/// A proxy URL as libcurl accepts it. It may contain a user and password, so print `redacted` instead.
package struct ProxyURL: Hashable, Sendable, CustomStringConvertible {
  package let text: String
  /// Lower case, without brackets.
  package let host: String

  package static let schemes = ["http", "https", "socks4", "socks4a", "socks5", "socks5h"]

  /// Returns nil unless the text is `SCHEME://[USER:PASSWORD@]HOST[:PORT]` with a supported scheme.
  package init?(_ text: String) {
    guard let mark = text.firstRange(of: "://"), Self.schemes.contains(text[..<mark.lowerBound].lowercased()) else {
      return nil
    }
    do throws(RemoteURL.Problem) {
      // The rest follows the rules of any URL.
      let url = try RemoteURL("http" + text[mark.lowerBound...])
      guard url.path == "/", !url.hasQuery else { return nil }
      host = url.host
    } catch { return nil }
    self.text = text
  }

  /// Reads the value of an environment variable, where a missing scheme means `http://`.
  init?(environment text: String) { self.init(text.contains("://") ? text : "http://\(text)") }

  package var redacted: String {
    let start = text.firstRange(of: "://").map(\.upperBound) ?? text.startIndex
    guard let at = text.lastIndex(of: "@"), at >= start else { return text }
    return text[..<start] + "***" + text[at...]
  }

  package var hasCredentials: Bool { text.contains("@") }
  package var description: String { redacted }

  /// The password as written. Nil without a user.
  var password: Secret? {
    let start = text.firstRange(of: "://").map(\.upperBound) ?? text.startIndex
    guard let at = text.lastIndex(of: "@"), at >= start else { return nil }
    return text[start..<at].split(separator: ":", maxSplits: 1).last.map { Secret(String($0)) }
  }
}
