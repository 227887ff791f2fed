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

  /// A wait that all requests to one origin share: from half of the ceiling up to the ceiling. A short outage is
  /// therefore outlasted by every draw and not by most.
  /// - Parameter chance: from 0 up to 1, drawn by the caller.
  func sharedWait(retry: Int, chance: Double) -> Duration {
    .seconds(ceiling(retry: retry).inSeconds * (0.5 + chance / 2))
  }
}
