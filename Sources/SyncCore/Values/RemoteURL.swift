// SPDX-License-Identifier: Apache-2.0

/// An absolute `http` or `https` URL, checked far enough to name a host and to be sent (RFC 3986, RFC 9110 §4.2).
///
/// Two URLs are equal if they differ only in the user, because the user does not change which resource is meant.
package struct RemoteURL: Sendable {
  /// The reason why a text is not such a URL.
  package enum Problem: Error, Hashable, Sendable {
    case notAbsolute
    case unsupportedScheme(String)
    case noHost
    /// The host contains percent-encoded characters, which programs read
    /// differently, or brackets that do not enclose an address.
    case badHost
    case badPort(String)
    case illegalCharacter
    /// The URL is longer than `maximumLength` bytes.
    case tooLong
  }

  package enum Scheme: String, Sendable { case http, https }

  /// In bytes. Common servers accept request lines of this length, and a state file should not contain longer ones.
  package static let maximumLength = 8 << 10

  /// The URL as written, without user and fragment. Its query may contain a token, so print `redacted` instead.
  package let text: String
  /// The `user:password` before an `@`, as written. It is kept out of `text` and so out of all stored data.
  package let login: Secret?
  /// The places of the parts in `text`.
  let shape: Shape

  /// The parts of a URL as offsets into the UTF-8 of its text. A feed may have half a million URLs.
  struct Shape: Sendable {
    fileprivate let scheme: Scheme
    fileprivate let port: UInt16
    fileprivate let host: Bounds
    fileprivate let path: Bounds

    fileprivate struct Bounds: Sendable {
      let start: UInt16
      let end: UInt16
    }
  }

  private subscript(bounds: Shape.Bounds) -> Substring {
    let start = text.utf8.index(text.startIndex, offsetBy: Int(bounds.start))
    return text[start..<text.utf8.index(start, offsetBy: Int(bounds.end - bounds.start))]
  }

  package var scheme: Scheme { shape.scheme }
  /// Lower case. An IPv6 address has no brackets.
  package var host: String { self[shape.host].lowercased() }
  package var port: Int { Int(shape.port) }
  /// Begins with `/`, without query.
  package var path: String { shape.path.start == shape.path.end ? "/" : String(self[shape.path]) }
  package var hasQuery: Bool { Int(shape.path.end) != text.utf8.count }
  package var hasCredentials: Bool { login != nil }

  // Works on bytes, not characters: libraries have many URLs, and all separators are ASCII.
  package init(_ text: some StringProtocol) throws(Problem) {
    guard text.utf8.count <= Self.maximumLength else { throw .tooLong }
    let whole = String(text)
    let text = whole.utf8.firstIndex(of: UInt8(ascii: "#")).map { String(whole[..<$0]) } ?? whole
    guard text.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F && $0 != UInt8(ascii: "\\") }) else {
      throw .illegalCharacter
    }
    let bytes = text.utf8
    guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")), bytes[colon...].starts(with: "://".utf8) else {
      throw Self.problemOfRelative(text)
    }
    guard let scheme = Scheme(rawValue: text[..<colon].lowercased()) else {
      throw .unsupportedScheme(text[..<colon].lowercased())
    }
    let afterScheme = bytes[colon...].dropFirst(3)
    let authority = afterScheme.prefix { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") }
    let rest = afterScheme[authority.endIndex...]
    let hostAndPort =
      authority.lastIndex(of: UInt8(ascii: "@")).map { authority[authority.index(after: $0)...] } ?? authority
    let (host, port) = try Self.split(hostAndPort)
    let loginStart = authority.startIndex
    let hasLogin = hostAndPort.startIndex != loginStart
    self.text = hasLogin ? "\(text[..<loginStart])\(text[hostAndPort.startIndex...])" : text
    login = hasLogin ? Secret(String(text[loginStart..<hostAndPort.startIndex].dropLast())) : nil
    let loginLength = bytes.distance(from: loginStart, to: hostAndPort.startIndex)
    func bounds(_ part: Substring.UTF8View) -> Shape.Bounds {
      let start = bytes.distance(from: bytes.startIndex, to: part.startIndex) - loginLength
      return Shape.Bounds(start: UInt16(start), end: UInt16(start + part.count))
    }
    shape = Shape(
      scheme: scheme, port: port ?? (scheme == .https ? 443 : 80), host: bounds(host),
      path: bounds(rest.prefix { $0 != UInt8(ascii: "?") }))
  }

  /// A URL from the text and the shape of one that was checked before.
  init(text: String, login: Secret?, shape: Shape) { (self.text, self.login, self.shape) = (text, login, shape) }

  private static func problemOfRelative(_ text: String) -> Problem {
    // A scheme without an authority, as in `mailto:x`, `file:/x` or `data:,x`.
    guard let colon = text.firstIndex(of: ":"), !text[..<colon].contains("/"), !text[..<colon].contains(".")
    else { return .notAbsolute }
    let scheme = text[..<colon].lowercased()
    return scheme.isEmpty || Scheme(rawValue: scheme) != nil ? .notAbsolute : .unsupportedScheme(scheme)
  }

  private static func split(_ hostAndPort: Substring.UTF8View) throws(Problem) -> (
    host: Substring.UTF8View, port: UInt16?
  ) {
    let colon = UInt8(ascii: ":")
    var host = hostAndPort
    var port: Substring.UTF8View?
    let isBracketed = host.first == UInt8(ascii: "[")
    if isBracketed {
      guard let end = host.firstIndex(of: UInt8(ascii: "]")) else { throw .noHost }
      let after = host[host.index(after: end)...]
      host = host[host.index(after: host.startIndex)..<end]
      guard after.isEmpty || after.first == colon else { throw .noHost }
      // Another reader might interpret a malformed address differently from what it seems to be.
      guard host.isEmpty || IPAddress(String(Substring(host))) != nil else { throw .badHost }
      port = after.isEmpty ? nil : after.dropFirst()
    } else if let end = host.firstIndex(of: colon) {
      port = host[host.index(after: end)...]
      host = host[..<end]
    }
    guard !host.isEmpty else { throw .noHost }
    guard isBracketed || !host.contains(where: "%[]".utf8.contains) else { throw .badHost }
    guard let port, !port.isEmpty else { return (host, nil) }
    let portText = Substring(port)
    guard port.allSatisfy({ (0x30...0x39).contains($0) }), let number = UInt16(portText), number > 0 else {
      throw .badPort(String(portText))
    }
    return (host, number)
  }

  /// Scheme, host and port, to which credentials and manifest headers are bound (RFC 6454).
  package var origin: Origin { Origin(scheme: scheme, host: host, port: port) }

  package struct Origin: Hashable, Sendable {
    package let scheme: Scheme
    package let host: String
    package let port: Int

    /// The host, with the port if it is not the scheme's default.
    package var text: String {
      let name = host.contains(":") ? "[\(host)]" : host
      return port == (scheme == .https ? 443 : 80) ? name : "\(name):\(port)"
    }
  }

  /// The URL including the user, for sending the request.
  package var requestText: String {
    guard let login else { return text }
    let start = text.index(text.startIndex, offsetBy: scheme.rawValue.count + 3)
    return "\(text[..<start])\(login.exposed)@\(text[start...])"
  }

  /// The URL for display: no user, no password, no query, which may contain tokens.
  package var redacted: String {
    let isDefaultPort = port == (scheme == .https ? 443 : 80)
    let hostText = host.contains(":") ? "[\(host)]" : host
    return "\(scheme)://\(hostText)\(isDefaultPort ? "" : ":\(port)")\(path)\(hasQuery ? "?…" : "")"
  }

  /// The last path component, undecoded. Empty if the path ends in `/`.
  package var lastPathComponent: Substring { path.split(separator: "/", omittingEmptySubsequences: false).last ?? "" }
}

extension RemoteURL: Hashable {
  package static func == (left: RemoteURL, right: RemoteURL) -> Bool { left.text == right.text }

  package func hash(into hasher: inout Hasher) { hasher.combine(text) }
}

extension RemoteURL: CustomStringConvertible {
  package var description: String { redacted }
}
