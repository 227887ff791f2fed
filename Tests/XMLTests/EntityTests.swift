// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import XML

@Suite("the entities that a document declares")
struct EntityTests {
  @Test(
    "their texts take the places of the references, as XML has it",
    arguments: [
      // The examples of XML 1.0 §4.4 to §4.6 and appendix D are among these.
      ("<!ENTITY a 'one'>", "&a; and &a;", "one and one"),
      ("<!ENTITY a \"&b;!\"><!ENTITY b 'two'>", "&a;", "two!"),
      ("<!ENTITY a 'first'><!ENTITY a 'second'>", "&a;", "first"),
      ("<!ENTITY lt2 '&#38;#60;'>", "&lt2;b>", "<b>"), ("<!ENTITY amp '&#38;#38;'>", "&amp;", "&"),
      ("<!ENTITY e '&#xe9;&#127911;&#0;'>", "&e;", "é🎧 "), ("<!ENTITY copy 'mine'>", "&copy;&reg;", "mine®"),
      ("<!ENTITY my-name.1_x 'n'><!ENTITY é 'acute'>", "&my-name.1_x;&é;&other-name;", "nacute&other-name;"),
      ("<!ENTITY lines 'a\nb'>", "&lines;", "a\nb"), ("<!ENTITY q '&quot;\"<i>x</i>'>", "&q;", "\"\"x"),
      ("<!ENTITY open '&a'>", "&open;b;", "&ab;"), ("<!ENTITY cd '<![CDATA[<&a;]]>'>", "&cd;", "<&a;"),
      ("<!-- ' ]> --><?p ' ]?><!ELEMENT r ANY><!ATTLIST r a CDATA ']'>\n<!ENTITY a 'x'>", "&a;", "x"),
      ("<!ENTITY % d \"<!ENTITY a 'of d'>\"> %d; ", "&a;", "of d"),
      ("<!ENTITY>< ><!ENTITY a><!ENTITYb 'b'><!ENTITY c d 'e'>", "&a;&b;", "&a;&b;"),
    ])
  func text(declarations: String, content: String, expected: String) {
    let (text, ending) = read("<!DOCTYPE r [\(declarations)]>\n<r>\(content)</r>")
    #expect(text == expected)
    #expect(ending.problem == nil && ending.rootClosed)
  }

  @Test("in the value of an attribute they are text, whatever they contain")
  func values() {
    let collector = TextCollector()
    let parser = XMLPushParser(handler: collector)
    parser.feed(
      Array("<!DOCTYPE r [<!ENTITY a '\"<x>&b;'><!ENTITY b \"'\n\">]><r a=\"1&a;2\" b='&b;'>&c;</r>".utf8))
    #expect(parser.finish().problem == nil)
    #expect(collector.attributes == ["1\"<x>' 2", "' "])
  }

  @Test(
    "other files are never read, and references to them stay as they are",
    arguments: [
      "<!ENTITY a SYSTEM 'file:///etc/passwd'>", "<!ENTITY a PUBLIC '-' 'http://127.0.0.1:1/'>",
      "<!ENTITY a SYSTEM 'x' NDATA gif>", "<!ENTITY a SYSTEM 'x'><!ENTITY a 'text'>",
      "<!ENTITY % p SYSTEM 'http://127.0.0.1:1/'> %p; <!ENTITY a 'not known to be the first'>",
      "%unknown;<!ENTITY a 'x'>",
    ])
  func files(declarations: String) {
    let (text, ending) = read("<!DOCTYPE r PUBLIC '-' \"[]]\" [\(declarations)]><r>&a;</r>")
    #expect(text == "&a;")
    #expect(ending.problem == nil && ending.repairs.references == ["&a;"])
  }

