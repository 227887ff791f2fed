// SPDX-License-Identifier: Apache-2.0

/// Methods that write a name and its value in one call; nil leaves the member out.
extension JSONWriter {
  package mutating func field(_ name: String, _ value: String?) {
    guard let value else { return }
    key(name)
    self.value(value)
  }

  package mutating func field(_ name: String, _ value: (some FixedWidthInteger)?) {
    guard let value else { return }
    key(name)
    self.value(value)
  }

  /// - Precondition: `value` is finite.
  package mutating func field(_ name: String, _ value: Double?) {
    guard let value else { return }
    key(name)
    self.value(value)
  }

  package mutating func field(_ name: String, _ value: Bool?) {
    guard let value else { return }
    key(name)
    self.value(value)
  }

  package mutating func field(_ name: String, verbatim json: some Collection<UInt8>) {
    key(name)
    verbatim(json)
  }

  package mutating func object<E: Error>(
    _ name: String, _ members: (inout JSONWriter) throws(E) -> Void
  ) throws(E) {
    key(name)
    try object(members)
  }

  package mutating func array<E: Error>(
    _ name: String, _ elements: (inout JSONWriter) throws(E) -> Void
  ) throws(E) {
    key(name)
    try array(elements)
  }
}

/// A checked number inside a document.
struct JSONNumberToken {
  var range: Range<Int>
  /// True if it has neither a fraction nor an exponent.
  var isInteger: Bool
  /// The value of an integer; nil when it does not fit.
  var integer: Int64?
}

extension Span<UInt8> {
  /// Checks the number at `start` against the grammar of RFC 8259 §6.
  func scanNumber(at start: Int) throws(JSONError) -> JSONNumberToken {
    let isNegative = self[start] == UInt8(ascii: "-")
    let digits = isNegative ? start + 1 : start
    var position = try scanDigits(at: digits)
    guard self[digits] != UInt8(ascii: "0") || position == digits + 1 else { throw JSONError(.badNumber, at: start) }
    let integerEnd = position
    if position < count, self[position] == UInt8(ascii: ".") { position = try scanDigits(at: position + 1) }
    if position < count, self[position] | 0x20 == UInt8(ascii: "e") {
      position += 1
      if position < count, self[position] == UInt8(ascii: "+") || self[position] == UInt8(ascii: "-") { position += 1 }
      position = try scanDigits(at: position)
    }
    let isInteger = position == integerEnd
    return JSONNumberToken(
      range: start..<position, isInteger: isInteger,
      integer: isInteger ? integer(digits..<position, isNegative: isNegative) : nil)
  }

  /// The value of a token; nil when it would be infinite.
  func double(_ token: JSONNumberToken) -> Double? {
    // Every integer up to 2^53 is exact; beyond it, the text determines the rounding.
    if let integer = token.integer, integer != 0, integer.magnitude <= 1 << 53 { return Double(integer) }
    let text = string(JSONStringToken(contents: token.range, hasEscapes: false))
    return Double(text).flatMap { $0.isFinite ? $0 : nil }
  }

  /// The position after at least one digit.
  private func scanDigits(at start: Int) throws(JSONError) -> Int {
    var position = start
    while position < count, self[position] &- UInt8(ascii: "0") < 10 { position += 1 }
    guard position > start else {
      throw start < count ? JSONError(.badNumber, at: start) : JSONError(.unexpectedEnd, at: count)
    }
    return position
  }

  private func integer(_ digits: Range<Int>, isNegative: Bool) -> Int64? {
    var value: Int64 = 0
    for position in digits {
      let digit = Int64(self[position] - UInt8(ascii: "0"))
      let (product, overflow) = value.multipliedReportingOverflow(by: 10)
      // Accumulated with its sign, so that the smallest integer fits.
      let (sum, carry) = product.addingReportingOverflow(isNegative ? -digit : digit)
      guard !overflow, !carry else { return nil }
      value = sum
    }
    return value
  }
}
