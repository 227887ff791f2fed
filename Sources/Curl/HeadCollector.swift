// SPDX-License-Identifier: Apache-2.0

/// Builds the head of the final response from the lines that libcurl delivers. libcurl passes on every line of every
/// header section, interim ones included, and then the trailer lines. It never reports a truncated section: the only
/// sign is that the empty line is missing.
struct HeadCollector {
  enum Problem: Error, Equatable {
    case tooLarge
    case malformed(detail: String)
  }

  /// The status line and the fields, not yet interpreted.
  struct RawHead: Equatable {
    let version: ResponseHead.Version
    let status: Int
    var fields: [HeaderField] = []
  }

  /// The limit for all lines of one transfer. Servers send far less, and libcurl 7.88 limits only a single line.
  static let maximumBytes = 256 << 10
  static let maximumFields = 1000

  private var bytes = 0
  private var open: RawHead?
  private(set) var isComplete = false

  /// Takes one line, including its line end.
  /// - Returns: The head, if this line ends the section of a final response.
  mutating func take(_ line: UnsafeRawBufferPointer) throws(Problem) -> RawHead? {
    bytes += line.count
    guard bytes <= Self.maximumBytes else { throw .tooLarge }
    let line = Self.withoutLineEnd(line)
    if isComplete {
      guard !line.starts(with: "HTTP/".utf8) else { throw .malformed(detail: "a second response") }
      return nil
    }
    guard open != nil else {
      open = try Self.statusLine(Self.text(of: line))
      return nil
    }
    guard line.isEmpty else {
      try takeField(line)
      return nil
    }
    return endSection()
  }

  private mutating func endSection() -> RawHead? {
    defer { open = nil }
    guard let open, open.status >= 200 else { return nil }
    isComplete = true
    return open
  }

  /// Works on bytes because it runs for every line of every response.
  private mutating func takeField(_ line: Slice<UnsafeRawBufferPointer>) throws(Problem) {
    guard var head = open else { return }
    open = nil
    if let first = line.first, Self.isBlank(first) {
      // Obsolete line folding (RFC 9112 §5.2), which libcurl passes on unchanged.
      guard let last = head.fields.popLast() else { throw .malformed(detail: "a folded line without a field") }
      head.fields.append(HeaderField(received: last.name, octets: last.octets + [0x20] + Self.trimmed(line)))
    } else {
      guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else {
        throw .malformed(detail: "a header line without a colon")
      }
      let name = Self.text(of: Self.trimmed(line[..<colon]))
      head.fields.append(
        HeaderField(received: name, octets: Array(Self.trimmed(line[line.index(after: colon)...]))))
    }
    guard head.fields.count <= Self.maximumFields else { throw .tooLarge }
    open = head
  }

  private static func statusLine(_ text: String) throws(Problem) -> RawHead {
    let words = text.split(separator: " ", maxSplits: 2)
    guard words.count >= 2, words[1].utf8.count == 3, let status = Int(words[1]), status >= 100 else {
      throw .malformed(detail: "not a status line")
    }
    switch words[0] {
    case "HTTP/1.0": return RawHead(version: .http10, status: status)
    case "HTTP/1.1": return RawHead(version: .http11, status: status)
    case "HTTP/2", "HTTP/2.0": return RawHead(version: .http2, status: status)
    case "HTTP/3": return RawHead(version: .http3, status: status)
    default: throw .malformed(detail: "not a version of HTTP")
    }
  }

  private static func withoutLineEnd(_ line: UnsafeRawBufferPointer) -> Slice<UnsafeRawBufferPointer> {
    var rest = line[...]
    if rest.last == 0x0A { rest.removeLast() }
    if rest.last == 0x0D { rest.removeLast() }
    return rest
  }

  private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

  private static func trimmed(_ bytes: Slice<UnsafeRawBufferPointer>) -> Slice<UnsafeRawBufferPointer> {
    var rest = bytes.drop(while: isBlank)
    while let last = rest.last, isBlank(last) { rest.removeLast() }
    return rest
  }

  /// Decodes UTF-8 if the bytes are valid, otherwise Latin-1 (RFC 9110 §5.5).
  private static func text(of bytes: Slice<UnsafeRawBufferPointer>) -> String {
    if let text = String(validating: bytes, as: UTF8.self) { return text }
    return String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
  }
}

/// The status line and the whole header section of a final response.
/// A truncated head never becomes a value of this type.
package struct ResponseHead: Hashable, Sendable {
  package enum Version: Hashable, Sendable { case http10, http11, http2, http3 }

  package let version: Version
  package let status: Int
  /// The fields as received, in order, including repetitions.
  package let fields: [HeaderField]
  package let framing: BodyFraming
  /// The other end of the connection, which may be a proxy.
  package let connectedTo: SocketAddressText?
  /// The absolute target of a 3xx response with `Location`, of any scheme. It is not followed. If it cannot be
  /// resolved, this is the field's own text, which no parser of absolute http URLs accepts.
  package let redirectTarget: String?

  /// The first value of a field. The case of the name does not matter.
  package subscript(name: String) -> String? { fields.first { $0.isNamed(name) }?.value }

  /// All values of a field. More than one may be a contradiction.
  package func values(of name: String) -> [String] { fields.filter { $0.isNamed(name) }.map(\.value) }
}

/// One header field, either received or to be sent (RFC 9110 §5).
package struct HeaderField: Hashable, Sendable {
  /// The reason why a field must not be sent.
  package enum Problem: Error, Hashable, Sendable {
    /// The name is not a token (RFC 9110 §5.1).
    case badName(String)
    /// The value contains CR, LF or NUL and could start another field.
    /// The value is left out because it may be a secret.
    case badValue(ofField: String)
  }

  package let name: String
  package let value: String
  /// True if the value was received in bytes that are not UTF-8. Each of its characters is then one byte.
  private let isLatin1: Bool

  /// Creates a field to send.
  package init(sending name: String, _ value: String) throws(Problem) {
    guard Self.isToken(name) else { throw .badName(name) }
    guard value.utf8.allSatisfy({ $0 != 0x0D && $0 != 0x0A && $0 != 0 }) else { throw .badValue(ofField: name) }
    self.init(received: name, value)
  }

  init(received name: String, _ value: String) { (self.name, self.value, isLatin1) = (name, value, false) }

  /// Decodes a value as UTF-8 if its bytes are valid, otherwise as Latin-1 (RFC 9110 §5.5).
  init(received name: String, octets: [UInt8]) {
    self.name = name
    let text = String(validating: octets, as: UTF8.self)
    value = text ?? String(String.UnicodeScalarView(octets.map { Unicode.Scalar($0) }))
    isLatin1 = text == nil
  }

  /// The bytes of the value as received.
  var octets: [UInt8] {
    isLatin1 ? value.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) } : Array(value.utf8)
  }

  /// Compares ASCII letters without regard to case (RFC 9110 §5.1).
  func isNamed(_ other: String) -> Bool {
    name.utf8.elementsEqual(other.utf8) { lowercase($0) == lowercase($1) }
  }

  static func isToken(_ text: String) -> Bool {
    !text.isEmpty
      && text.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"):
          true
        default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
      }
  }
}

private func lowercase(_ byte: UInt8) -> UInt8 {
  (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
}
