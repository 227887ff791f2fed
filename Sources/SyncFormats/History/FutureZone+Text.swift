// SPDX-License-Identifier: Apache-2.0

extension FutureZone {
  /// Reads `CET-1CEST,M3.5.0,M10.5.0/3`; nil for a text that is not such a rule.
  init?(_ text: some Sequence<UInt8>) {
    var scan = ZoneText(Array(text))
    guard scan.name(), let west = scan.span(hours: 24) else { return nil }
    standard = -west
    if scan.isAtEnd {
      summer = nil
      return
    }
    guard scan.name() else { return nil }
    var offset = standard + 3600
    if !scan.isAt(",") {
      guard let west = scan.span(hours: 24) else { return nil }
      offset = -west
    }
    guard scan.pass(","), let begin = scan.day(), scan.pass(","), let end = scan.day(), scan.isAtEnd else { return nil }
    summer = Summer(offset: offset, begin: begin, end: end)
  }
}

/// A position in a POSIX TZ string.
private struct ZoneText {
  private var rest: ArraySlice<UInt8>

  init(_ bytes: [UInt8]) { rest = bytes[...] }

  var isAtEnd: Bool { rest.isEmpty }

  func isAt(_ mark: Unicode.Scalar) -> Bool { rest.first == UInt8(ascii: mark) }

  mutating func pass(_ mark: Unicode.Scalar) -> Bool {
    guard isAt(mark) else { return false }
    rest = rest.dropFirst()
    return true
  }

  /// Passes at least three letters, or anything but `>` between angle brackets.
  mutating func name() -> Bool {
    if pass("<") {
      guard let end = rest.firstIndex(of: UInt8(ascii: ">")) else { return false }
      rest = rest[(end + 1)...]
      return true
    }
    let letters = rest.prefix { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0 & 0xDF) }
    rest = rest.dropFirst(letters.count)
    return letters.count >= 3
  }

  mutating func number(_ range: ClosedRange<Int>) -> Int? {
    let digits = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    guard (1...3).contains(digits.count) else { return nil }
    rest = rest.dropFirst(digits.count)
    let value = digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
    return range.contains(value) ? value : nil
  }

  /// Reads `[+-]h[:mm[:ss]]` in seconds.
  mutating func span(hours limit: Int) -> Int64? {
    let isNegative = isAt("-")
    if isNegative || isAt("+") { rest = rest.dropFirst() }
    guard let hours = number(0...limit) else { return nil }
    var seconds = hours * 3600
    if pass(":") {
      guard let minutes = number(0...59) else { return nil }
      seconds += minutes * 60
      if pass(":") {
        guard let more = number(0...59) else { return nil }
        seconds += more
      }
    }
    return Int64(isNegative ? -seconds : seconds)
  }

  mutating func day() -> FutureZone.Day? {
    guard let kind = kind() else { return nil }
    guard pass("/") else { return FutureZone.Day(kind: kind, second: 7200) }
    // RFC 8536 §3.3.1: up to a week.
    return span(hours: 167).map { FutureZone.Day(kind: kind, second: $0) }
  }

  private mutating func kind() -> FutureZone.Day.Kind? {
    if pass("J") { return number(1...365).map { .julian($0) } }
    guard pass("M") else { return number(0...365).map { .ordinal($0) } }
    guard let month = number(1...12), pass("."), let week = number(1...5), pass("."), let day = number(0...6) else {
      return nil
    }
    return .weekday(month: month, week: week, day: day)
  }
}