  @Test("an entity that contains itself is a problem of its line, however long the way")
  func loops() {
    for declarations in ["<!ENTITY a '&a;'>", "<!ENTITY a '&b;'><!ENTITY b '&c;'><!ENTITY c '&#38;a;'>"] {
      #expect(
        read("<!DOCTYPE r [\(declarations)]>\n<r>\n&a;</r>").1.problem == .entityInItself(line: 3, name: "a"))
    }
    #expect(
      read("<!DOCTYPE r [\n<!ENTITY % p '&#37;p;'>%p;]><r/>").1.problem == .entityInItself(line: 2, name: "p"))
    #expect(read("<!DOCTYPE r [<!ENTITY a '&a;'>]><r/>").1.problem == nil)
  }

  @Test("bombs are refused at a bound of text, of references, of depth or of declarations")
  func bombs() {
    func bomb(_ text: String, levels: Int, _ count: Int) -> String {
      let declarations = (1...levels).map { level in
        "<!ENTITY e\(level) '\(String(repeating: "&e\(level - 1);", count: count))'>"
      }
      return "<!DOCTYPE r [<!ENTITY e0 '\(text)'>\(declarations.joined())]><r>&e\(levels);</r>"
    }
    for text in ["lol", ""] {
      let (found, ending) = read(bomb(text, levels: 10, 10))
      #expect(ending.problem == .expansionTooLarge(limit: 8 << 20))
      #expect(found.utf8.count <= 8 << 20)
    }
    let flat = String(repeating: "x", count: 100_000)
    #expect(
      read("<!DOCTYPE r [<!ENTITY a '\(flat)'>]><r>\(String(repeating: "&a;", count: 1000))</r>").1.problem
        == .expansionTooLarge(limit: 8 << 20))
    #expect(read(bomb("x", levels: 19, 1)).0 == "x")
    #expect(read(bomb("x", levels: 20, 1)).1.problem == .entitiesTooDeep(limit: 20))
    let many = (0..<100_000).map { "<!ENTITY e\($0) ''>" }.joined()
    #expect(read("<!DOCTYPE r [\(many)]><r/>").1.problem == .declarationsTooLarge(limit: 256 << 10))
    let parameters = "<!ENTITY % a '\(String(repeating: " ", count: 1000))'>\(String(repeating: "%a;", count: 1000))"
    #expect(read("<!DOCTYPE r [\(parameters)]><r/>").1.problem == .declarationsTooLarge(limit: 256 << 10))
    func nested(_ levels: Int) -> XMLProblem? {
      let declarations = (1...levels).map { "<!ENTITY % p\($0) '%p\($0 - 1);'>" }
      return read("<!DOCTYPE r [<!ENTITY % p0 ''>\(declarations.joined())%p\(levels);]><r/>").1.problem
    }
    #expect(nested(19) == nil)
    #expect(nested(20) == .entitiesTooDeep(limit: 20) && nested(9000) == .entitiesTooDeep(limit: 20))
  }

  @Test("declarations that do not end leave a document that is not whole")
  func cut() {
    for text in ["<!DOCTYPE r [", "<!DOCTYPE r [<!ENTITY a 'x'>", "<!DOCTYPE r [<!ENTITY a 'x'><r>&a;</r>"] {
      let ending = read(text).1
      #expect(!ending.rootClosed && ending.problem != nil)
    }
  }

  private func read(_ document: String) -> (String, XMLEnding) {
    var results: [(String, XMLEnding)] = []
    for pieces in [Int.max, 7] {
      let collector = TextCollector()
      let parser = XMLPushParser(handler: collector)
      var rest = Array(document.utf8)[...]
      while !rest.isEmpty {
        parser.feed(rest.prefix(pieces))
        rest = rest.dropFirst(pieces)
      }
      let ending = parser.finish()
      results.append((String(decoding: collector.bytes, as: UTF8.self), ending))
    }
    #expect(results[0].0 == results[1].0 && results[0].1 == results[1].1)
    return results[0]
  }
}

private final class TextCollector: XMLHandler {
  var bytes: [UInt8] = []
  var attributes: [String] = []
  func start(_ name: XMLName, _ attributes: [XMLAttribute], line: Int) { self.attributes += attributes.map(\.value) }
  func end() {}
  func text(_ bytes: Span<UInt8>) {
    for index in bytes.indices { self.bytes.append(bytes[index]) }
  }
}
