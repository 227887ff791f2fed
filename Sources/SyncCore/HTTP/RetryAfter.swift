// SPDX-License-Identifier: Apache-2.0

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
