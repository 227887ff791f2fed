// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import XML

/// Writes down what it is told.
private final class Recorder: XMLHandler {
  var events: [String] = []
  private var pending: [UInt8] = []

  func start(_ name: XMLName, _ attributes: [XMLAttribute], line: Int) {
    flush()
    let list = attributes.map { " \($0.name.local)=\($0.value)" }.joined()
    events.append("<" + (name.namespace.map { "{\($0)}" } ?? "") + name.local + list)
  }

  func end() {
    flush()
    events.append(">")
  }

  func text(_ bytes: Span<UInt8>) {
    for index in bytes.indices { pending.append(bytes[index]) }
  }

  func flush() {
    if !pending.isEmpty { events.append(String(decoding: pending, as: UTF8.self)) }
    pending = []
  }
}

private func read(
  _ bytes: [UInt8], pieces: Int = .max, limits: XMLLimits = XMLLimits()
) -> (events: [String], ending: XMLEnding) {
  let recorder = Recorder()
  let parser = XMLPushParser(limits: limits, handler: recorder)
  var rest = bytes[...]
  while !rest.isEmpty {
    parser.feed(rest.prefix(pieces))
    rest = rest.dropFirst(pieces)
  }
  let ending = parser.finish()
  recorder.flush()
  return (recorder.events, ending)
}

private func read(_ text: String, limits: XMLLimits = XMLLimits()) -> (events: [String], ending: XMLEnding) {
  read(Array(text.utf8), limits: limits)
}

@Suite("the XML parser")
struct XMLPushParserTests {
  @Test("elements, namespaces, attributes, text and CDATA arrive in order")
  func events() {
    let (events, ending) = read(
      """
      <?xml version="1.0"?><!-- c --><r xmlns:i="urn:i" a="1 &amp; &#50;" b='"'><i:x i:y="z"/>a&lt;b<![CDATA[<&nbsp;c>]]></r>
      """)
    #expect(events == ["<r a=1 & 2 b=\"", "<{urn:i}x y=z", ">", "a<b<&nbsp;c>", ">"])
    #expect(ending == XMLEnding(rootClosed: true, problem: nil, warnings: [], repairs: XMLRepairs()))
  }

  @Test("a document that ends too early says so, and tells what came before")
  func cut() {
    let (events, ending) = read("<r>\n<a>1</a>\n<b>2")
    #expect(events.prefix(5) == ["<r", "\n", "<a", "1", ">"])
    #expect(!ending.rootClosed)
    guard case .malformed(line: 3, _) = ending.problem else {
      Issue.record("not malformed in line 3: \(String(describing: ending.problem))")
      return
    }
  }

  @Test(
    "a document that is not well-formed names the line",
    arguments: [
      ("<r>\n</s>", 2), ("\n\n{}", 3), ("<r a='1' a='2'/>", 1), ("<?xml version='1.0'?>\n\n<r><\n", 3),
      ("<r>\n<a b=c/></r>", 2),
    ])
  func malformed(text: String, line: Int) {
    let ending = read(text).ending
    guard case .malformed(line, _) = ending.problem else {
      Issue.record("not malformed in line \(line): \(String(describing: ending.problem))")
      return
    }
    #expect(!ending.rootClosed)
  }

  @Test("what follows the root element leaves the document whole")
  func trailing() {
    #expect(read("<r/>\n<!-- cached -->").ending.problem == nil)
    let ending = read("<r/>garbage").ending
    #expect(ending.rootClosed)
    #expect(ending.problem != nil)
  }

  @Test("a prefix without declaration is a warning, and the prefix is told")
  func prefix() {
    let (events, ending) = read("<r>\n<i:a>1</i:a></r>")
    #expect(events == ["<r", "\n", "<a", "1", ">", ">"])
    #expect(ending.rootClosed)
    #expect(ending.problem == nil)
    #expect(ending.warnings.map(\.line) == [2])
  }

  @Test(
    "references that XML does not know are repaired and named",
    arguments: [
      ("a&nbsp;b", "a\u{A0}b", ["&nbsp;"]), ("&yuml;&hearts;&OElig;", "ÿ♥Œ", ["&yuml;", "&hearts;", "&OElig;"]),
      ("a &foo; b", "a &foo; b", ["&foo;"]), ("Q & A && B &amp; C", "Q & A && B & C", ["&"]), ("x&", "x&", ["&"]),
      ("?a=1&b=2&c;", "?a=1&b=2&c;", ["&", "&c;"]), ("&#8211;&#x2013;&apos;", "––'", []), ("&#xZ;", "&#xZ;", ["&#xZ;"]),
      ("&" + String(repeating: "a", count: 40) + ";", "&" + String(repeating: "a", count: 40) + ";", ["&"]),
    ])
  func references(text: String, expected: String, repaired: [String]) {
    let (events, ending) = read("<r t=\"\(text)\">\(text)</r>")
    #expect(events == ["<r t=\(expected)", expected, ">"])
    #expect(ending.repairs.references == repaired)
    #expect(ending.problem == nil)
  }

