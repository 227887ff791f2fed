// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import XML

@Suite("the encoding of a document")
struct EncodingTests {
  private static func wide16(_ text: String, bigEndian: Bool) -> [UInt8] {
    text.utf16.flatMap { unit in
      let bytes = [UInt8(unit >> 8), UInt8(unit & 255)]
      return bigEndian ? bytes : bytes.reversed()
    }
  }

  private static func wide32(_ text: String, bigEndian: Bool) -> [UInt8] {
    text.unicodeScalars.flatMap { scalar in
      let bytes = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: scalar.value >> $0) }
      return bigEndian ? bytes : bytes.reversed()
    }
  }

  @Test("UTF-16 and UTF-32 are read with a mark and without one, whatever they declare", arguments: [true, false])
  func wide(bigEndian: Bool) {
    let declared = ["UTF-16", "UTF-8"].map { "<?xml version='1.0' encoding='\($0)'?>\n" }
    for declaration in ["", "\n "] + declared {
      for mark in ["\u{FEFF}", ""] {
        let document = "\(mark)\(declaration)<r>é🎧</r>"
        #expect(text(of: Self.wide16(document, bigEndian: bigEndian)) == "é🎧")
        #expect(text(of: Self.wide32(document, bigEndian: bigEndian)) == "é🎧")
      }
    }
  }

  @Test(
    "a mark comes before the header's charset, and that before the declaration",
    arguments: [
      (nil, "iso-8859-2", [0xB1], "ą"), ("iso-8859-5", "iso-8859-2", [0xD0], "а"), ("iso-8859-5", "utf-8", [0xD0], "а"),
      ("utf-8", "iso-8859-2", [0xC4, 0x85], "ą"), ("x-unknown", "iso-8859-2", [0xB1], "ą"),
      ("utf-16", "iso-8859-2", [0xB1], "ą"), (nil, "utf-16", [0xC4, 0x85], "ą"),
    ] as [(String?, String, [UInt8], String)])
  func order(charset: String?, declared: String, bytes: [UInt8], expected: String) {
    let document = Array("<?xml version='1.0' encoding='\(declared)'?><r>".utf8) + bytes + Array("</r>".utf8)
    #expect(text(of: document, charset: charset) == expected)
    let marked = [0xEF, 0xBB, 0xBF] + Array("<?xml version='1.0' encoding='\(declared)'?><r>ą</r>".utf8)
    #expect(text(of: marked, charset: charset) == "ą")
  }

  @Test(
    "what feeds are written in is read",
    arguments: [
      ("windows-1251", [0xE6], "ж"), ("KOI8-R", [0xD6], "ж"), ("koi8-u", [0xA4], "є"), ("iso-8859-5", [0xD6], "ж"),
      ("iso-8859-9", [0xFD, 0x93], "ı“"), ("iso-8859-15", [0xA4], "€"), ("windows-1250", [0xB9], "ą"),
      ("windows-1254", [0xFD], "ı"), ("windows-874", [0xA1], "ก"), ("Shift_JIS", [0x82, 0xA0], "あ"),
      ("EUC-JP", [0xA4, 0xA2], "あ"), ("ISO-2022-JP", [0x1B, 0x24, 0x42, 0x24, 0x22, 0x1B, 0x28, 0x42], "あ"),
      ("GB2312", [0xC4, 0xE3], "你"), ("GBK", [0x96, 0x57], "朩"), ("gb18030", [0xC4, 0xE3], "你"),
      ("Big5", [0xA7, 0x41], "你"), ("EUC-KR", [0xB0, 0xA1], "가"), ("macintosh", [0x8E], "é"), ("ibm866", [0xA6], "ж"),
      ("latin1", [0xE9, 0x85], "é…"),
    ] as [(String, [UInt8], String)])
  func named(name: String, bytes: [UInt8], expected: String) {
    let document = Array("<?xml version='1.0' encoding='\(name)'?><r>".utf8) + bytes + Array("</r>".utf8)
    for pieces in [.max, 1] { #expect(text(of: document, pieces: pieces) == expected) }
    #expect(text(of: Array("<r>".utf8) + bytes + Array("</r>".utf8), charset: name) == expected)
  }

  @Test("EBCDIC is read too, since XML can be written in it")
  func ebcdic() {
    // <?xml version="1.0"?><r>a</r> in code page 037.
    let document: [UInt8] = [
      0x4C, 0x6F, 0xA7, 0x94, 0x93, 0x40, 0xA5, 0x85, 0x99, 0xA2, 0x89, 0x96, 0x95, 0x7E, 0x7F, 0xF1, 0x4B, 0xF0, 0x7F,
      0x6F, 0x6E, 0x4C, 0x99, 0x6E, 0x81, 0x4C, 0x61, 0x99, 0x6E,
    ]
    #expect(text(of: document) == "a")
  }

  @Test("bytes that are not of it become U+FFFD, and the line of the first is told")
  func invalid() {
    let document =
      Array("<?xml version='1.0' encoding='EUC-JP'?>\n<r>\n".utf8) + [0xA4, 0x41, 0xFF] + Array("</r>".utf8)
    let (found, ending) = read(document, charset: nil, pieces: 1)
    #expect(found == "\n\u{FFFD}A\u{FFFD}")
    #expect(ending.repairs.encodingLine == 3)
  }

  @Test("a declaration never reaches the parser, however long it is")
  func hiddenDeclaration() {
    let padding = String(repeating: " ", count: 5000)
    let document = "<?xml version='1.0'\(padding)encoding='utf-7'?><r>+ADw-a/+AD4-</r>"
    #expect(text(of: Array(document.utf8)) == "+ADw-a/+AD4-")
  }

  private func text(of bytes: [UInt8], charset: String? = nil, pieces: Int = .max) -> String {
    read(bytes, charset: charset, pieces: pieces).0
  }

  private func read(_ bytes: [UInt8], charset: String?, pieces: Int) -> (String, XMLEnding) {
    let collector = TextCollector()
    let parser = XMLPushParser(charset: charset, handler: collector)
    var rest = bytes[...]
    while !rest.isEmpty {
      parser.feed(rest.prefix(pieces))
      rest = rest.dropFirst(pieces)
    }
    let ending = parser.finish()
    #expect(ending.problem == nil && ending.rootClosed)
    return (String(decoding: collector.bytes, as: UTF8.self), ending)
  }
}

private final class TextCollector: XMLHandler {
  var bytes: [UInt8] = []
  func start(_ name: XMLName, _ attributes: [XMLAttribute], line: Int) {}
  func end() {}
  func text(_ more: Span<UInt8>) { for index in more.indices { bytes.append(more[index]) } }
}
