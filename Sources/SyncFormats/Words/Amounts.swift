// SPDX-License-Identifier: Apache-2.0
package import SyncCore

extension ByteCount {
  /// The size for people, with about three digits: `812 B`, `8.2 MiB`, `1.00 GB`.
  package var words: String {
    let units = SizeUnits.shown
    guard Double(bytes) >= units.step else { return "\(bytes) B" }
    let names = units.names
    var value = Double(bytes) / units.step
    var unit = 0
    while value >= units.step - 0.5, unit < names.count - 1 {
      value /= units.step
      unit += 1
    }
    return "\(value.fixed(value < 9.995 ? 2 : value < 99.95 ? 1 : 0)) \(names[unit])"
  }
}

extension ByteCount {
  /// The size in the unit of the largest size beside it, for a column of sizes: `8.60 MB` and `0.08 MB`, or
  /// `109.0 KiB` and `78.2 KiB`.
  package func words(beside largest: ByteCount) -> String {
    let units = SizeUnits.shown
    let name = largest.words.split(separator: " ").last ?? ""
    guard let place = units.names.firstIndex(of: String(name)) else { return words }
    let unit = (0...place).reduce(1.0) { value, _ in value * units.step }
    let (value, places) = (Double(bytes) / unit, Double(largest.bytes) / unit < 9.995 ? 2 : 1)
    let least = places == 2 ? 0.01 : 0.1
    return (bytes > 0 && value < least / 2 ? "<\(least.fixed(places))" : value.fixed(places)) + " \(name)"
  }
}

extension Duration {
  /// A playing time as on a player: `3:45`, `1:02:03`.
  package var clockWords: String {
    let seconds = Int(inSeconds.rounded())
    let (hours, minutes) = (seconds / 3600, seconds / 60 % 60)
    return hours > 0
      ? "\(hours):\(padded(minutes)):\(padded(seconds % 60))" : "\(minutes):\(padded(seconds % 60))"
  }

  /// A span of time: `0.4 s`, `12 s`, `3 min 20 s`, `2 h 5 min`, `3 d 4 h`.
  package var spanWords: String {
    guard inSeconds >= 9.95 else { return "\(inSeconds.fixed(1)) s" }
    let seconds = Int(inSeconds.rounded())
    switch seconds {
    case ..<60: return "\(seconds) s"
    case ..<3600: return joined(seconds / 60, "min", seconds % 60, "s")
    case ..<86_400: return joined(seconds / 3600, "h", seconds % 3600 / 60, "min")
    default: return joined(seconds / 86_400, "d", seconds % 86_400 / 3600, "h")
    }
  }

  /// How long ago something was, in its largest unit: `just now`, `45 min ago`, `3 d ago`.
  package var agoWords: String {
    switch Int(inSeconds) {
    case ..<60: "just now"
    case let seconds where seconds < 3600: "\(seconds / 60) min ago"
    case let seconds where seconds < 2 * 86_400: "\(seconds / 3600) h ago"
    case let seconds: "\(seconds / 86_400) d ago"
    }
  }

  /// The difference between two durations, with a sign: `+5 s`, `-1 min 10 s`.
  package var differenceWords: String {
    let sign = self < .zero ? "-" : "+"
    let seconds = Int(magnitude.inSeconds.rounded())
    return sign + (seconds < 60 ? "\(seconds) s" : joined(seconds / 60, "min", seconds % 60, "s"))
  }
}

private func joined(_ large: Int, _ largeUnit: String, _ small: Int, _ smallUnit: String) -> String {
  small == 0 ? "\(large) \(largeUnit)" : "\(large) \(largeUnit) \(small) \(smallUnit)"
}

extension Double {
  /// The number with exactly `places` decimals, rounded half away from zero.
  package func fixed(_ places: Int) -> String {
    var scale = 1.0
    for _ in 0..<places { scale *= 10 }
    let scaled = Int64((magnitude * scale).rounded())
    let sign = self < 0 && scaled > 0 ? "-" : ""
    guard places > 0 else { return "\(sign)\(scaled)" }
    let digits = String(scaled)
    let all = String(repeating: "0", count: max(0, places + 1 - digits.count)) + digits
    return "\(sign)\(all.dropLast(places)).\(all.suffix(places))"
  }

  /// The number as a percentage: `85 %`, `0.4 %`.
  package var percentWords: String { "\((self * 100).fixed(self < 0.0995 && self > 0 ? 1 : 0)) %" }
}

extension Int {
  /// `1 item`, `2 items`.
  package func counted(_ noun: String) -> String { "\(self) \(noun)\(self == 1 ? "" : "s")" }
}

/// The family of units in which sizes are shown to a person: the one that the manifest uses.
package enum SizeUnits: Sendable {
  /// `8.2 MiB`.
  case binary
  /// `8.6 MB`.
  case decimal

  /// The units for sentences that are made inside `withValue`; a sentence that is stored is made outside and uses
  /// `binary`.
  @TaskLocal package static var shown = SizeUnits.binary

  var step: Double { self == .binary ? 1024 : 1000 }

  var names: [String] {
    switch self {
    case .binary: ["KiB", "MiB", "GiB", "TiB", "PiB", "EiB"]
    case .decimal: ["kB", "MB", "GB", "TB", "PB", "EB"]
    }
  }
}

extension Manifest {
  /// The family of the first size in the manifest: the budget, a playlist's budget, a limit.
  package var sizeUnits: SizeUnits {
    let defaults = Manifest.defaultSizes
    let written: [ByteCount?] =
      [storage.budget] + [storage.minFree, downloads.maxItemSize].filter { !defaults.contains($0) }
      + [downloads.maxTransfer]
    return written.compactMap(\.self).first.map { SizeText.isDecimal($0) ? .decimal : .binary } ?? .binary
  }

  private static var defaultSizes: [ByteCount] { [ByteCount(256 << 20), ByteCount(4 << 30)] }
}
