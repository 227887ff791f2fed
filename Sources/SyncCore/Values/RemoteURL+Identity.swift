// SPDX-License-Identifier: Apache-2.0

extension RemoteURL {
  /// The identity of a URL in a text. Nil for a text that is none.
  package static func identity(of text: String) -> String? {
    do throws(Problem) { return try RemoteURL(text).identity } catch { return nil }
  }

  /// The part of a URL that does not change when a server signs, counts or tracks: without the scheme, the fragment and
  /// the parameters known for these purposes.
  package var identity: String { String(decoding: identityBytes, as: UTF8.self) }

  /// The identity as UTF-8. Each entry of each feed is compared by it, so it is made from bytes and not from strings.
  package var identityBytes: [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.utf8.count + 8)
    appendHost(to: &bytes)
    bytes.append(UInt8(ascii: ":"))
    bytes.append(contentsOf: String(port == 443 ? 80 : port).utf8)
    let units = text.utf8.span
    let (start, end) = (Int(shape.path.start), Int(shape.path.end))
    if start == end { bytes.append(UInt8(ascii: "/")) }
    for index in start..<end { bytes.append(units[index]) }
    guard hasQuery else { return bytes }
    var separator = UInt8(ascii: "?")
    for parameter in text.utf8.dropFirst(end + 1).split(separator: UInt8(ascii: "&"))
    where !Self.isTransient(parameter) {
      bytes.append(separator)
      bytes.append(contentsOf: parameter)
      separator = UInt8(ascii: "&")
    }
    return bytes
  }

  private func appendHost(to bytes: inout [UInt8]) {
    let units = text.utf8.span
    for index in Int(shape.host.start)..<Int(shape.host.end) {
      let unit = units[index]
      guard unit < 0x80 else {
        bytes = Array(host.utf8)
        return
      }
      bytes.append((0x41...0x5A).contains(unit) ? unit | 0x20 : unit)
    }
  }

  private static func isTransient(_ parameter: Substring.UTF8View) -> Bool {
    let name = String(Substring(parameter.prefix { $0 != UInt8(ascii: "=") })).lowercased()
    return transientPrefixes.contains { name.hasPrefix($0) } || transientNames.contains(name)
  }

  private static let transientPrefixes = ["utm_", "x-amz-", "x-goog-"]
  private static let transientNames: Set = [
    "token", "access_token", "auth", "sig", "signature", "expires", "expiry", "exp", "policy", "key-pair-id", "hash",
    "ts", "timestamp", "nonce", "session", "sid",
  ]
}
