// SPDX-License-Identifier: Apache-2.0

extension Simulation {
  /// What could not be lived through again.
  package struct Omissions: Equatable, Sendable {
    /// Items that never had a file: nobody knows how large they are.
    package var ofUnknownSize = 0
    /// Items that no playlist of the manifest names any more.
    package var orphans = 0
    package init() {}
  }

  /// What a library remembers of the days before `end`.
  /// - Parameter log: the plays, one by one; the queue has sums alone.
  package static func remembered(
    _ queue: Queue, log: PlayLog, manifest: Manifest, until end: Timestamp, days: Int
  ) -> (simulation: Simulation, omissions: Omissions) {
    let start = end - .days(days)
    let (names, pinned) = (Set(manifest.playlists.map(\.name)), manifest.pinned(in: queue))
    var omissions = Omissions()
    var lives: [Life] = []
    var plays: [Play] = []
    for item in queue.items {
      let memberships = item.memberships.filter { names.contains($0.playlist) }
      guard !memberships.isEmpty else {
        omissions.orphans += 1
        continue
      }
      guard let file = item.state.lastFile else {
        omissions.ofUnknownSize += 1
        continue
      }
      let heard = (log.entries[item.id]?.plays ?? []).map(\.at)
      let lately = heard.filter { $0 >= start && $0 < end }
      plays += lately.map { Play(id: item.id, at: $0) }
      lives.append(
        Life(
          item: item.item, memberships: memberships, size: file.size, appearedAt: min(item.queuedAt, file.completedAt),
          heldSince: item.state.wasHere(at: start) ? file.completedAt : nil,
          isPinned: item.pinned || pinned.contains(item.id),
          plays: PlayHistory(
            count: max(0, item.plays.count - lately.count),
            lastPlayedAt: heard.filter { $0 < start }.max()
              ?? item.plays.lastPlayedAt.flatMap { $0 < start ? $0 : nil })))
    }
    return (Simulation(lives, plays: plays, from: start, days: days), omissions)
  }
}

extension ItemState {
  /// As far as its last file tells: of what was here before that nothing is known.
  fileprivate func wasHere(at moment: Timestamp) -> Bool {
    switch self {
    case .completed(let file): file.completedAt <= moment
    case .removed(let removal): removal.at > moment && (removal.file.map { $0.completedAt <= moment } ?? false)
    default: false
    }
  }
}
