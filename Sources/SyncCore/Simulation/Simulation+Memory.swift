// SPDX-License-Identifier: Apache-2.0

extension Simulation {
  /// The data that the simulation had to leave out.
  package struct Omissions: Equatable, Sendable {
    /// Items that never had a file, so their size is unknown.
    package var ofUnknownSize = 0
    /// Items that no playlist of the manifest names any more.
    package var orphans = 0
    /// Plays of items before they were known. No policy could have had them.
    package var earlyPlays = 0
    package init() {}
  }

  /// Creates a simulation from the recorded history of the days before `end`.
  /// - Parameter log: The single plays. The queue has only totals.
  package static func remembered(
    _ queue: Queue, log: PlayLog, manifest: Manifest, until end: Timestamp, days: Int
  ) -> (simulation: Simulation, omissions: Omissions) {
    // Days run from midnight to midnight (UTC), so that an hour more or less does not move the runs among the plays.
    let midnight = Timestamp(secondsSince1970: (end.secondsSince1970 / 86_400 + 1) * 86_400)
    let start = midnight - .days(days)
    let (names, pinned) = (Set(manifest.playlists.map(\.name)), manifest.pinned(in: queue))
    let declared = Dictionary(
      manifest.playlists.flatMap(\.source.inlineItems).compactMap { item in (item.size?.bytes).map { (item.id, $0) } },
      uniquingKeysWith: { first, _ in first })
    var omissions = Omissions()
    var lives: [Life] = []
    var plays: [Play] = []
    for item in queue.items {
      let memberships = item.memberships.filter { names.contains($0.playlist) }
      guard !memberships.isEmpty else {
        omissions.orphans += 1
        continue
      }
      let file = item.state.lastFile
      guard let size = file?.size ?? declared[item.id] ?? item.knownSize else {
        omissions.ofUnknownSize += 1
        continue
      }
      let played = (log.entries[item.id]?.plays ?? []).map { play in
        var play = play
        // A damaged counter may contain any number.
        play.count = min(play.count, Self.mostPlays)
        return play
      }
      let appearedAt = min(item.knownSince, file?.completedAt ?? item.knownSince)
      let lately = played.filter { $0.at >= max(start, appearedAt) && $0.at < end }
      omissions.earlyPlays += played.filter { $0.at >= start && $0.at < appearedAt }.map(\.count).reduce(0, +)
      // Only the last of several plays from a counter has a time, which is used for all of them.
      plays += lately.map { Play(id: item.id, at: $0.at, count: $0.count) }
      let heldSince = item.state.wasHere(at: start) ? file?.completedAt : nil
      var life = Life(
        item: item.item, memberships: memberships, size: size, appearedAt: appearedAt, heldSince: heldSince,
        isPinned: item.pinned || pinned.contains(item.id),
        plays: PlayHistory(
          count: max(0, item.plays.count - lately.map(\.count).reduce(0, +)),
          lastPlayedAt: played.map(\.at).filter { $0 < max(start, appearedAt) }.max()
            ?? item.plays.lastPlayedAt.flatMap { $0 < start ? $0 : nil }))
      life.isLeftOut = heldSince == nil && appearedAt < start && !item.cameAtOnce(after: start)
      lives.append(life)
    }
    return (Simulation(lives, plays: plays, from: start, days: days), omissions)
  }
}

extension Simulation {
  /// The largest number of plays at one time: more than anybody plays, and small enough that no sum overflows.
  private static var mostPlays: Int { 1 << 32 }
}

extension QueueItem {
  /// True if the item was fetched in the simulated period without a long wait.
  fileprivate func cameAtOnce(after start: Timestamp) -> Bool {
    guard let completedAt = state.lastFile?.completedAt else { return false }
    return completedAt >= start && completedAt - queuedAt < .days(1)
  }
}

extension ItemState {
  /// True if the item was present, judged by its last file. Nothing is known about earlier files.
  fileprivate func wasHere(at moment: Timestamp) -> Bool {
    switch self {
    case .completed(let file): file.completedAt <= moment
    case .removed(let removal): removal.at > moment && (removal.file.map { $0.completedAt <= moment } ?? false)
    default: false
    }
  }
}
