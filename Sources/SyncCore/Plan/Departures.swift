// SPDX-License-Identifier: Apache-2.0

/// Items that go because their sources no longer list them. Over seven days they add up under `max_delete`, so that a feed
/// that shrinks a little at a time takes no more of a library than one that shrinks at once.
struct Departures {
  private static let window = Duration.days(7)

  /// Playlists that take their items from a source.
  private let playlists: Set<PlaylistName>
  private let now: Timestamp

  init(_ playlists: [Playlist], now: Timestamp) {
    self.playlists = Set(playlists.filter(\.isFeed).map(\.name))
    self.now = now
  }

  /// - Parameter removals: of the plan.
  /// - Returns: nil when they may go.
  func stop(_ removals: [Change], _ entries: [Reconciliation.Entry], _ options: PlanOptions) -> SafetyStop? {
    let going = removals.count { $0.reason == .leftManifest && isOfSource($0.queued) }
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

  /// When it went, in the last seven days, because its source no longer listed it.
  private func departure(_ item: QueueItem) -> Timestamp? {
    guard case .removed(let removal) = item.state, removal.cause == .orphan, removal.at > now - Self.window,
      isOfSource(item)
    else { return nil }
    return removal.at
  }

  /// A playlist that a person took out of the manifest is not among them: that was said once, for all of its items.
  private func isOfSource(_ item: QueueItem) -> Bool {
    item.memberships.contains { playlists.contains($0.playlist) }
  }
}
