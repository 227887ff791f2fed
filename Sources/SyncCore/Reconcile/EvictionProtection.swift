// SPDX-License-Identifier: Apache-2.0

/// A reason why a finished file must not be evicted, with its facts.
package enum EvictionProtection: Hashable, Sendable {
  /// Another file is in its place, which syncjob must not remove.
  case changedByOthers
  /// The folder of the file may not be searched.
  case unreachable
  case pinnedByManifest
  case pinnedByCommand
  /// Playback stopped part-way not long ago.
  case inProgress(PlaybackPosition)
  /// A keep rule of `retain` protects the file.
  case kept(PlaylistName, RetentionRule)
  /// The file is younger than `storage.evict.min_age`.
  case tooYoung(until: Timestamp)

  /// True if the protection ends at a known time.
  var endsByItself: Bool { if case .tooYoung = self { true } else { false } }

  /// The rules that protect a file, the strongest first.
  enum Rule: CaseIterable {
    case changedByOthers, unreachable, pinnedByManifest, pinnedByCommand, inProgress, kept, minimumAge

    static let strongestFirst = allCases
  }

  /// A protection without its facts, for counts.
  package enum Kind: String, CaseIterable, Sendable {
    case pinned
    case inProgress = "in_progress"
    case kept
    case tooYoung = "too_young"
    case changedByOthers = "changed_by_others"
    case unreachable
  }

  package var kind: Kind {
    switch self {
    case .changedByOthers: .changedByOthers
    case .unreachable: .unreachable
    case .pinnedByManifest, .pinnedByCommand: .pinned
    case .inProgress: .inProgress
    case .kept: .kept
    case .tooYoung: .tooYoung
    }
  }
}

/// The one place that decides which files may be evicted. Plans, `evict` and `explain` all ask here.
extension Reconciliation.Entry {
  /// The strongest protection of the item's file against eviction. Nil if the file may be evicted.
  func protection(_ policy: StoragePolicy.Eviction, at now: Timestamp) -> EvictionProtection? {
    for rule in EvictionProtection.Rule.strongestFirst {
      if let protection = protection(by: rule, policy, now) { return protection }
    }
    return nil
  }

  /// All protections of the item's file, the strongest first.
  func protections(_ policy: StoragePolicy.Eviction, at now: Timestamp) -> [EvictionProtection] {
    EvictionProtection.Rule.strongestFirst.compactMap { protection(by: $0, policy, now) }
  }

  /// True if more than its age protects the file.
  func isProtected(_ policy: StoragePolicy.Eviction, at now: Timestamp) -> Bool {
    protection(policy, at: now).map { !$0.endsByItself } ?? false
  }

  /// - Returns: Nil if the rule does not protect the file.
  private func protection(
    by rule: EvictionProtection.Rule, _ policy: StoragePolicy.Eviction, _ now: Timestamp
  ) -> EvictionProtection? {
    switch rule {
    case .changedByOthers: return isChangedByOthers ? .changedByOthers : nil
    case .unreachable: return isUnreachable ? .unreachable : nil
    case .pinnedByManifest: return isPinnedByManifest ? .pinnedByManifest : nil
    case .pinnedByCommand: return queued.pinned ? .pinnedByCommand : nil
    case .inProgress:
      guard let position = queued.plays.position, queued.plays.isInProgress(at: now) else { return nil }
      return .inProgress(position)
    case .kept:
      guard case .kept(let playlist, let rule)? = retained else { return nil }
      return .kept(playlist, rule)
    case .minimumAge:
      guard let completedAt = queued.state.completedAt, now - completedAt < policy.minAge else { return nil }
      return .tooYoung(until: completedAt + policy.minAge)
    }
  }
}
