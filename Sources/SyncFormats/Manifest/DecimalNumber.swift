// SPDX-License-Identifier: Apache-2.0

/// A number such as `8.6`, kept exact until it is known what it counts.
struct DecimalNumber {
  private let digits: Int64
  /// 10 to the number of digits behind the point.
  private let scale: Int64

  /// Nil for anything but digits with at most one point between them, or more of them than fit.
  init?(_ text: some StringProtocol) {
    let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    let isNumber = parts.allSatisfy { part in
      !part.isEmpty && part.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }
    let fraction = parts.count > 1 ? parts[1] : ""
    guard isNumber, let whole = parts.first, fraction.utf8.count <= 9, let digits = Int64("\(whole)\(fraction)")
    else { return nil }
    self.digits = digits
    scale = fraction.utf8.reduce(1) { product, _ in product * 10 }
  }

  var isWhole: Bool { scale == 1 }

  /// This many times `unit`, rounded down; nil when that does not fit.
  func times(_ unit: Int64) -> Int64? {
    let product = digits.multipliedFullWidth(by: unit)
    guard product.high < scale else { return nil }
    let (quotient, _) = UInt64(scale).dividingFullWidth((UInt64(product.high), product.low))
    return Int64(exactly: quotient)
  }
}
