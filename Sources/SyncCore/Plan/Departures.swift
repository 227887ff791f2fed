// SPDX-License-Identifier: Apache-2.0

/// Limits the removal of items that their sources no longer list. The removals of seven days count together against
/// `max_delete`, so a feed that shrinks slowly takes no more of a library than one that shrinks at once.
struct Departures {
  private static let window = Duration.days(7)

  /// Playlists whose items come from a source.
  private let playlists: Set<PlaylistName>
  private let now: Timestamp

  init(_ playlists: [Playlist], now: Timestamp) {
    self.playlists = Set(playlists.filter(\.source.isListing).map(\.name))
    self.now = now
  }

  /// - Parameter removals: The removals of the plan.
  /// - Returns: Nil if the removals are allowed.
  func stop(_ removals: [Step], _ entries: [Reconciliation.Entry], _ options: PlanOptions) -> SafetyStop? {
    let going = removals.count { $0.reason == .leftManifest && isOfSource($0.queued.wrappedValue) }
    guard going > 0 else { return nil }
    let earlier = entries.indices.compactMap { departure(entries[$0].queued) }
    guard let start = earlier.min() else { return nil }
    let base =
      earlier.count + entries.indices.count { entries[$0].queued.state.completedAt.map { $0 <= start } ?? false }
    let limit = options.maxDelete.count(of: base)
    guard earlier.count + going > limit else { return nil }
    return .tooManyDepartures(
      count: going, earlier: earlier.count, limit: limit, base: base, setBy: options.maxDeleteOrigin)
  }

  /// The time at which the item was removed because its source no longer listed it.
  /// Nil if that was more than seven days ago.
  private func departure(_ item: QueueItem) -> Timestamp? {
    guard case .removed(let removal) = item.state, removal.cause == .orphan, removal.at > now - Self.window,
      isOfSource(item)
    else { return nil }
    return removal.at
  }

  /// Items of a playlist that was taken out of the manifest do not count: that was confirmed once for all of them.
  private func isOfSource(_ item: QueueItem) -> Bool {
    item.memberships.contains { playlists.contains($0.playlist) }
  }
}
