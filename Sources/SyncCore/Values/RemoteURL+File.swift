// SPDX-License-Identifier: Apache-2.0

/// URLs of local files (RFC 8089). Text from outside never becomes one by itself: a manifest, a feed or a redirect that
/// names such a URL is refused like one with any other scheme.
extension RemoteURL {
  private static let fileStart = "file://"

  /// The URL of a local file. Dot segments are resolved by name only, without a look at the disk.
  /// - Parameter path: The absolute path in the bytes of the file system, which need not be UTF-8.
  package init(file path: some Sequence<UInt8>) throws(Problem) {
    var components: [ArraySlice<UInt8>] = []
    for component in Array(path).split(separator: UInt8(ascii: "/")) where !component.elementsEqual(".".utf8) {
      guard !component.contains(0) else { throw .illegalCharacter }
      if component.elementsEqual("..".utf8) { _ = components.popLast() } else { components.append(component) }
    }
    var text = Self.fileStart
    for component in components { text += "/\(Self.encoded(component))" }
    guard !components.isEmpty else { throw .noHost }
    guard text.utf8.count <= Self.maximumLength else { throw .tooLong }
    let start = UInt16(Self.fileStart.utf8.count)
    let shape = Shape(
      scheme: .file, port: 0, host: Shape.Bounds(start: start, end: start),
      path: Shape.Bounds(start: start, end: UInt16(text.utf8.count)))
    self.init(text: text, login: nil, shape: shape)
  }

  /// A URL from the state, which may be that of a local file or of a search.
  package init(stored text: String) throws(Problem) {
    if let search = try Self.storedSearch(text) {
      self = search
      return
    }
    guard text.hasPrefix(Self.fileStart) else {
      self = try RemoteURL(text)
      return
    }
    self = try RemoteURL(file: Self.decoded(text.utf8.dropFirst(Self.fileStart.utf8.count)))
    guard self.text == text else { throw .illegalCharacter }
  }

  /// True for a file on this machine.
  package var isFile: Bool { shape.scheme == .file }

  /// The path of the file in the bytes of the file system. Nil for a URL that is requested.
  package var filePath: [UInt8]? { isFile ? Self.decoded(path.utf8) : nil }

  /// The bytes without percent-encoding (RFC 3986 §2.1). A percent sign without two digits means itself.
  package static func decoded(_ text: some Sequence<UInt8>) -> [UInt8] {
    var bytes: [UInt8] = []
    var rest = ArraySlice(text)
    while let byte = rest.popFirst() {
      let digits = rest.prefix(2)
      if byte == UInt8(ascii: "%"), digits.count == 2, let value = hexadecimal(digits) {
        bytes.append(value)
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte)
      }
    }
    return bytes
  }

  /// The bytes with every other than the unreserved ones percent-encoded.
  package static func encoded(_ bytes: some Sequence<UInt8>) -> String {
    var text = ""
    for byte in bytes { text += isUnreserved(byte) ? String(Unicode.Scalar(byte)) : escape(byte) }
    return text
  }

  private static func hexadecimal(_ digits: ArraySlice<UInt8>) -> UInt8? {
    guard digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }) else { return nil }
    return UInt8(String(decoding: digits, as: UTF8.self), radix: 16)
  }

  /// RFC 3986 §2.3.
  private static func isUnreserved(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"):
      true
    default: false
    }
  }

  private static func escape(_ byte: UInt8) -> String {
    let digits = String(byte, radix: 16, uppercase: true)
    return digits.utf8.count < 2 ? "%0\(digits)" : "%\(digits)"
  }
}
