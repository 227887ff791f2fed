// SPDX-License-Identifier: Apache-2.0

/// An absolute `http` or `https` URL, checked far enough to name a host and to be sent (RFC 3986, RFC 9110 §4.2), or the
/// `file` URL of a local file, which only `init(file:)` and `init(stored:)` make. An item that has to be searched for has
/// a `search` URL, which only `init(search:)` and `init(stored:)` make.
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

  package enum Scheme: String, Sendable { case http, https, file, search }

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
    let scheme: Scheme
    let port: UInt16
    let host: Bounds
    let path: Bounds

    struct Bounds: Sendable {
      let start: UInt16
      let end: UInt16
    }
  }

  private subscript(bounds: Shape.Bounds) -> Substring {
    let start = text.utf8.index(text.startIndex, offsetBy: Int(bounds.start))
    return text[start..<text.utf8.index(start, offsetBy: Int(bounds.end - bounds.start))]
  }

  package var scheme: Scheme { shape.scheme }
  /// Lower case. An IPv6 address has no brackets. Empty for a file.
  package var host: String { self[shape.host].lowercased() }
  /// Nil where there is no host: for a file and for a search.
  package var namedHost: String? { shape.host.start == shape.host.end ? nil : host }
  /// True if both name the host in the same spelling. Makes no text.
  func hasHost(of other: RemoteURL) -> Bool { self[shape.host].utf8.elementsEqual(other[other.shape.host].utf8) }
  package var port: Int { Int(shape.port) }
  /// Begins with `/`, without query.
  package var path: String { shape.path.start == shape.path.end ? "/" : String(self[shape.path]) }
  package var hasQuery: Bool { Int(shape.path.end) != text.utf8.count }
  package var hasCredentials: Bool { login != nil }

  // Works on bytes, not characters: libraries have many URLs, and all separators are ASCII.
  package init(_ text: some StringProtocol) throws(Problem) {
    guard text.utf8.count <= Self.maximumLength else { throw .tooLong }
    let whole = String(text)
    let length = try Self.lengthWithoutFragment(whole.utf8Span.span)
    let text = length == whole.utf8.count ? whole : String(decoding: whole.utf8.prefix(length), as: UTF8.self)
    let bytes = text.utf8Span.span
    guard let colon = bytes.first(in: 0..<length, where: { $0 == UInt8(ascii: ":") }),
      colon + 2 < length, bytes[colon + 1] == UInt8(ascii: "/"), bytes[colon + 2] == UInt8(ascii: "/")
    else { throw Self.problemOfRelative(text) }
    let scheme = try Self.scheme(text.utf8.prefix(colon))
    let login = colon + 3
    let end = bytes.first(in: login..<length) { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") } ?? length
    let host = bytes.last(in: login..<end) { $0 == UInt8(ascii: "@") }.map { $0 + 1 } ?? login
    let (hostRange, port) = try Self.split(text, host..<end)
    let query = bytes.first(in: end..<length) { $0 == UInt8(ascii: "?") } ?? length
    let cut = host - login
    self.text = cut == 0 ? text : Self.part(0..<login, of: text) + Self.part(host..<length, of: text)
    self.login = cut == 0 ? nil : Secret(Self.part(login..<host - 1, of: text))
    func bounds(_ range: Range<Int>) -> Shape.Bounds {
      Shape.Bounds(start: UInt16(range.lowerBound - cut), end: UInt16(range.upperBound - cut))
    }
    shape = Shape(
      scheme: scheme, port: port ?? (scheme == .https ? 443 : 80), host: bounds(hostRange), path: bounds(end..<query))
  }

  /// The length in bytes of everything before a fragment.
  private static func lengthWithoutFragment(_ bytes: Span<UInt8>) throws(Problem) -> Int {
    for index in bytes.indices {
      switch bytes[index] {
      case UInt8(ascii: "#"): return index
      case ...0x20, 0x7F, UInt8(ascii: "\\"): throw .illegalCharacter
      default: break
      }
    }
    return bytes.count
  }

  private static func scheme(_ bytes: some Collection<UInt8>) throws(Problem) -> Scheme {
    if bytes.elementsEqual("https".utf8) { return .https }
    if bytes.elementsEqual("http".utf8) { return .http }
    let text = String(decoding: bytes, as: UTF8.self).lowercased()
    guard let scheme = Scheme(rawValue: text), scheme != .file, scheme != .search else {
      throw .unsupportedScheme(text)
    }
    return scheme
  }

  /// A URL from the text and the shape of one that was checked before.
  init(text: String, login: Secret?, shape: Shape) { (self.text, self.login, self.shape) = (text, login, shape) }

  private static func problemOfRelative(_ text: String) -> Problem {
    // A scheme without an authority, as in `mailto:x`, `file:/x` or `data:,x`.
    guard let colon = text.firstIndex(of: ":"), !text[..<colon].contains("/"), !text[..<colon].contains(".")
    else { return .notAbsolute }
    let scheme = text[..<colon].lowercased()
    return ["", "http", "https"].contains(scheme) ? .notAbsolute : .unsupportedScheme(scheme)
  }

  /// The range of the host and the number of the port in that range of a URL's bytes.
  private static func split(_ text: String, _ range: Range<Int>) throws(Problem) -> (host: Range<Int>, port: UInt16?) {
    let bytes = text.utf8Span.span
    let isBracketed = !range.isEmpty && bytes[range.lowerBound] == UInt8(ascii: "[")
    var host = range
    var port = range.upperBound
    if isBracketed {
      guard let end = bytes.first(in: range, where: { $0 == UInt8(ascii: "]") }) else { throw .noHost }
      host = range.lowerBound + 1..<end
      port = end + 1
      guard port == range.upperBound || bytes[port] == UInt8(ascii: ":") else { throw .noHost }
      // Another reader might interpret a malformed address differently from what it seems to be.
      guard host.isEmpty || IPAddress(part(host, of: text)) != nil else { throw .badHost }
    } else if let colon = bytes.first(in: range, where: { $0 == UInt8(ascii: ":") }) {
      host = range.lowerBound..<colon
      port = colon
    }
    guard !host.isEmpty else { throw .noHost }
    let isBad = bytes.first(in: host) { $0 == UInt8(ascii: "%") || $0 == UInt8(ascii: "[") || $0 == UInt8(ascii: "]") }
    guard isBracketed || isBad == nil else { throw .badHost }
    guard port + 1 < range.upperBound else { return (host, nil) }
    let digits = port + 1..<range.upperBound
    let digitsText = part(digits, of: text)
    guard bytes.first(in: digits, where: { !(0x30...0x39).contains($0) }) == nil, let number = UInt16(digitsText),
      number > 0
    else { throw .badPort(digitsText) }
    return (host, number)
  }

  private static func part(_ range: Range<Int>, of text: String) -> String {
    String(decoding: text.utf8.prefix(range.upperBound).dropFirst(range.lowerBound), as: UTF8.self)
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
    if isFile { return text }
    if let searched { return searched }
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

extension Span<UInt8> {
  fileprivate func first(in range: Range<Int>, where isWanted: (UInt8) -> Bool) -> Int? {
    for index in range where isWanted(self[index]) { return index }
    return nil
  }

  fileprivate func last(in range: Range<Int>, where isWanted: (UInt8) -> Bool) -> Int? {
    for index in range.reversed() where isWanted(self[index]) { return index }
    return nil
  }
}
