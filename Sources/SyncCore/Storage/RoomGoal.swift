// SPDX-License-Identifier: Apache-2.0

/// The free space that a person asks for.
package enum RoomGoal: Hashable, Sendable {
  /// This number of bytes in addition to the free ones.
  case bytes(ByteCount)
  /// Usage down to this share of the budget.
  case share(Share)
}

/// The reason why a finished file may not be evicted.
package enum EvictionProtection: String, CaseIterable, Sendable {
  case pinned
  /// Playback stopped part-way not long ago.
  case inProgress = "in_progress"
  /// A keep rule of `retain` protects the file.
  case kept
  /// The file is younger than `storage.evict.min_age`.
  case tooYoung = "too_young"
  /// Another file is in its place, which syncjob must not remove.
  case changedByOthers = "changed_by_others"
  /// The folder of the file may not be searched.
  case unreachable
}
