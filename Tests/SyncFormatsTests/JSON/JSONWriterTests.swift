// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import SyncFormats

@Suite("the JSON writer")
struct JSONWriterTests {
  private func text(_ write: (inout JSONWriter) -> Void) -> String {
    var writer = JSONWriter()
    write(&writer)
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  @Test("members and elements are separated, nil fields left out")
  func structure() {
    let json = text { writer in
      writer.object { writer in
        writer.field("id", "x")
        writer.field("title", nil as String?)
        writer.field("size", 12 as Int64?)
        writer.field("ok", true)
        writer.field("share", 0.25)
        writer.array("list") { writer in
          writer.value(1)
          writer.array { _ in }
          writer.object { _ in }
          writer.null()
        }
        writer.object("inner") { $0.field("new", verbatim: Array("{\"a\" : 1}".utf8)) }
      }
    }
    #expect(json == #"{"id":"x","size":12,"ok":true,"share":0.25,"list":[1,[],{},null],"inner":{"new":{"a" : 1}}}"#)
  }

  @Test("values can stand on lines of their own, and leave in parts")
  func lines() {
    var writer = JSONWriter()
    var parts: [[UInt8]] = []
    writer.object { writer in
      writer.array("items") { writer in
        for number in 1...3 {
          writer.startLine()
          writer.value(number)
          parts.append(writer.takeBytes())
        }
        writer.endLine()
      }
    }
    writer.endLine()
    parts.append(writer.takeBytes())
    #expect(String(decoding: parts.joined(), as: UTF8.self) == "{\"items\":[\n1,\n2,\n3\n]}\n")
  }

  @Test(
    "strings escape quotes, backslashes, control characters and turners of direction, nothing else",
    arguments: [
      ("", #""""#), ("plain", #""plain""#), (#"a"b\c/"#, #""a\"b\\c/""#), ("\u{8}\t\n\u{C}\r", #""\b\t\n\f\r""#),
      ("\0\u{1B}\u{1F}\u{7F}", #""\u0000\u001b\u001f\u007f""#), ("é🎧\u{200D}", "\"é🎧\u{200D}\""),
      (
        "a\u{80}\u{9F}\u{A0}\u{61C}\u{200E}\u{2028}\u{202E}\u{202F}\u{2066}\u{2069}\u{206A}",
        "\"a\\u0080\\u009f\u{A0}\\u061c\\u200e\\u2028\\u202e\u{202F}\\u2066\\u2069\u{206A}\""
      ),
    ])
  func escapes(string: String, json: String) {
    #expect(text { $0.value(string) } == json)
  }

  @Test(
    "doubles are written in their shortest form",
    arguments: [
      (0, "0"), (-0.0, "-0.0"), (1, "1"), (-2.5, "-2.5"), (0.1, "0.1"), (1e20, "1e+20"),
      (.leastNonzeroMagnitude, "5e-324"),
      (9_007_199_254_740_991, "9007199254740991"),
    ] as [(Double, String)])
  func doubles(double: Double, json: String) {
    #expect(text { $0.value(double) } == json)
  }

  @Test("an emptied writer begins a new document")
  func emptied() {
    let json = text { writer in
      writer.value(1)
      writer.removeAll()
      writer.value(2)
    }
    #expect(json == "2")
  }
}
