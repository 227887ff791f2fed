// SPDX-License-Identifier: Apache-2.0

extension Duration {
  /// The duration in seconds, with fractions.
  package var inSeconds: Double {
    let (seconds, attoseconds) = components
    return Double(seconds) + Double(attoseconds) * 1e-18
  }

  package static func minutes(_ minutes: Int) -> Duration { .seconds(minutes * 60) }
  package static func hours(_ hours: Int) -> Duration { .seconds(hours * 3600) }
  package static func days(_ days: Int) -> Duration { .seconds(days * 86_400) }

  package var magnitude: Duration { self < .zero ? .zero - self : self }
}
