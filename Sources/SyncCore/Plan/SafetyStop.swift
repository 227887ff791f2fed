// SPDX-License-Identifier: Apache-2.0

/// The reason why a plan must not be carried out.
package enum SafetyStop: Error, Hashable, Sendable {
  case tooManyRemovals(count: Int, limit: Int, finished: Int, setBy: LimitOrigin = .manifest)
  /// Too many items would be removed because their sources no longer list them.
  /// - Parameters:
  ///   - count: The number of items that the plan would remove.
  ///   - earlier: The number of items removed for this reason in the last seven days.
  ///   - base: The number of items present at the beginning of these days.
  case tooManyDepartures(count: Int, earlier: Int, limit: Int, base: Int, setBy: LimitOrigin = .manifest)
}
