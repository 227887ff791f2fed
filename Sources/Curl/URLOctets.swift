// SPDX-License-Identifier: Apache-2.0

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
