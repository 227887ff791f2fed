// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import SyncFormats

@Suite("the JSON reader and writer under random input")
struct JSONRobustnessTests {
  @Test("no proper prefix of a document is accepted, nor does one crash")
  func truncation() throws {
    let document = #"{"format":"x","n":[-1.5e-3,0,true,false,null],"s":"a\u00e9\ud83c\udfa7é\n","o":{"":[{}]}}"#
    let bytes = Array(document.utf8)
    _ = try JSONValue(parsing: bytes)
    for length in bytes.indices {
      let prefix = Array(bytes[..<length])
      #expect(throws: JSONError.self) { try JSONValue(parsing: prefix) }
      var reader = JSONReader(prefix)
      #expect(throws: JSONError.self) { try reader.skipValue() }
    }
  }

  @Test("flipped bytes give a value or an error, and skipping agrees with reading")
  func flips() {
    let document = Array(
      #"{"id":"n\u00e9","list":[1,2.5,-3e2,"x",{"y":null}],"é":[true,false],"z":"\ud83c\udfa7"}"#.utf8)
    var random = SplitMix(state: 7)
    var accepted = 0
    for _ in 0..<20_000 {
      var bytes = document
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        bytes[Int.random(in: bytes.indices, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      let isReadable = isAccepted { _ = try JSONValue(parsing: bytes) }
      let isSkippable = isAccepted {
        var reader = JSONReader(bytes)
        try reader.skipValue()
        try reader.finish()
      }
      // Only a number beyond every double is skipped, not read; three flips of this document cannot make one.
      #expect(isReadable == isSkippable)
      accepted += isReadable ? 1 : 0
    }
    #expect(accepted > 100)
  }

  private func isAccepted(_ read: () throws -> Void) -> Bool {
    do {
      try read()
      return true
    } catch { return false }
  }

  @Test("what is written reads back as the same value")
  func roundTrip() throws {
    var random = SplitMix(state: 11)
    for _ in 0..<2000 {
      let value = JSONValue.random(depth: 4, using: &random)
      var writer = JSONWriter()
      writer.value(value)
      #expect(try JSONValue(parsing: writer.bytes) == value)
      var again = JSONWriter()
      again.value(value)
      #expect(again.bytes == writer.bytes)
    }
  }
}

extension JSONValue {
  fileprivate static func random(depth: Int, using random: inout SplitMix) -> JSONValue {
    switch Int.random(in: 0...(depth == 0 ? 4 : 6), using: &random) {
    case 0: .null
    case 1: .bool(.random(using: &random))
    case 2: .integer(Int64(bitPattern: random.next() >> UInt64.random(in: 0...63, using: &random)))
    case 3: .double(randomFraction(using: &random))
    case 4: .string(randomText(using: &random))
    case 5: .array((0..<Int.random(in: 0...4, using: &random)).map { _ in .random(depth: depth - 1, using: &random) })
    default:
      .object(
        (0..<Int.random(in: 0...4, using: &random)).map { _ in
          .init(randomText(using: &random), .random(depth: depth - 1, using: &random))
        })
    }
  }

  /// Not an integer below 2^53, which would read back as one.
  private static func randomFraction(using random: inout SplitMix) -> Double {
    while true {
      let double = Double(bitPattern: random.next())
      if double.isFinite, double.rounded() != double || double.magnitude > 1e19 { return double }
    }
  }

  private static func randomText(using random: inout SplitMix) -> String {
    var text = ""
    for _ in 0..<Int.random(in: 0...12, using: &random) {
      let limit: UInt32 = [0x20, 0x80, 0x800, 0x11_0000].randomElement(using: &random) ?? 0x80
      if let scalar = Unicode.Scalar(UInt32.random(in: 0..<limit, using: &random)) {
        text.unicodeScalars.append(scalar)
      }
    }
    return text
  }
}
