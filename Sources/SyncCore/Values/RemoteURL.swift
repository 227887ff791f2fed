// SPDX-License-Identifier: Apache-2.0

/// An absolute `http` or `https` URL, checked far enough to name a host and to be sent (RFC 3986, RFC 9110 §4.2).
///
/// Two of them are equal when they differ in nothing but the user: that is a matter of who asks, not of what for.
package struct RemoteURL: Sendable {
  /// Why a text is not such a URL.
  package enum Problem: Error, Hashable, Sendable {
    case notAbsolute
    case unsupportedScheme(String)
    case noHost
    /// It has percent-encoded characters, which programs read differently, or brackets that are not around an address.
    case badHost
    case badPort(String)
    case illegalCharacter
    /// More than `maximumLength` bytes.
    case tooLong
  }

  package enum Scheme: String, Sendable { case http, https }

  /// In bytes: as long as common servers accept a request line, and no longer than a state file should carry.
  package static let maximumLength = 8 << 10

  /// As written, without user and fragment. Its query may hold a token: print `redacted` instead.
  package let text: String
  /// `user:password` before an `@`, as written. Kept out of `text`, and so out of everything that is stored.
  package let login: Secret?
  package let scheme: Scheme
  /// Lower case; an IPv6 address without its brackets.
  package let host: String
  package let port: Int
  /// Begins with `/`; without query.
  package let path: String
  package let hasQuery: Bool
  package var hasCredentials: Bool { login != nil }

  // By bytes, not by characters: libraries have many URLs, and all that separates their parts is ASCII.
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
    let hasLogin = hostAndPort.startIndex != authority.startIndex
    self.text = hasLogin ? "\(text[..<afterScheme.startIndex])\(text[hostAndPort.startIndex...])" : text
    login = hasLogin ? Secret(String(text[authority.startIndex..<hostAndPort.startIndex].dropLast())) : nil
    self.scheme = scheme
    self.host = host
    self.port = port ?? (scheme == .https ? 443 : 80)
    let path = rest.prefix { $0 != UInt8(ascii: "?") }
    self.path = path.isEmpty ? "/" : String(Substring(path))
    self.hasQuery = path.endIndex != rest.endIndex
  }

  private static func problemOfRelative(_ text: String) -> Problem {
    // `mailto:x`, `file:/x`, `data:,x`: a scheme that has no authority.
    guard let colon = text.firstIndex(of: ":"), !text[..<colon].contains("/"), !text[..<colon].contains(".")
    else { return .notAbsolute }
    let scheme = text[..<colon].lowercased()
    return scheme.isEmpty || Scheme(rawValue: scheme) != nil ? .notAbsolute : .unsupportedScheme(scheme)
  }

  private static func split(_ hostAndPort: Substring.UTF8View) throws(Problem) -> (String, Int?) {
    let colon = UInt8(ascii: ":")
    var host = hostAndPort
    var port: Substring.UTF8View?
    let isBracketed = host.first == UInt8(ascii: "[")
    if isBracketed {
      guard let end = host.firstIndex(of: UInt8(ascii: "]")) else { throw .noHost }
      let after = host[host.index(after: end)...]
      host = host[host.index(after: host.startIndex)..<end]
      guard after.isEmpty || after.first == colon else { throw .noHost }
      // Whatever else a reader might make of it is not the address that it looks like.
      guard host.isEmpty || IPAddress(String(Substring(host))) != nil else { throw .badHost }
      port = after.isEmpty ? nil : after.dropFirst()
    } else if let end = host.firstIndex(of: colon) {
      port = host[host.index(after: end)...]
      host = host[..<end]
    }
    guard !host.isEmpty else { throw .noHost }
    guard isBracketed || !host.contains(where: "%[]".utf8.contains) else { throw .badHost }
    let name = Substring(host).lowercased()
    guard let port, !port.isEmpty else { return (name, nil) }
    let portText = Substring(port)
    guard port.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int(portText), (1...65_535).contains(number)
    else { throw .badPort(String(portText)) }
    return (name, number)
  }

  /// Scheme, host and port: what credentials and manifest headers are bound to (RFC 6454).
  package var origin: Origin { Origin(scheme: scheme, host: host, port: port) }

  package struct Origin: Hashable, Sendable {
    package let scheme: Scheme
    package let host: String
    package let port: Int

    /// The host, with a port that is not the scheme's own.
    package var text: String {
      let name = host.contains(":") ? "[\(host)]" : host
      return port == (scheme == .https ? 443 : 80) ? name : "\(name):\(port)"
    }
  }

  /// With the user, for the one who sends the request.
  package var requestText: String {
    guard let login else { return text }
    let start = text.index(text.startIndex, offsetBy: scheme.rawValue.count + 3)
    return "\(text[..<start])\(login.exposed)@\(text[start...])"
  }

  /// The URL as a person may see it: no user, no password, no query (tokens live there).
  package var redacted: String {
    let isDefaultPort = port == (scheme == .https ? 443 : 80)
    let hostText = host.contains(":") ? "[\(host)]" : host
    return "\(scheme)://\(hostText)\(isDefaultPort ? "" : ":\(port)")\(path)\(hasQuery ? "?…" : "")"
  }

  /// The last path component, undecoded; empty when the path ends in `/`.
  package var lastPathComponent: Substring { path.split(separator: "/", omittingEmptySubsequences: false).last ?? "" }
}

extension RemoteURL: Hashable {
  package static func == (left: RemoteURL, right: RemoteURL) -> Bool { left.text == right.text }

  package func hash(into hasher: inout Hasher) { hasher.combine(text) }
}

extension RemoteURL: CustomStringConvertible {
  package var description: String { redacted }
}
