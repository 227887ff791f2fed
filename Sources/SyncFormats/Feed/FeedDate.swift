// SPDX-License-Identifier: Apache-2.0
internal import SyncCore

extension Timestamp {
  /// Reads a date as feeds spell it: RFC 822 with or without weekday, seconds, time or zone, two-digit years, full or
  /// abbreviated months before or after the day; RFC 3339 with or without `T`, seconds or zone. A missing or unknown
  /// zone is UTC (RFC 5322 §4.3). Nil for everything else.
  init?(feedText text: some StringProtocol) {
    var fields = DateFields()
    let isISO = text.drop { $0.isWhitespace }.prefix(4).allSatisfy(\.isASCIIDigit)
    let understood = isISO ? fields.read(iso: text) : fields.read(rfc822: text)
    guard understood, let timestamp = fields.timestamp else { return nil }
    self = timestamp
  }
}

private struct DateFields {
  var year: Int?
  var month: Int?
  var day: Int?
  var time: (hour: Int, minute: Int, second: Int)?
  /// Seconds east of UTC.
  var offset: Int?

  var timestamp: Timestamp? {
    guard let year, let month, let day else { return nil }
    let time = time ?? (0, 0, 0)
    let civil = CivilTime(
      year: year, month: month, day: day, hour: time.hour, minute: time.minute, second: time.second)
    return civil.map { Timestamp(secondsSince1970: $0.timestamp.secondsSince1970 - Int64(offset ?? 0)) }
  }

  mutating func read(rfc822 text: some StringProtocol) -> Bool {
    for word in withoutComments(text).split(whereSeparator: { $0.isWhitespace || $0 == "," }) {
      guard take(word) else { return false }
    }
    return true
  }

  /// `2026-01-05`, then `T` or a space, a time, a zone.
  mutating func read(iso text: some StringProtocol) -> Bool {
    let text = Substring(String(text)).trimmed
    let date = text.prefix { $0.isASCIIDigit || $0 == "-" }
    let parts = date.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
    guard date.count == 10, parts.count == 3 else { return false }
    (year, month, day) = (parts[0], parts[1], parts[2])
    let rest = text[date.endIndex...].drop { $0 == "T" || $0 == "t" || $0.isWhitespace }
    guard !rest.isEmpty else { return true }
    let clock = rest.prefix { $0.isASCIIDigit || $0 == ":" || $0 == "." }
    let zone = rest[clock.endIndex...].trimmed
    return takeTime(clock) && (zone.isEmpty || takeZone(zone))
  }

  private mutating func take(_ word: Substring) -> Bool {
    if word.contains(":"), word.first?.isASCIIDigit == true { return takeTime(word) }
    if word.allSatisfy(\.isASCIIDigit) { return takeNumber(word) }
    if let number = monthNumber(word), month == nil {
      month = number
      return true
    }
    if weekdays.contains(String(word.prefix(3).lowercased())), time == nil { return true }
    return time != nil && offset == nil && takeZone(word)
  }

  private mutating func takeNumber(_ word: Substring) -> Bool {
    guard let number = Int(word), word.count <= 4 else { return false }
    if day == nil, word.count <= 2 {
      day = number
    } else if year == nil {
      year = word.count == 4 ? number : fullYear(number)
    } else {
      return false
    }
    return true
  }

  /// RFC 5322 §4.3.
  private func fullYear(_ number: Int) -> Int { number < 50 ? 2000 + number : 1900 + number }

  private mutating func takeTime(_ word: Substring) -> Bool {
    // `08:30:00Z` and `08:30:00+0100` without a space between.
    let clock = word.prefix { $0.isASCIIDigit || $0 == ":" || $0 == "." }
    let zone = word[clock.endIndex...]
    let parts = clock.split(separator: ":", omittingEmptySubsequences: false).map { part in
      Int(part.prefix { $0 != "." })
    }
    guard time == nil, (2...3).contains(parts.count), let hour = parts[0], let minute = parts[1],
      let second = parts.count == 3 ? parts[2] : 0
    else { return false }
    time = (hour, minute, second)
    return zone.isEmpty || takeZone(zone)
  }

  private mutating func takeZone(_ word: Substring) -> Bool {
    let name = word.prefix { $0 != "+" && $0 != "-" }
    let digits = word[name.endIndex...].dropFirst().filter { $0 != ":" }
    if name.endIndex == word.endIndex {
      guard name.allSatisfy({ $0.isLetter && $0.isASCII }) else { return false }
      offset = (zoneHours[name.uppercased()] ?? 0) * 3600
      return true
    }
    guard digits.count == 4 || digits.count <= 2, let number = Int(digits) else { return false }
    let (hours, minutes) = digits.count == 4 ? (number / 100, number % 100) : (number, 0)
    guard hours < 24, minutes < 60 else { return false }
    offset = (word[name.endIndex] == "-" ? -1 : 1) * (hours * 3600 + minutes * 60)
    return true
  }
}

/// `(CET)` and the like are for people (RFC 5322 §3.2.2).
private func withoutComments(_ text: some StringProtocol) -> String {
  var depth = 0
  var kept = ""
  for character in text {
    if character == "(" { depth += 1 }
    if depth == 0 { kept.append(character) }
    if character == ")" { depth = max(0, depth - 1) }
  }
  return kept
}

private func monthNumber(_ word: Substring) -> Int? {
  let word = word.lowercased().prefix { $0 != "." }
  guard word.count >= 3 else { return nil }
  return months.firstIndex { $0.hasPrefix(word) || word == "sept" && $0 == "september" }.map { $0 + 1 }
}

private let months = [
  "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
  "december",
]
private let weekdays: Set<String> = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]

/// RFC 822 §5.1, and what else is not in doubt.
private let zoneHours = [
  "EST": -5, "EDT": -4, "CST": -6, "CDT": -5, "MST": -7, "MDT": -6, "PST": -8, "PDT": -7, "AKST": -9, "AKDT": -8,
  "HST": -10, "WEST": 1, "BST": 1, "CET": 1, "CEST": 2, "MEZ": 1, "MESZ": 2, "EET": 2, "EEST": 3, "MSK": 3, "JST": 9,
  "KST": 9, "AEST": 10, "AEDT": 11, "NZST": 12, "NZDT": 13,
]

extension Character {
  fileprivate var isASCIIDigit: Bool { ("0"..."9").contains(self) }
}
