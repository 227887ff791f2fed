// SPDX-License-Identifier: Apache-2.0

extension Timestamp {
  /// Reads the three forms of an HTTP date (RFC 9110 §5.6.7): IMF-fixdate, RFC 850 and asctime.
  /// Returns nil for anything else.
  ///
  /// A two-digit year below 70 is in this century; any other is in the last one.
  package init?(httpDate value: some StringProtocol) {
    let words = value.split { $0 == " " || $0 == "," || $0 == "-" }
    // Sun 06 Nov 1994 08:49:37 GMT | Sunday 06 Nov 94 08:49:37 GMT | Sun Nov 6 08:49:37 1994
    let isASCTime = words.count == 5
    guard isASCTime || (words.count == 6 && words[5] == "GMT") else { return nil }
    let (dayWord, monthWord) = isASCTime ? (words[2], words[1]) : (words[1], words[2])
    let (timeWord, yearWord) = isASCTime ? (words[3], words[4]) : (words[4], words[3])
    let clock = timeWord.split(separator: ":", omittingEmptySubsequences: false).map { decimal($0) }
    guard let day = decimal(dayWord), let month = monthNames.firstIndex(of: String(monthWord)),
      let year = decimal(yearWord), clock.count == 3, let hour = clock[0], let minute = clock[1],
      let second = clock[2],
      let time = CivilTime(
        year: fullYear(Int(year), digits: yearWord.count), month: month + 1, day: Int(day), hour: Int(hour),
        minute: Int(minute), second: Int(second))
    else { return nil }
    self = time.timestamp
  }
}

private let monthNames = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

private func fullYear(_ year: Int, digits: Int) -> Int {
  digits == 2 ? year + (year < 70 ? 2000 : 1900) : year
}

/// The `Retry-After` field (RFC 9110 §10.2.3).
package enum RetryAfter {
  /// Returns the delay that `value` asks for: seconds, or an HTTP date relative to `now`. A date in the past gives
  /// zero. Returns nil if the value is negative or malformed. The delay is at most a year.
  package static func wait(_ value: some StringProtocol, now: Timestamp) -> Duration? {
    let year = Duration.days(365)
    if value.utf8.allSatisfy({ (0x30...0x39).contains($0) }), !value.isEmpty {
      // A number with too many digits counts as too long.
      return decimal(value).map { min(year, .seconds($0)) } ?? year
    }
    guard let date = Timestamp(httpDate: value) else { return nil }
    return min(year, max(.zero, date - now))
  }
}
