// SPDX-License-Identifier: Apache-2.0

/// The reason why a redirect is not followed.
package enum RedirectProblem: Hashable, Sendable {
  /// The target is not a valid URL, or has another scheme.
  case notHTTP
  /// The target is an http or https URL without a host.
  case noHost
  /// The redirect leads from https to http.
  case downgrade
  /// The redirect leads back to an earlier URL of the request.
  case circle
  case tooMany(limit: Int)
}
