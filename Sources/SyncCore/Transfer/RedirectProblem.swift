// SPDX-License-Identifier: Apache-2.0

/// Why a redirect is not followed.
package enum RedirectProblem: Hashable, Sendable {
  /// No URL that can be fetched, or of another scheme.
  case notHTTP
  /// From https to http.
  case downgrade
  /// Back to where the request was before.
  case circle
  case tooMany(limit: Int)
}
