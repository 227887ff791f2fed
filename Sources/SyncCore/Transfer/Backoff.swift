// SPDX-License-Identifier: Apache-2.0

extension DownloadPolicy.Backoff {
  /// The longest wait before retry number `retry` (from 0): `min(max, initial × factor^retry)`.
  package func ceiling(retry: Int) -> Duration {
    var seconds = initial.inSeconds
    for _ in 0..<retry where seconds < max.inSeconds { seconds *= factor }
    return .seconds(min(max.inSeconds, seconds))
  }

  /// A delay with full jitter, from zero to the ceiling, but at least `lowerBound`.
  /// - Parameter chance: A random number from 0 up to 1, drawn by the caller.
  package func wait(retry: Int, chance: Double, atLeast lowerBound: Duration = .zero) -> Duration {
    Swift.max(lowerBound, .seconds(ceiling(retry: retry).inSeconds * chance))
  }

  /// A delay shared by all requests to one origin, from half of the ceiling to the ceiling. Every draw therefore
  /// outlasts a short outage, not only most of them.
  /// - Parameter chance: A random number from 0 up to 1, drawn by the caller.
  func sharedWait(retry: Int, chance: Double) -> Duration {
    .seconds(ceiling(retry: retry).inSeconds * (0.5 + chance / 2))
  }
}
