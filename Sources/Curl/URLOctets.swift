// SPDX-License-Identifier: Apache-2.0
import CCurl

/// The bytes of a URL or of a relative reference, as a person, a feed or a server wrote them.
struct URLOctets {
  private static let slash = UInt8(ascii: "/")
  private static let colon = UInt8(ascii: ":")

  private let bytes: [UInt8]
  /// Everything before the authority: nothing, `//`, or a scheme with the `:` and up to two slashes behind it.
  private let opening: Range<Int>
  private let authority: Range<Int>

  init(_ bytes: some Sequence<UInt8>) {
    let bytes = Array(bytes)
    let schemeEnd = Self.schemeEnd(bytes)
    let slashes = bytes[schemeEnd...].prefix(2).prefix { $0 == Self.slash }.count
    opening = 0..<schemeEnd + (slashes == 2 ? 2 : 0)
    let end = bytes[opening.upperBound...].firstIndex {
      [Self.slash, UInt8(ascii: "?"), UInt8(ascii: "#")].contains($0)
    }
    authority = opening.upperBound..<(slashes == 2 ? end ?? bytes.count : opening.upperBound)
    self.bytes = bytes
  }

  /// True for a reference with a scheme of HTTP or with `//` that names no host: `http:///x`, `http:/x`, `///x`.
  /// libcurl and browsers would read the first word of its path as the host (RFC 3986 §3.2 does not).
  var lacksHost: Bool {
    let scheme = String(decoding: bytes[opening].prefix { $0 != Self.colon && $0 != Self.slash }, as: UTF8.self)
    let namesAuthority = scheme.isEmpty ? !opening.isEmpty : ["http", "https"].contains(scheme.lowercased())
    return namesAuthority && authority.isEmpty
  }

  /// The URL with every byte outside ASCII as `%XX`. The authority stays, because libcurl converts names of hosts itself.
  ///
  /// The bytes of a URL are UTF-8 (RFC 3987 §3.1). Others are sent as they came, which is the only form that the server
  /// that wrote them is sure to know.
  var encoded: String {
    String(decoding: bytes[..<authority.upperBound], as: UTF8.self)
      + String(decoding: Self.encoded(bytes[authority.upperBound...]), as: UTF8.self)
  }

  private static func encoded(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    let digits = Array("0123456789ABCDEF".utf8)
    return bytes.flatMap { byte in
      byte < 0x80 ? [byte] : [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 0x0F)]]
    }
  }

  /// The position after `scheme:` (RFC 3986 §3.1), or 0 without a scheme.
  private static func schemeEnd(_ bytes: [UInt8]) -> Int {
    guard let end = bytes.firstIndex(of: colon), let first = bytes.first, isLetter(first) else { return 0 }
    let isScheme = bytes[..<end].allSatisfy { isLetter($0) || (0x30...0x39).contains($0) || "+-.".utf8.contains($0) }
    return isScheme ? end + 1 : 0
  }

  private static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) }
}

/// The host of a URL as libcurl reads it.
package enum URLHost {
  /// The host: decoded, in lower case, with non-ASCII names in the form that is looked up (so full-width digits are
  /// plain digits) and IPv6 addresses without brackets. Nil if libcurl refuses the URL.
  package static func read(_ url: String) -> String? {
    guard case .success(let curl) = LibCurl.loaded, let parts = curl.url() else { return nil }
    defer { curl.urlCleanup(parts) }
    guard curl.urlSet(parts, CURLUPART_URL, url, 0) == CURLUE_OK else { return nil }
    var text: UnsafeMutablePointer<CChar>?
    let flags = UInt32(CURLU_URLDECODE) | UInt32(CURLU_PUNYCODE)
    guard curl.urlGet(parts, CURLUPART_HOST, &text, flags) == CURLUE_OK, let text else { return nil }
    defer { curl.free(text) }
    let host = String(cString: text).lowercased()
    return host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host
  }
}

/// The target of a `Location` field relative to the requested URL (RFC 9110 §10.2.2), as libcurl resolves it.
enum RedirectTarget {
  /// - Parameter location: The value of the field in bytes, in the encoding of the server.
  /// - Returns: The absolute target, of any scheme, or nil if it cannot be resolved or lacks a host.
  static func resolve(_ location: [UInt8], against base: String) -> String? {
    let octets = URLOctets(location)
    guard !octets.lacksHost else { return nil }
    return resolve(octets.encoded, against: URLOctets(base.utf8).encoded)
  }

  private static func resolve(_ location: String, against base: String) -> String? {
    // The same document (RFC 3986 §4.4, §5.2.2), in libcurl's spelling like every other target. Compared by bytes,
    // because a combining accent after `#` would form one character with it.
    let (hash, bytes) = (UInt8(ascii: "#"), location.utf8)
    let isSameDocument = location.trimmingBlanks.isEmpty || bytes.first == hash
    let location = isSameDocument ? String(decoding: base.utf8.prefix { $0 != hash }, as: UTF8.self) : location
    guard case .success(let curl) = LibCurl.loaded, let url = curl.url() else { return nil }
    defer { curl.urlCleanup(url) }
    let flags = UInt32(CURLU_URLENCODE | CURLU_ALLOW_SPACE | CURLU_NON_SUPPORT_SCHEME)
    guard curl.urlSet(url, CURLUPART_URL, base, flags) == CURLUE_OK,
      curl.urlSet(url, CURLUPART_URL, location, flags) == CURLUE_OK
    else { return nil }
    var text: UnsafeMutablePointer<CChar>?
    guard curl.urlGet(url, CURLUPART_URL, &text, 0) == CURLUE_OK, let text else { return nil }
    defer { curl.free(text) }
    return String(cString: text)
  }
}
