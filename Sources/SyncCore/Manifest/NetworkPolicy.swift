// SPDX-License-Identifier: Apache-2.0

/// What a secured connection must be like.
package struct TLSPolicy: Hashable, Sendable {
  package enum Version: String, CaseIterable, Sendable {
    case oneTwo = "1.2"
    case oneThree = "1.3"
  }

  package var min: Version = .oneTwo
  /// Absolute path of PEM certificates, instead of the system's.
  package var caFile: String?
  /// One of these keys must be the server's; empty: any that a trusted authority vouches for.
  package var pins: [PublicKeyPin] = []
  /// Remember which hosts want https only (RFC 6797).
  package var hsts = true
  package init() {}
}

/// `sha256//` and the Base64 of a public key's SHA-256, as curl writes it.
package struct PublicKeyPin: Hashable, Sendable {
  package let text: String

  /// Nil for anything else.
  package init?(_ text: String) {
    let digest = text.utf8.dropFirst("sha256//".utf8.count)
    let isBase64 = digest.dropLast().allSatisfy { byte in
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "+"), UInt8(ascii: "/"): true
      default: false
      }
    }
    // 32 bytes are 43 characters and one sign of padding.
    guard text.hasPrefix("sha256//"), digest.count == 44, digest.last == UInt8(ascii: "="), isBase64 else { return nil }
    self.text = text
  }
}

/// Whether requests go through a proxy.
package enum ProxyPolicy: Hashable, Sendable {
  case none
  /// What `http_proxy`, `https_proxy`, `all_proxy` and `no_proxy` say.
  case environment
  case url(ProxyURL)
}

/// A proxy as libcurl takes it. May hold a user and password: print `redacted` instead.
package struct ProxyURL: Hashable, Sendable, CustomStringConvertible {
  package let text: String
  /// Lower case, without brackets.
  package let host: String

  package static let schemes = ["http", "https", "socks4", "socks4a", "socks5", "socks5h"]

  /// Nil unless it is `SCHEME://[USER:PASSWORD@]HOST[:PORT]` of a scheme that is spoken.
  package init?(_ text: String) {
    guard let mark = text.firstRange(of: "://"), Self.schemes.contains(text[..<mark.lowerBound].lowercased()) else {
      return nil
    }
    do throws(RemoteURL.Problem) {
      // The rest is that of any URL.
      let url = try RemoteURL("http" + text[mark.lowerBound...])
      guard url.path == "/", !url.hasQuery else { return nil }
      host = url.host
    } catch { return nil }
    self.text = text
  }

  /// Of an environment variable: without a scheme it is `http://`.
  init?(environment text: String) { self.init(text.contains("://") ? text : "http://\(text)") }

  package var redacted: String {
    let start = text.firstRange(of: "://").map(\.upperBound) ?? text.startIndex
    guard let at = text.lastIndex(of: "@"), at >= start else { return text }
    return text[..<start] + "***" + text[at...]
  }

  package var hasCredentials: Bool { text.contains("@") }
  package var description: String { redacted }

  /// As written; nil without a user.
  var password: Secret? {
    let start = text.firstRange(of: "://").map(\.upperBound) ?? text.startIndex
    guard let at = text.lastIndex(of: "@"), at >= start else { return nil }
    return text[start..<at].split(separator: ":", maxSplits: 1).last.map { Secret(String($0)) }
  }
}
