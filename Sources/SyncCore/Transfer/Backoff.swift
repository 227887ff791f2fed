// SPDX-License-Identifier: Apache-2.0

extension DownloadPolicy.Backoff {
  /// The longest wait before retry number `retry` (from 0): `min(max, initial × factor^retry)`.
  package func ceiling(retry: Int) -> Duration {
    var seconds = initial.inSeconds
    for _ in 0..<retry where seconds < max.inSeconds { seconds *= factor }
    return .seconds(min(max.inSeconds, seconds))
  }

  /// A wait with full jitter: anything from nothing to the ceiling, but at least `lowerBound`.
  /// - Parameter chance: from 0 up to 1, drawn by the caller.
  package func wait(retry: Int, chance: Double, atLeast lowerBound: Duration = .zero) -> Duration {
    Swift.max(lowerBound, .seconds(ceiling(retry: retry).inSeconds * chance))
  }
}
