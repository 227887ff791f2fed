// SPDX-License-Identifier: Apache-2.0

extension Duration {
  /// Reads `itunes:duration` as feeds spell it: `1:02:03`, `62:03`, `3723`, with a fraction behind the seconds.
  /// Nil for everything else, and for zero, which feeds write when they do not know.
  init?(feedText text: some StringProtocol) {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false).map { Substring($0).trimmed }
    guard (1...3).contains(parts.count), let last = parts.last else { return nil }
    let seconds = last.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    guard let whole = seconds.first.flatMap(number), let milliseconds = thousandths(seconds.dropFirst().first) else {
      return nil
    }
    var total = 0
    for part in parts.dropLast() {
      guard let value = number(part) else { return nil }
      total = (total + value) * 60
    }
    self = .seconds(total + whole) + .milliseconds(milliseconds)
    if self <= .zero { return nil }
  }
}

/// Decimal digits only, so few that no sum overflows.
private func number(_ text: Substring) -> Int? {
  guard (1...9).contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
  return Int(text)
}

/// The digits behind the point, cut after the third; 0 without any.
private func thousandths(_ fraction: Substring?) -> Int? {
  guard let fraction, !fraction.isEmpty else { return 0 }
  guard fraction.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
  let digits = fraction.prefix(3)
  return number(digits + String(repeating: "0", count: 3 - digits.count))
}

extension Substring {
  /// Without white space at its ends.
  var trimmed: Substring {
    let start = drop { $0.isWhitespace }
    guard let last = start.lastIndex(where: { !$0.isWhitespace }) else { return start }
    return start[...last]
  }
}
