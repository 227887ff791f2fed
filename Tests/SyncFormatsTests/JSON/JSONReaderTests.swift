// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import SyncFormats

private func parse(_ text: String) throws(JSONError) -> JSONValue { try JSONValue(parsing: Array(text.utf8)) }

@Suite("the JSON reader")
struct JSONReaderTests {
  @Test(
    "a valid document gives its value",
    arguments: [
      ("null", .null), ("true", .bool(true)), ("false", .bool(false)), (" 0 ", .integer(0)), ("-0", .integer(0)),
      ("1", .integer(1)), ("-9223372036854775808", .integer(.min)), ("9223372036854775807", .integer(.max)),
      ("9223372036854775808", .double(9_223_372_036_854_775_808)), ("1.5", .double(1.5)), ("1e3", .double(1000)),
      ("1E+2", .double(100)), ("12.5e-1", .double(1.25)), ("-0.0", .double(0)),
      ("5e-324", .double(.leastNonzeroMagnitude)),
      ("\"\"", .string("")), ("\"a\u{7F}b\"", .string("a\u{7F}b")), ("\"Größe 🎧\"", .string("Größe 🎧")),
      (#""\"\\\/\b\f\n\r\t""#, .string("\"\\/\u{8}\u{C}\n\r\t")), (#""\u0041\u00e9\u20AC""#, .string("Aé€")),
      (#""\ud83c\udfa7""#, .string("🎧")), (#""\u0000""#, .string("\0")), (#""\uFFFF""#, .string("\u{FFFF}")),
      (#""é\n""#, .string("é\n")),
      ("[]", .array([])), ("[ ]", .array([])),
      ("[1, [2], {}]", .array([.integer(1), .array([.integer(2)]), .object([])])),
      ("{}", .object([])), ("\t{ \"a\" :\r\n1 }", .object([.init("a", .integer(1))])),
      (#"{"a":1,"a":2}"#, .object([.init("a", .integer(1)), .init("a", .integer(2))])),
      (#"{"":null,"\u0062":[]}"#, .object([.init("", .null), .init("b", .array([]))])),
    ] as [(String, JSONValue)])
  func valid(text: String, expected: JSONValue) throws {
    #expect(try parse(text) == expected)
  }

  @Test(
    "an invalid document is refused with its reason and place",
    arguments: [
      ("", .unexpectedEnd, 0), ("  ", .unexpectedEnd, 2), ("\u{FEFF}1", .byteOrderMark, 0),
      ("nul", .unexpectedEnd, 3), ("nule", .unexpected(UInt8(ascii: "e")), 3),
      ("True", .unexpected(UInt8(ascii: "T")), 0),
      ("NaN", .unexpected(UInt8(ascii: "N")), 0), ("1 2", .unexpected(UInt8(ascii: "2")), 2),
      ("truefalse", .unexpected(UInt8(ascii: "f")), 4), ("+1", .unexpected(UInt8(ascii: "+")), 0),
      ("01", .badNumber, 0), ("-01", .badNumber, 0), ("-", .unexpectedEnd, 1), ("-a", .badNumber, 1),
      (".5", .unexpected(UInt8(ascii: ".")), 0), ("1.", .unexpectedEnd, 2), ("1.e1", .badNumber, 2),
      ("1e", .unexpectedEnd, 2), ("1e+", .unexpectedEnd, 3), ("0x1", .unexpected(UInt8(ascii: "x")), 1),
      ("1e999", .outOfRange, 0), ("\"", .unexpectedEnd, 1), ("\"a\nb\"", .controlCharacter(10), 2),
      ("\"\u{1F}\"", .controlCharacter(31), 1), (#""\x""#, .badEscape, 1), (#""\u12g4""#, .badEscape, 1),
      (#""\u12"#, .unexpectedEnd, 5), (#""\"#, .unexpectedEnd, 2), (#""\ud800""#, .loneSurrogate, 1),
      (#""\udc00""#, .loneSurrogate, 1), (#""\ud800\u0041""#, .loneSurrogate, 1),
      (#""\ud800x12345""#, .loneSurrogate, 1),
      ("'a'", .unexpected(UInt8(ascii: "'")), 0), ("[", .unexpectedEnd, 1), ("[1", .unexpectedEnd, 2),
      ("[1,", .unexpectedEnd, 3), ("[1,]", .unexpected(UInt8(ascii: "]")), 3),
      ("[,1]", .unexpected(UInt8(ascii: ",")), 1),
      ("[1 2]", .unexpected(UInt8(ascii: "2")), 3), ("[1}", .unexpected(UInt8(ascii: "}")), 2),
      ("]", .unexpected(UInt8(ascii: "]")), 0), ("[]]", .unexpected(UInt8(ascii: "]")), 2),
      ("{", .unexpectedEnd, 1), ("{]", .unexpected(UInt8(ascii: "]")), 1), ("{a:1}", .unexpected(UInt8(ascii: "a")), 1),
      ("{\"a\"}", .unexpected(UInt8(ascii: "}")), 4), ("{\"a\" 1}", .unexpected(UInt8(ascii: "1")), 5),
      ("{\"a\":}", .unexpected(UInt8(ascii: "}")), 5), ("{\"a\":1,}", .unexpected(UInt8(ascii: "}")), 7),
      ("{\"a\":1 \"b\":2}", .unexpected(UInt8(ascii: "\"")), 7), ("{1:2}", .unexpected(UInt8(ascii: "1")), 1),
      ("[1] // x", .unexpected(UInt8(ascii: "/")), 4), ("\u{A0}1", .unexpected(0xC2), 0), ("\0", .unexpected(0), 0),
    ] as [(String, JSONError.Reason, Int)])
  func invalid(text: String, reason: JSONError.Reason, offset: Int) {
    #expect(throws: JSONError(reason, at: offset)) { try parse(text) }
    var reader = JSONReader(Array(text.utf8))
    #expect(throws: (any Error).self, "skipping is as strict as reading, but for the range of doubles") {
      try reader.skipValue()
      try reader.finish()
      if reason == .outOfRange { throw JSONError(reason, at: offset) }
    }
  }

  @Test(
    "a string that is no UTF-8 is refused",
    arguments: [[0xFF], [0xC3], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0x80]] as [[UInt8]])
  func invalidUTF8(bytes: [UInt8]) {
    let quote = [UInt8(ascii: "\"")]
    #expect(throws: JSONError(.invalidUTF8, at: 2)) { try JSONValue(parsing: quote + [0x61] + bytes + quote) }
    #expect(throws: JSONError(.invalidUTF8, at: 2)) {
      try JSONValue(parsing: [UInt8(ascii: "{")] + quote + bytes + quote + Array(":1}".utf8))
    }
  }

  @Test("nesting is accepted to the limit and refused beyond, however it is read")
  func depth() throws {
    func nested(_ depth: Int) -> String {
      String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    }
    _ = try parse(nested(JSONReader.maximumDepth))
    #expect(throws: JSONError(.tooDeep, at: JSONReader.maximumDepth)) { try parse(nested(100_000)) }
    #expect(throws: JSONError(.tooDeep, at: 5 * JSONReader.maximumDepth)) {
      var reader = JSONReader(Array(String(repeating: "{\"a\":", count: 100_000).utf8))
      try reader.skipValue()
    }
  }

  @Test("an integer is read as such or refused")
  func integers() throws {
    func integer(_ text: String) throws(JSONError) -> Int64 {
      var reader = JSONReader(Array(text.utf8))
      return try reader.readInt64()
    }
    #expect(try integer("-42") == -42)
    #expect(throws: JSONError(.notAnInteger, at: 0)) { try integer("1.0") }
    #expect(throws: JSONError(.notAnInteger, at: 0)) { try integer("1e2") }
    #expect(throws: JSONError(.outOfRange, at: 1)) { try integer(" 9223372036854775808") }
    #expect(throws: JSONError(.outOfRange, at: 0)) { try integer("-9223372036854775809") }
    #expect(throws: JSONError(.wrongType(found: .string, wanted: .number), at: 0)) { try integer("\"1\"") }
  }

  @Test("fields are streamed, unknown ones come back byte for byte")
  func streaming() throws {
    enum Field: String, CaseIterable { case id, size, tags, gone, mtime = "last_modified_at" }
    let text =
      #" {"id":"x","size":12,"new": {"a" : [1,2.50]} ,"gone":null,"t\u0061gs":["a","b"],"last_modified_at":1.5} "#
    var reader = JSONReader(Array(text.utf8))
    let keys = JSONKeys<Field>()
    var seen: [String] = []
    try reader.beginObject()
    while let key = try reader.nextKey(keys) {
      switch key {
      case .known(.id): seen.append("id=" + (try reader.readString()))
      case .known(.size): seen.append("size=\(try reader.readInt())")
      case .known(.gone): seen.append("gone=\(try reader.readNullIfPresent())")
      case .known(.mtime): seen.append("mtime=\(try reader.readDouble())")
      case .known(.tags):
        try reader.beginArray()
        while try reader.nextElement() { seen.append("tag=" + (try reader.readString())) }
      case .unknown(let name): seen.append(name + "=" + String(decoding: try reader.readVerbatim(), as: UTF8.self))
      }
    }
    try reader.finish()
    #expect(seen == ["id=x", "size=12", #"new={"a" : [1,2.50]}"#, "gone=true", "tag=a", "tag=b", "mtime=1.5"])
  }

  @Test("a part of the bytes is read without a look beyond its end")
  func range() throws {
    let lines = Array("{\"a\":1}\n12345\n\"x".utf8)
    var first = JSONReader(lines, in: 0..<8)
    try first.skipValue()
    try first.finish()
    var second = JSONReader(lines, in: 8..<11)
    #expect(try second.readInt() == 123)
    try second.finish()
    var third = JSONReader(lines, in: 0..<5)
    #expect(throws: JSONError(.unexpectedEnd, at: 5)) { try third.skipValue() }
  }

  @Test("an error knows its line and column in characters")
  func place() {
    let text = "{\n  \"größe\": tru\n}"
    let error = #expect(throws: JSONError.self) { try parse(text) }
    let place = error?.place(in: Array(text.utf8))
    #expect(place?.line == 2)
    #expect(place?.column == 15)
  }
}
