// SPDX-License-Identifier: Apache-2.0

extension Duration {
  /// Reads `itunes:duration` as feeds spell it: `1:02:03`, `62:03`, `3723`, with a fraction after the seconds. Nil for
  /// everything else, and for zero, which feeds write when the duration is unknown.
  init?(feedText text: some StringProtocol) {
    self.init(clockText: text)
    if self <= .zero { return nil }
  }

  /// Reads the same for a place in a recording, which may be its beginning.
  init?(clockText text: some StringProtocol) {
    let parts = Array(text.utf8).split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false).map(trimmed)
    guard (1...3).contains(parts.count), let last = parts.last else { return nil }
    let seconds = last.prefix { $0 != UInt8(ascii: ".") }
    guard let whole = number(seconds), let fraction = thousandths(last[seconds.endIndex...].dropFirst()) else {
      return nil
    }
    var total = 0
    for part in parts.dropLast() {
      guard let value = number(part) else { return nil }
      total = (total + value) * 60
    }
    self = .seconds(total + whole) + .milliseconds(fraction)
  }
}

private func trimmed(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
  func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
  let start = text.drop(while: isBlank)
  return start.prefix((start.lastIndex { !isBlank($0) } ?? start.startIndex - 1) + 1 - start.startIndex)
}

/// Reads decimal digits only, so few that no sum overflows.
private func number(_ digits: ArraySlice<UInt8>) -> Int? {
  guard (1...9).contains(digits.count), digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
  return digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
}

/// The digits after the point, cut after the third; 0 without any.
private func thousandths(_ digits: ArraySlice<UInt8>) -> Int? {
  guard !digits.isEmpty else { return 0 }
  guard digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
  let first = digits.prefix(3)
  return number(first + Array(repeating: UInt8(ascii: "0"), count: 3 - first.count))
}
