// SPDX-License-Identifier: Apache-2.0
import SyncCore

// The form of the core's values in the queue file and the journal.

extension JSONWriter {
  /// Writes nothing when false.
  mutating func flag(_ name: String, _ value: Bool) { field(name, value ? true : nil) }

  /// Times that RFC 3339 cannot express (before the year 0, after 9999) become the nearest one that it can.
  mutating func field(_ name: String, _ value: Timestamp?) {
    field(name, value.map { min(max($0, .earliestWritable), .latestWritable).rfc3339 })
  }

  /// Writes seconds: an integer without a fraction, else rounded to a thousandth. Negative ones become zero, as none is
  /// legal.
  mutating func field(_ name: String, _ value: Duration?) {
    guard let value else { return }
    let milliseconds = min(max(value.milliseconds, 0), 999_999_999_999_000)
    if milliseconds % 1000 == 0 {
      field(name, milliseconds / 1000)
    } else {
      field(name, Double(milliseconds) / 1000)
    }
  }

  mutating func unknown(_ fields: [UnknownField]) {
    for unknown in fields { field(unknown.name, verbatim: unknown.json) }
  }
}

extension Timestamp {
  fileprivate static let earliestWritable = Timestamp(secondsSince1970: -62_167_219_200)
  fileprivate static let latestWritable = Timestamp(secondsSince1970: 253_402_300_799)

  /// Reads the form that we write, `2026-11-21T06:00:03Z`, without making a string of it; nil for every other form.
  fileprivate init?(written bytes: Span<UInt8>) {
    guard bytes.count == 20 else { return nil }
    func number(_ offset: Int, _ count: Int) -> Int? {
      var value = 0
      for position in offset..<offset + count {
        let digit = bytes[position] &- UInt8(ascii: "0")
        guard digit < 10 else { return nil }
        value = value * 10 + Int(digit)
      }
      return value
    }
    func has(_ byte: UInt8, _ offset: Int) -> Bool { bytes[offset] == byte }
    guard has(UInt8(ascii: "-"), 4), has(UInt8(ascii: "-"), 7), has(UInt8(ascii: "T"), 10),
      has(UInt8(ascii: ":"), 13), has(UInt8(ascii: ":"), 16), has(UInt8(ascii: "Z"), 19),
      let year = number(0, 4), let month = number(5, 2), let day = number(8, 2), let hour = number(11, 2),
      let minute = number(14, 2), let second = number(17, 2),
      let time = CivilTime(year: year, month: month, day: day, hour: hour, minute: minute, second: second)
    else { return nil }
    self = time.timestamp
  }
}

extension JSONReader {
  /// Reads a time in the form that we write. Nil if the next value is something else, which is then still to be read.
  mutating func readTime() -> Timestamp? {
    guard let token = nextPlainString(), let time = Timestamp(written: bytes.span.extracting(token)) else { return nil }
    pass(token)
    return time
  }
}
