// SPDX-License-Identifier: Apache-2.0

/// How much room a person wants to have now.
package enum RoomGoal: Hashable, Sendable {
  /// So many bytes more than there are.
  case bytes(ByteCount)
  /// Down to that share of the budget.
  case share(Share)
}

/// Why a finished file may not be evicted.
package enum EvictionBar: String, CaseIterable, Sendable {
  case pinned
  /// Listening to it broke off not long ago.
  case inProgress = "in_progress"
  /// By a keep rule of `retain`.
  case kept
  /// Younger than `storage.evict.min_age`.
  case tooYoung = "too_young"
  /// Another file is in its place, which is not ours to remove.
  case changedByOthers = "changed_by_others"
}
