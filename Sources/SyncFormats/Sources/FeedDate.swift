// SPDX-License-Identifier: Apache-2.0
internal import SyncCore

extension Timestamp {
  /// Reads a date as feeds spell it: RFC 822 with or without weekday, seconds, time or zone, two-digit years, full or
  /// abbreviated months before or after the day; RFC 3339 with or without `T`, seconds or zone. A missing or unknown
  /// zone is UTC (RFC 5322 §4.3). Nil for everything else.
  init?(feedText text: some StringProtocol) {
    var fields = DateFields()
    let bytes = withoutComments(text.utf8.map { lowercased($0) })
    let words = bytes.split { isBlank($0) || $0 == UInt8(ascii: ",") }
    let isISO = bytes.drop(while: isBlank).prefix(4).allSatisfy(isDigit)
    let understood = isISO ? fields.read(iso: bytes.drop(while: isBlank)) : fields.read(rfc822: words)
    guard understood, let timestamp = fields.timestamp else { return nil }
    self = timestamp
  }
}

/// The parts of a date that were read; its text is in lower case.
private struct DateFields {
  typealias Word = ArraySlice<UInt8>

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

  mutating func read(rfc822 words: [Word]) -> Bool {
    for word in words {
      guard take(word) else { return false }
    }
    return true
  }

  /// Reads `2026-01-05`, then `T` or a space, a time, a zone.
  mutating func read(iso text: Word) -> Bool {
    let date = text.prefix { isDigit($0) || $0 == UInt8(ascii: "-") }
    let parts = date.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false).map(number)
    guard date.count == 10, parts.count == 3 else { return false }
    (year, month, day) = (parts[0], parts[1], parts[2])
    let rest = text[date.endIndex...].drop { $0 == UInt8(ascii: "t") || isBlank($0) }
    guard !rest.isEmpty else { return true }
    let clock = rest.prefix(while: isOfClock)
    let zone = rest[clock.endIndex...].split(whereSeparator: isBlank)
    return takeTime(clock) && zone.count <= 1 && zone.allSatisfy { takeZone($0) }
  }

  private mutating func take(_ word: Word) -> Bool {
    if word.first.map(isDigit) == true {
      return word.contains(UInt8(ascii: ":")) ? takeTime(word) : takeNumber(word)
    }
    if month == nil, let number = monthNumber(word) {
      month = number
      return true
    }
    if time == nil, weekdays.contains(where: { word.starts(with: $0) }) { return true }
    return time != nil && offset == nil && takeZone(word)
  }

  private mutating func takeNumber(_ word: Word) -> Bool {
    guard let number = number(word) else { return false }
    if day == nil, word.count <= 2 {
      day = number
    } else if year == nil {
      // RFC 5322 §4.3.
      year = word.count == 4 ? number : number < 50 ? 2000 + number : 1900 + number
    } else {
      return false
    }
    return true
  }

  private mutating func takeTime(_ word: Word) -> Bool {
    // `08:30:00Z` and `08:30:00+0100` have no space before the zone.
    let clock = word.prefix(while: isOfClock)
    let zone = word[clock.endIndex...]
    let parts = clock.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false).map { part in
      number(part.prefix { $0 != UInt8(ascii: ".") })
    }
    guard time == nil, (2...3).contains(parts.count), let hour = parts[0], let minute = parts[1],
      let second = parts.count == 3 ? parts[2] : 0
    else { return false }
    time = (hour, minute, second)
    return zone.isEmpty || takeZone(zone)
  }

  private mutating func takeZone(_ word: Word) -> Bool {
    let name = word.prefix { $0 != UInt8(ascii: "+") && $0 != UInt8(ascii: "-") }
    if name.endIndex == word.endIndex {
      guard name.allSatisfy({ (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) }) else { return false }
      offset = (zoneHours[String(decoding: name, as: UTF8.self)] ?? 0) * 3600
      return true
    }
    let digits = word[name.endIndex...].dropFirst().filter { $0 != UInt8(ascii: ":") }
    guard digits.count == 4 || digits.count <= 2, let number = number(digits[...]) else { return false }
    let (hours, minutes) = digits.count == 4 ? (number / 100, number % 100) : (number, 0)
    guard hours < 24, minutes < 60 else { return false }
    offset = (word[name.endIndex] == UInt8(ascii: "-") ? -1 : 1) * (hours * 3600 + minutes * 60)
    return true
  }
}

/// Comments such as `(CET)` are for people (RFC 5322 §3.2.2).
private func withoutComments(_ text: [UInt8]) -> [UInt8] {
  guard text.contains(UInt8(ascii: "(")) else { return text }
  var depth = 0
  return text.filter { byte in
    if byte == UInt8(ascii: "(") { depth += 1 }
    defer { if byte == UInt8(ascii: ")") { depth = max(0, depth - 1) } }
    return depth == 0
  }
}

private func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
private func isOfClock(_ byte: UInt8) -> Bool {
  isDigit(byte) || byte == UInt8(ascii: ":") || byte == UInt8(ascii: ".")
}
private func lowercased(_ byte: UInt8) -> UInt8 { (0x41...0x5A).contains(byte) ? byte | 0x20 : byte }

/// One to four decimal digits.
private func number(_ digits: ArraySlice<UInt8>) -> Int? {
  guard (1...4).contains(digits.count), digits.allSatisfy(isDigit) else { return nil }
  return digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
}

/// A month's name or at least its first three letters; `sept` is accepted too.
private func monthNumber(_ word: ArraySlice<UInt8>) -> Int? {
  let name = word.last == UInt8(ascii: ".") ? word.dropLast() : word
  guard name.count >= 3 else { return nil }
  return months.firstIndex { $0.starts(with: name) }.map { $0 + 1 }
}

private let months = [
  "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
  "december",
].map { Array($0.utf8) }
private let weekdays = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"].map { Array($0.utf8) }

/// RFC 822 §5.1, and other names that are not ambiguous.
private let zoneHours = [
  "est": -5, "edt": -4, "cst": -6, "cdt": -5, "mst": -7, "mdt": -6, "pst": -8, "pdt": -7, "akst": -9, "akdt": -8,
  "hst": -10, "west": 1, "bst": 1, "cet": 1, "cest": 2, "mez": 1, "mesz": 2, "eet": 2, "eest": 3, "msk": 3, "jst": 9,
  "kst": 9, "aest": 10, "aedt": 11, "nzst": 12, "nzdt": 13,
]
