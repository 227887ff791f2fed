// SPDX-License-Identifier: Apache-2.0

/// An absolute `http` or `https` URL, checked far enough to name a host and to be sent (RFC 3986, RFC 9110 §4.2).
///
/// Taken apart by bytes, as the engine that sends it does: by `Character` a `/` before a combining mark would hide, and
/// the host here would be another one than is asked.
package struct RemoteURL: Hashable, Sendable {
  /// Why a text is not such a URL.
  package enum Problem: Error, Equatable, Sendable {
    case notAbsolute
    case unsupportedScheme(String)
    case noHost
    case badPort(String)
    case illegalCharacter
  }

  package enum Scheme: String, Sendable { case http, https }

  /// As written, without its fragment. May hold credentials: print `redacted` instead.
  package let text: String
  package let scheme: Scheme
  /// Lower case; an IPv6 address without its brackets.
  package let host: String
  package let port: Int
  /// Begins with `/`; without query.
  package let path: String
  package let hasQuery: Bool
  package let hasCredentials: Bool

  package init(_ text: some StringProtocol) throws(Problem) {
    var text = String(text)
    if let fragment = text.utf8.firstIndex(of: UInt8(ascii: "#")) { text = String(text[..<fragment]) }
    guard text.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F && $0 != UInt8(ascii: "\\") }) else {
      throw .illegalCharacter
    }
    guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")), text.utf8[colon...].starts(with: "://".utf8) else {
      throw Self.problemOfRelative(text)
    }
    guard let scheme = Scheme(rawValue: text[..<colon].lowercased()) else {
      throw .unsupportedScheme(text[..<colon].lowercased())
    }
    let afterScheme = text.utf8[colon...].dropFirst(3)
    let authority = afterScheme.prefix { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") }
    let rest = afterScheme[authority.endIndex...]
    let hostAndPort =
      authority.lastIndex(of: UInt8(ascii: "@")).map { authority[authority.index(after: $0)...] } ?? authority
    let (host, port) = try Self.split(Substring(hostAndPort))
    self.text = text
    self.scheme = scheme
    self.host = host
    self.port = port ?? (scheme == .https ? 443 : 80)
    let path = Substring(rest.prefix { $0 != UInt8(ascii: "?") })
    self.path = path.isEmpty ? "/" : String(path)
    self.hasQuery = rest.contains(UInt8(ascii: "?"))
    self.hasCredentials = hostAndPort.startIndex != authority.startIndex
  }

  private static func problemOfRelative(_ text: String) -> Problem {
    // `mailto:x`, `file:/x`, `data:,x`: a scheme that has no authority.
    guard let colon = text.firstIndex(of: ":"), !text[..<colon].contains("/"), !text[..<colon].contains(".")
    else { return .notAbsolute }
    let scheme = text[..<colon].lowercased()
    return scheme.isEmpty || Scheme(rawValue: scheme) != nil ? .notAbsolute : .unsupportedScheme(scheme)
  }

  private static func split(_ hostAndPort: Substring) throws(Problem) -> (String, Int?) {
    let bytes = hostAndPort.utf8
    var host = hostAndPort
    var portText: Substring?
    if bytes.first == UInt8(ascii: "[") {
      guard let end = bytes.firstIndex(of: UInt8(ascii: "]")) else { throw .noHost }
      let after = hostAndPort[bytes.index(after: end)...]
      host = hostAndPort[bytes.index(after: bytes.startIndex)..<end]
      guard after.isEmpty || after.utf8.first == UInt8(ascii: ":") else { throw .noHost }
      portText = after.isEmpty ? nil : after.dropFirst()
    } else if let colon = bytes.firstIndex(of: UInt8(ascii: ":")) {
      portText = hostAndPort[bytes.index(after: colon)...]
      host = hostAndPort[..<colon]
    }
    guard !host.isEmpty else { throw .noHost }
    guard let portText, !portText.isEmpty else { return (host.lowercased(), nil) }
    guard portText.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let port = Int(portText),
      (1...65_535).contains(port)
    else { throw .badPort(String(portText)) }
    return (host.lowercased(), port)
  }

  /// Scheme, host and port: what credentials and manifest headers are bound to (RFC 6454).
  package var origin: Origin { Origin(scheme: scheme, host: host, port: port) }

  package struct Origin: Hashable, Sendable {
    package let scheme: Scheme
    package let host: String
    package let port: Int
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

extension RemoteURL: CustomStringConvertible {
  package var description: String { redacted }
}
