// SPDX-License-Identifier: Apache-2.0

/// What the first bytes of a document say about its encoding, and where its text begins.
struct Prolog {
  /// So many bytes decide, or the document's end.
  static let length = 1024

  /// Nil when it has a name that is not known.
  var encoding: TextDecoder.Encoding?
  /// As declared, lower case.
  var encodingName: String?
  /// What stands before the text and is passed over: a byte order mark, blank lines, the XML declaration.
  var skipped: Int
  /// Line ends in it, so that lines are counted from the document's first.
  var lines: Int

  init(_ bytes: ArraySlice<UInt8>) {
    switch (bytes.first, bytes.dropFirst().first) {
    case (0xFE, 0xFF): self.init(encoding: .utf16(bigEndian: true), skipped: 2, lines: 0)
    case (0xFF, 0xFE): self.init(encoding: .utf16(bigEndian: false), skipped: 2, lines: 0)
    default: self.init(asciiCompatible: bytes)
    }
  }

  private init(encoding: TextDecoder.Encoding?, name: String? = nil, skipped: Int, lines: Int) {
    self.encoding = encoding
    encodingName = name
    self.skipped = skipped
    self.lines = lines
  }

  private init(asciiCompatible bytes: ArraySlice<UInt8>) {
    var rest = bytes
    if rest.starts(with: [0xEF, 0xBB, 0xBF]) { rest = rest.dropFirst(3) }
    // Not well-formed (XML 1.0 §2.8), but common and harmless.
    rest = rest.drop { $0 == 0x20 || (0x09...0x0D).contains($0) }
    let declaration = Self.declaration(at: rest)
    let name = Self.encodingName(in: declaration)
    let encoding = Self.encoding(named: name)
    if encoding != .other { rest = rest.dropFirst(declaration.count) }
    let skipped = bytes[..<rest.startIndex]
    self.init(
      encoding: encoding, name: name, skipped: skipped.count, lines: skipped.count { $0 == UInt8(ascii: "\n") })
  }

  /// `<?xml … ?>`; empty when the text begins otherwise.
  private static func declaration(at rest: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    let isDeclaration = rest.starts(with: "<?xml".utf8) && rest.dropFirst(5).first.map { $0 <= 0x20 } == true
    guard isDeclaration, let end = rest.prefix(length).firstIndex(of: UInt8(ascii: ">")) else { return [] }
    return rest[...end]
  }

  private static func encodingName(in declaration: ArraySlice<UInt8>) -> String? {
    let text = String(decoding: declaration, as: UTF8.self)
    guard let place = text.firstRange(of: "encoding") else { return nil }
    let value = text[place.upperBound...].drop { $0 != "\"" && $0 != "'" }
    guard let quote = value.first else { return nil }
    return value.dropFirst().prefix { $0 != quote }.lowercased()
  }

  private static func encoding(named name: String?) -> TextDecoder.Encoding? {
    switch name {
    // A document without a byte order mark is no UTF-16, whatever it says.
    case nil, "", "utf-8", "utf8", "utf-16", "unicode": .utf8
    case "iso-8859-1", "iso8859-1", "iso_8859-1", "latin1", "latin-1", "us-ascii", "ascii", "windows-1252", "cp1252":
      .windows1252
    case let name?: asciiCompatible.contains { name.hasPrefix($0) } ? .other : nil
    }
  }

  /// Encodings in which the bytes of markup always mean markup. In others (UTF-7, say) they could hide from the guard.
  private static let asciiCompatible = [
    "iso-8859-", "windows-125", "cp125", "koi8-", "euc-", "shift_jis", "sjis", "gb2312", "gbk", "gb18030", "big5",
  ]
}
