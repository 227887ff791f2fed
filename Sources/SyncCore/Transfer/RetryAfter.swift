// SPDX-License-Identifier: Apache-2.0

/// How long a server asks to be left alone (RFC 9110 §10.2.3).
package enum RetryAfter {
  /// The wait that `value` asks for: seconds, or an HTTP date seen from `now`. A date in the past is zero; nil when
  /// the value is negative or no legal one. At most a year, whatever is asked.
  package static func wait(_ value: some StringProtocol, now: Timestamp) -> Duration? {
    let year = Duration.days(365)
    if value.utf8.allSatisfy({ (0x30...0x39).contains($0) }), !value.isEmpty {
      // Too many digits for a number is simply too long.
      return decimal(value).map { min(year, .seconds($0)) } ?? year
    }
    guard let date = Timestamp(httpDate: value) else { return nil }
    return min(year, max(.zero, date - now))
  }
}
