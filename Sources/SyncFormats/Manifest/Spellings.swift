// SPDX-License-Identifier: Apache-2.0
package import SyncCore

/// How durations are written: `90s`, `1h30m`, `500ms`, `3:45`, `1:02:03`, `90`.
package enum DurationSpelling {
  private static let units: [(name: String, milliseconds: Double)] = [
    ("ms", 1), ("s", 1000), ("m", 60_000), ("h", 3_600_000), ("d", 86_400_000), ("w", 604_800_000),
  ]

  /// Nil for anything else, and for more than a hundred years.
  package static func duration(_ text: some StringProtocol) -> Duration? {
    let milliseconds = text.contains(":") ? clock(text) : Double(digits: text).map { $0 * 1000 } ?? sum(text)
    guard let milliseconds, milliseconds < 3.2e12 else { return nil }
    return .milliseconds(Int64(milliseconds.rounded()))
  }

  private static func clock(_ text: some StringProtocol) -> Double? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard (2...3).contains(parts.count), parts.dropFirst().allSatisfy({ $0.prefix { $0 != "." }.count == 2 }) else {
      return nil
    }
    var seconds = 0.0
    for (index, part) in parts.enumerated() {
      let isLast = index == parts.count - 1
      guard let value = Double(digits: part), isLast || !part.contains("."), index == 0 || value < 60 else {
        return nil
      }
      seconds = seconds * 60 + value
    }
    return seconds * 1000
  }

  private static func sum(_ text: some StringProtocol) -> Double? {
    var rest = Substring(text)
    var total = 0.0
    while !rest.isEmpty {
      let number = rest.prefix { $0.isNumber || $0 == "." }
      let unit = rest[number.endIndex...].prefix { $0.isLetter }
      guard let value = Double(digits: number), let known = units.first(where: { $0.name == unit }) else { return nil }
      total += value * known.milliseconds
      rest = rest[unit.endIndex...]
    }
    return text.isEmpty ? nil : total
  }

  /// The shortest spelling that reads back as the same duration.
  package static func text(_ duration: Duration) -> String {
    let milliseconds = Int64((duration.inSeconds * 1000).rounded())
    if milliseconds % 1000 != 0 { return "\(milliseconds)ms" }
    var rest = milliseconds / 1000
    var text = ""
    for (unit, seconds) in [("d", Int64(86_400)), ("h", 3600), ("m", 60), ("s", 1)] where rest >= seconds {
      text += "\(rest / seconds)\(unit)"
      rest %= seconds
    }
    return text.isEmpty ? "0s" : text
  }
}

/// How sizes are written: a number of bytes, or `8.6MB`, `10GiB`.
package enum SizeSpelling {
  package enum Problem: Error, Equatable {
    case notASize
    /// `10G`: nobody knows which.
    case ambiguous(decimal: String, binary: String)
  }

  private static let units: [(name: String, bytes: Double)] = [
    ("B", 1), ("KB", 1e3), ("MB", 1e6), ("GB", 1e9), ("TB", 1e12), ("KiB", 1024), ("MiB", 1_048_576),
    ("GiB", 1_073_741_824), ("TiB", 1_099_511_627_776),
  ]

  package static func size(_ text: String) throws(Problem) -> DeclaredSize {
    let number = text.prefix { $0.isNumber || $0 == "." }
    let unit = text[number.endIndex...].drop { $0 == " " }
    guard let value = Double(digits: number) else { throw .notASize }
    if unit.isEmpty {
      guard let bytes = Int64(number) else { throw .notASize }
      return .exact(ByteCount(bytes))
    }
    if ["K", "M", "G", "T"].contains(unit.uppercased()) {
      throw .ambiguous(decimal: "\(number)\(unit.uppercased())B", binary: "\(number)\(unit.uppercased())iB")
    }
    guard let known = units.first(where: { $0.name == unit }), value * known.bytes < 9e18 else { throw .notASize }
    return .about(ByteCount(Int64((value * known.bytes).rounded())))
  }

  /// The largest binary unit that divides it, else plain bytes.
  package static func text(_ size: ByteCount) -> String {
    for (name, shift) in [("TiB", 40), ("GiB", 30), ("MiB", 20), ("KiB", 10)] as [(String, Int64)] {
      let unit = Int64(1) << shift
      if size.bytes >= unit, size.bytes % unit == 0 { return "\(size.bytes / unit)\(name)" }
    }
    return "\(size.bytes)"
  }
}

extension Double {
  /// Decimal digits with at most one point between them: no sign, exponent or name.
  init?(digits text: some StringProtocol) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard (1...2).contains(parts.count),
      parts.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy { (0x30...0x39).contains($0) } })
    else { return nil }
    self.init(String(text))
  }
}
