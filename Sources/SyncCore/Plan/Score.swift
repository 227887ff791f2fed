// SPDX-License-Identifier: Apache-2.0

/// The values from which the eviction score of a finished file is computed.
package struct ScoreTerms: Hashable, Sendable {
  package var plays: PlayHistory
  package var completedAt: Timestamp
  package init(plays: PlayHistory, completedAt: Timestamp) {
    self.plays = plays
    self.completedAt = completedAt
  }
}

extension StoragePolicy.Score {
  /// The score at `now`. The lowest is evicted first (docs/manual/policy.md).
  ///
  /// `classic` and `balanced` weigh recency with 0.7 and the decimal logarithm of the plays with 0.3;
  /// `oldest` is the completion time in seconds.
  package func value(of terms: ScoreTerms, at now: Timestamp) -> Double {
    let plays = log10(max(terms.plays.count, 1))
    switch self {
    case .classic:
      return 0.7 * recency(days: age(of: terms, at: now)) + 0.3 * plays
    case .balanced:
      return 0.7 * recency(days: age(of: terms, at: now)) + 0.3 * min(1, plays / 2)
    case .oldest:
      return Double(terms.completedAt.secondsSince1970)
    }
  }
}

/// The parts of a score, for display.
package struct ScoreDetail: Equatable, Sendable {
  package var score: StoragePolicy.Score
  package var value: Double
  /// The days since the relevant use, whole days for `classic`.
  package var days: Double
  /// From 0 to 1, with a weight of 0.7. Nil for `oldest`.
  package var recency: Double?
  /// The term with a weight of 0.3. Nil for `oldest`.
  package var plays: Double?
}

extension StoragePolicy.Score {
  package func detail(of terms: ScoreTerms, at now: Timestamp) -> ScoreDetail {
    let logarithm = log10(max(terms.plays.count, 1))
    let detail = ScoreDetail(score: self, value: value(of: terms, at: now), days: age(of: terms, at: now))
    guard self != .oldest else { return detail }
    var weighed = detail
    weighed.recency = recency(days: detail.days)
    weighed.plays = self == .classic ? logarithm : min(1, logarithm / 2)
    return weighed
  }

  private func age(of terms: ScoreTerms, at now: Timestamp) -> Double {
    switch self {
    case .classic: terms.plays.lastPlayedAt.map { days(from: $0, to: now).rounded(.down) } ?? 365
    case .balanced: days(from: max(terms.plays.lastPlayedAt ?? terms.completedAt, terms.completedAt), to: now)
    case .oldest: days(from: terms.completedAt, to: now)
    }
  }
}

private func recency(days: Double) -> Double { 1 / (1 + days / 30) }

/// Never negative: a time in the future counts as now.
private func days(from start: Timestamp, to now: Timestamp) -> Double {
  Double(max(0, now.secondsSince1970 - start.secondsSince1970)) / 86_400
}

/// The decimal logarithm of a count, exact for powers of ten. Written in Swift so that no plan depends on the version
/// of the C library.
func log10(_ count: Int) -> Double {
  guard count > 1 else { return 0 }
  var count = count
  var powers = 0
  while count % 10 == 0 {
    count /= 10
    powers += 1
  }
  let number = Double(count)
  // ln(s · 2^e) = e · ln 2 + 2 · artanh((s - 1) / (s + 1)). For s in 1..<2, twenty terms are exact to the last bit.
  let ratio = (number.significand - 1) / (number.significand + 1)
  let artanh = stride(from: 39, through: 1, by: -2).reduce(0) { $0 * ratio * ratio + 1 / Double($1) } * ratio
  let naturalLogarithm = Double(number.exponent) * 0.693_147_180_559_945_309 + 2 * artanh
  return Double(powers) + naturalLogarithm / 2.302_585_092_994_045_684
}
