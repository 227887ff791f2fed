// SPDX-License-Identifier: Apache-2.0

extension RemoteURL {
  /// The URL including the user and the credentials that go into its query, for sending the request. A parameter that
  /// the URL has already is the choice of its author and stays alone.
  package func requestText(with credentials: [CredentialField]) -> String {
    let present = Set(queryNames)
    let parameters = credentials.filter { $0.place == .query }
      .map { (Self.encoded($0.name), Self.encoded($0.value.exposed)) }
      .filter { !present.contains($0.0) }
      .map { "\($0.0)=\($0.1)" }
    guard !parameters.isEmpty else { return requestText }
    return requestText + (hasQuery ? "&" : "?") + parameters.joined(separator: "&")
  }

  private var queryNames: [String] {
    guard let mark = text.firstIndex(of: "?") else { return [] }
    return text[text.index(after: mark)...].split(separator: "&").map { String($0.prefix { $0 != "=" }) }
  }

  /// Everything but unreserved characters percent-encoded (RFC 3986 §2).
  private static func encoded(_ text: String) -> String {
    text.utf8.reduce(into: "") { result, byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
        UInt8(ascii: "~"):
        result.unicodeScalars.append(Unicode.Scalar(byte))
      default: result += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
      }
    }
  }
}
