// SPDX-License-Identifier: Apache-2.0

extension CivilTime {
  /// Whether every `%` letter of `format` is one of `Y m d H M S %` and there is no `/`.
  package static func accepts(format: some StringProtocol) -> Bool {
    var letters = format.makeIterator()
    while let letter = letters.next() {
      if letter == "/" { return false }
      guard letter == "%" else { continue }
      guard let directive = letters.next(), "YmdHMS%".contains(directive) else { return false }
    }
    return !format.isEmpty
  }

  /// In the letters of strftime that `accepts(format:)` knows; others are left out.
  package func formatted(_ format: String) -> String {
    var text = ""
    var letters = format.makeIterator()
    while let letter = letters.next() {
      guard letter == "%" else {
        text.append(letter)
        continue
      }
      switch letters.next() {
      case "Y": text += padded(year, 4)
      case "m": text += padded(month)
      case "d": text += padded(day)
      case "H": text += padded(hour)
      case "M": text += padded(minute)
      case "S": text += padded(second)
      case "%": text += "%"
      default: break
      }
    }
    return text
  }
}