  @Test("control characters become spaces, raw or as references")
  func controls() {
    let (events, ending) = read("<r t='\u{1B}'>a\u{1B}[31mb&#27;&#0;&#xD800;&#99999999999;\0c\u{85}</r>")
    #expect(events == ["<r t= ", "a [31mb     c\u{85}", ">"])
    #expect(
      ending.repairs
        == {
          var repairs = XMLRepairs()
          repairs.encoding = true
          repairs.encodingLine = 1
          return repairs
        }())
  }

  @Test(
    "the encoding is found, and what is wrong in it repaired",
    arguments: [
      ([0xEF, 0xBB, 0xBF] + Array("<r>é</r>".utf8), "é", false),
      (Array("\r\n <?xml version='1.0' encoding='UTF-8'?><r>é🎧</r>".utf8), "é🎧", false),
      (Array("<?xml version='1.0' encoding='ISO-8859-1'?><r>".utf8) + [0xE9, 0x93] + Array("</r>".utf8), "é“", false),
      (Array("<?xml version=\"1.0\" encoding=\"windows-1252\" ?><r>".utf8) + [0x80] + Array("</r>".utf8), "€", false),
      (
        Array("<?xml version='1.0' encoding='ISO-8859-2'?><r>&nbsp;".utf8) + [0xB1] + Array("</r>".utf8), "\u{A0}ą",
        false
      ),
      (Array("<?xml version='1.0' encoding='utf-16'?><r>é</r>".utf8), "é", false),
      (Array("<r>a".utf8) + [0xE9] + Array("b€".utf8) + [0xC3] + Array("</r>".utf8), "aéb€Ã", true),
      (Array("<r>".utf8) + [0xED, 0xA0, 0x80] + Array("</r>".utf8), "í\u{A0}€", true),
      ([0xFF, 0xFE] + Array("<r>é🎧</r>".utf16).flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] }, "é🎧", false),
      ([0xFE, 0xFF] + Array("<r>é🎧</r>".utf16).flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] }, "é🎧", false),
    ] as [([UInt8], String, Bool)])
  func encodings(bytes: [UInt8], expected: String, repaired: Bool) {
    for pieces in [.max, 7, 1] {
      let (events, ending) = read(bytes, pieces: pieces)
      #expect(events == ["<r", expected, ">"])
      #expect(ending.repairs.encoding == repaired)
      #expect(ending.problem == nil)
    }
  }

  @Test(
    "an encoding that could hide markup is refused", arguments: ["utf-7", "HZ-GB-2312", "ISO-2022-CN-EXT", "x-none"])
  func unknownEncoding(name: String) {
    let (events, ending) = read("<?xml version='1.0' encoding='\(name)'?><r/>")
    #expect(events.isEmpty)
    #expect(ending.problem == .unknownEncoding(name.lowercased()))
  }
}

@Suite("a hostile XML document")
struct HostileXMLTests {
  @Test("a document type without declarations is passed over, its file never read")
  func documentType() {
    let (events, ending) = read(
      "<!DOCTYPE rss PUBLIC \"-//Netscape//DTD RSS 0.91//EN\" \"http://127.0.0.1:1/x.dtd\"><rss>&eacute;</rss>")
    #expect(events == ["<rss", "é", ">"])
    #expect(ending.problem == nil)
  }

  @Test("a million attributes are refused at the limit")
  func attributes() {
    let attributes = (0..<1_000_000).map { " a\($0)=''" }.joined()
    #expect(read("<r><a/><b\(attributes)/></r>").ending.problem == .tooManyAttributes(limit: 256))
    let comments = "<r><!-- = --><?p == ?><![CDATA[===]]><a b='==='/>=</r>"
    #expect(read(comments, limits: XMLLimits(attributes: 1)).ending.problem == nil)
  }

  @Test("nesting is refused beyond the limit, size too")
  func limits() {
    func nested(_ depth: Int) -> String {
      String(repeating: "<a>", count: depth) + String(repeating: "</a>", count: depth)
    }
    #expect(read(nested(100)).ending.problem == nil)
    #expect(read(nested(101)).ending.problem == .tooDeep(limit: 100))
    #expect(read(nested(100_000)).ending.problem == .tooDeep(limit: 100))
    #expect(read("<r>12345678</r>", limits: XMLLimits(bytes: 14)).ending.problem == .tooLarge(limit: 14))
  }

  @Test("every prefix is read without a crash and none counts as whole")
  func truncation() {
    let text = "\u{FEFF}<?xml version='1.0'?><!DOCTYPE r><r a='&nbsp;'><![CDATA[é]]><!-- & --><b c=\"d\">&é;</b></r>"
    let bytes = Array(text.utf8)
    #expect(read(bytes).ending.rootClosed)
    for length in bytes.indices { #expect(!read(Array(bytes[..<length])).ending.rootClosed) }
  }

  @Test("random bytes never crash, and pieces never matter")
  func fuzz() {
    let alphabet = Array("<>/&;!?-[]='\" aé\u{1}rDOCTYPE".utf8) + [0xFF, 0xC3]
    var seed: UInt64 = 3
    func random(below limit: Int) -> Int {
      seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(seed >> 33) % limit
    }
    for _ in 0..<3000 {
      let bytes = Array("<r>".utf8) + (0..<random(below: 40)).map { _ in alphabet[random(below: alphabet.count)] }
      let whole = read(bytes)
      let pieces = read(bytes, pieces: 1 + random(below: 5))
      #expect(whole.events == pieces.events)
      #expect(whole.ending == pieces.ending)
    }
  }
}
