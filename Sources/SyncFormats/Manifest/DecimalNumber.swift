// SPDX-License-Identifier: Apache-2.0

/// A number such as `8.6`, kept exact until its unit is known.
struct DecimalNumber {
  private var digits: Int64 = 0
  /// 10 to the power of the number of digits after the point.
  private var scale: Int64 = 1

  /// Nil for anything but digits with at most one point between them, or for more digits than fit. It reads bytes,
  /// since large manifests have many numbers.
  init?(_ text: Substring.UTF8View) {
    var point = false
    var isAfterDigit = false
    for byte in text {
      if byte == UInt8(ascii: "."), !point, isAfterDigit {
        point = true
        isAfterDigit = false
        continue
      }
      let (shifted, overflow) = digits.multipliedReportingOverflow(by: 10)
      let (sum, carry) = shifted.addingReportingOverflow(Int64(byte) - 0x30)
      guard isDigit(byte), !overflow, !carry, !point || scale < 1_000_000_000 else { return nil }
      digits = sum
      if point { scale *= 10 }
      isAfterDigit = true
    }
    guard isAfterDigit else { return nil }
  }

  var isWhole: Bool { scale == 1 }

  /// This number times `unit`, rounded down; nil when that does not fit.
  func times(_ unit: Int64) -> Int64? {
    if scale == 1 {
      let (product, overflow) = digits.multipliedReportingOverflow(by: unit)
      return overflow ? nil : product
    }
    let product = digits.multipliedFullWidth(by: unit)
    guard product.high < scale else { return nil }
    let (quotient, _) = UInt64(scale).dividingFullWidth((UInt64(product.high), product.low))
    return Int64(exactly: quotient)
  }
}

extension Substring.UTF8View {
  /// The digits and points at its beginning.
  var numeral: Substring.UTF8View { prefix { isDigit($0) || $0 == UInt8(ascii: ".") } }
}

/// True for ASCII digits only.
func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
