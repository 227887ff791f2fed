// SPDX-License-Identifier: Apache-2.0

/// Determines the encoding of a document by the rules of RFC 7303 §3: a byte order mark, then the charset of the header
/// field, then the XML declaration. A name that contradicts the bytes is ignored (XML 1.0, appendix F).
struct Prolog {
  /// The number of bytes that are examined, unless the document is shorter.
  static let length = 4096

  /// Nil if the document declares an unknown name.
  private(set) var encoding: TextEncoding?
  /// The declared name in lower case.
  private(set) var encodingName: String?
  /// The length of the byte order mark in bytes.
  private(set) var skipped = 0

  /// - Parameter charset: The charset of the header field that came with the document.
  init(_ bytes: ArraySlice<UInt8>, charset: String? = nil) {
    if let (mark, encoding) = Self.marks.first(where: { bytes.starts(with: $0.0) }) {
      (self.encoding, skipped) = (encoding, mark.count)
    } else if let encoding = Self.wideEncoding(bytes) {
      self.encoding = encoding
    } else if bytes.starts(with: Self.ebcdicOpening) {
      readEBCDIC(bytes, charset)
    } else {
      readNarrow(bytes, charset)
    }
  }

  /// The longer marks come first, because the UTF-32 mark begins with the UTF-16 mark.
  private static let marks: [([UInt8], TextEncoding)] = [
    ([0x00, 0x00, 0xFE, 0xFF], .utf32(bigEndian: true)), ([0xFF, 0xFE, 0x00, 0x00], .utf32(bigEndian: false)),
    ([0xFE, 0xFF], .utf16(bigEndian: true)), ([0xFF, 0xFE], .utf16(bigEndian: false)), ([0xEF, 0xBB, 0xBF], .utf8),
  ]

  /// `<` or a blank before it, in UTF-16 or UTF-32 without a mark.
  private static func wideEncoding(_ bytes: ArraySlice<UInt8>) -> TextEncoding? {
    let first = Array(bytes.prefix(4))
    guard first.count == 4 else { return nil }
    func isOpening(_ byte: UInt8) -> Bool { byte == 0x3C || byte == 0x20 || (0x09...0x0D).contains(byte) }
    switch (first[0], first[1], first[2], first[3]) {
    case (0, 0, 0, let byte) where isOpening(byte): return .utf32(bigEndian: true)
    case (let byte, 0, 0, 0) where isOpening(byte): return .utf32(bigEndian: false)
    case (0, let byte, _, _) where isOpening(byte): return .utf16(bigEndian: true)
    case (let byte, 0, _, _) where isOpening(byte): return .utf16(bigEndian: false)
    default: return nil
    }
  }

  /// `<?xm` in EBCDIC.
  private static let ebcdicOpening: [UInt8] = [0x4C, 0x6F, 0xA7, 0x94]

  private mutating func readEBCDIC(_ bytes: ArraySlice<UInt8>, _ charset: String?) {
    var text: [UInt8] = []
    var decoder = TextDecoder(.named("IBM037"))
    decoder?.decode(bytes.prefix(Self.length), into: &text)
    encodingName = Self.encodingName(in: XMLDeclaration.at(text[...]))
    let names = [charset, encodingName].compactMap { $0 }
    encoding = names.lazy.compactMap { TextEncoding(name: $0) }.first ?? .named("IBM037")
  }

  private mutating func readNarrow(_ bytes: ArraySlice<UInt8>, _ charset: String?) {
    let hasNull = bytes.prefix(4).contains(0)
    func usable(_ name: String) -> TextEncoding? {
      guard let encoding = TextEncoding(name: name) else { return nil }
      // If each byte is one character, the text is not UTF-16, whatever the name says.
      return encoding.isWide && !hasNull ? nil : encoding
    }
    if let charset, let encoding = usable(charset) {
      self.encoding = encoding
      return
    }
    let text = bytes.drop { $0 == 0x20 || (0x09...0x0D).contains($0) }
    encodingName = Self.encodingName(in: XMLDeclaration.at(text))
    guard let name = encodingName, !name.isEmpty else {
      encoding = .utf8
      return
    }
    encoding = usable(name) ?? (TextEncoding(name: name) == nil ? nil : .utf8)
  }

  private static func encodingName(in declaration: ArraySlice<UInt8>) -> String? {
    let text = String(decoding: declaration, as: UTF8.self)
    guard let place = text.firstRange(of: "encoding") else { return nil }
    let value = text[place.upperBound...].drop { $0 != "\"" && $0 != "'" }
    guard let quote = value.first else { return nil }
    return value.dropFirst().prefix { $0 != quote }.lowercased()
  }
}

/// The declaration `<?xml … ?>`. It is not passed to the parser, because the encoding is determined before.
enum XMLDeclaration {
  /// In bytes.
  private static let maximumLength = 1024

  /// The declaration at the start of the text. Empty if there is none.
  static func at(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    let isDeclaration = text.starts(with: "<?xml".utf8) && text.dropFirst(5).first.map { $0 <= 0x20 } == true
    guard isDeclaration, let end = text.prefix(maximumLength).firstIndex(of: UInt8(ascii: ">")) else { return [] }
    return text[...end]
  }

  /// The part before the text of a decoded document: the declaration, and blanks before it, which are not well-formed
  /// there (XML 1.0 §2.8) but common and harmless.
  static func preamble(of text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    let rest = text.drop { $0 == 0x20 || (0x09...0x0D).contains($0) }
    return text[..<(rest.startIndex + at(rest).count)]
  }
}
