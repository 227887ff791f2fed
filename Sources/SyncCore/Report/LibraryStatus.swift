// SPDX-License-Identifier: Apache-2.0

/// The status of a library between two runs.
package struct LibraryStatus: Equatable, Sendable {
  package struct PlaylistLine: Equatable, Sendable {
    package var name: PlaylistName
    package var title: String
    package var completed: Int
    package var waiting: Int
    package var paused: Int
    package var failed: Int
    /// Items that were cancelled, and those whose files were removed or evicted.
    package var away: Int
    package var bytes: ByteCount
    /// Its items that count for an earlier playlist, which holds their files.
    package var shared = Shared()
  }

  /// Items of a playlist that count for others.
  package struct Shared: Equatable, Sendable {
    package var items = 0
    /// The titles of these playlists, in the order of the manifest.
    package var titles: [String] = []
    package init() {}
  }

  /// Items of playlists that the manifest does not name, and that are no orphans as far as is known.
  package struct Unlisted: Equatable, Sendable {
    package var items: Int
    package var bytes: ByteCount
  }

  /// A playlist's source and its reading history.
  package struct SourceLine: Equatable, Sendable {
    package var playlist: PlaylistName
    /// The location without credentials.
    package var location: String
    package var health: SourceHealth
  }

  /// Finished items that no playlist names any more.
  package struct Orphans: Equatable, Sendable {
    package var items: Int
    package var bytes: ByteCount
  }

  /// Wanted files that were evicted and may not return yet. Room is held back for them.
  package struct HeldRoom: Equatable, Sendable {
    package var items: Int
    package var bytes: ByteCount
    /// The time when the last of them may return.
    package var until: Timestamp
  }

  /// A run or command that changes the library right now.
  package struct Worker: Equatable, Sendable {
    package var pid: Int32
    package var since: Timestamp
    package init(pid: Int32, since: Timestamp) {
      self.pid = pid
      self.since = since
    }
  }

  /// The items that need a licence, and can be used or not.
  package struct Licenses: Equatable, Sendable {
    /// All items, whether they need a licence or not.
    package var states: [OfflineState: Int] = [:]
    package var licensed = 0
    /// The end of the licence that is over first.
    package var nextEnd: Timestamp?

    package init(_ items: BoxedArray<QueueItem>, at time: Timestamp) {
      items.forEach { count($0, at: time) }
    }

    init(_ items: [QueueItem], at time: Timestamp) {
      for item in items { count(item, at: time) }
    }

    private mutating func count(_ item: QueueItem, at time: Timestamp) {
      let state = item.offlineState(at: time)
      states[state, default: 0] += 1
      guard let record = item.license else { return }
      licensed += 1
      guard state == .offlinedAndValid, let end = record.license?.expiresAt else { return }
      nextEnd = min(nextEnd ?? end, end)
    }
  }

  /// The number of plays or actions that a server does not have yet, as far as the last run knew them.
  package struct WaitingPlays: Equatable, Sendable {
    package var server: PlaylistName
    package var plays: Int
    package var noun: PushedAction.Noun

    package init(server: PlaylistName, plays: Int, _ noun: PushedAction.Noun = .play) {
      (self.server, self.plays, self.noun) = (server, plays, noun)
    }
  }

  package struct NextAttempt: Equatable, Sendable {
    package var id: ItemID
    package var title: String
    package var at: Timestamp
  }

  /// The facts about a library that are not in its queue.
  package struct Observed: Sendable {
    /// Items with a foreign file in their file's place. Its bytes do not count.
    package var notOurs: Set<ItemID>
    package var orphans: Set<ItemID>
    package var storage: StorageSummary

    package init(notOurs: Set<ItemID>, orphans: Set<ItemID>, storage: StorageSummary) {
      self.notOurs = notOurs
      self.orphans = orphans
      self.storage = storage
    }
  }

  package var name: String
  package var counts: [ItemState.Name: Int]
  package var evicted: Int
  package var licenses: Licenses
  package var playlists: [PlaylistLine]
  package var orphans: Orphans
  package var unlisted: Unlisted
  package var sources: [SourceLine]
  package var storage: StorageSummary
  /// Failed items, and finished items of which a file of another quality could not be fetched.
  package var failures: [QueueItem]
  package var nextAttempts: [NextAttempt]
  package var heldRoom: HeldRoom?
  package var worker: Worker?
  /// The plays that wait to be pushed to servers, in the order of the names.
  package var waitingPlays: [WaitingPlays] = []
  package var savedAt: Timestamp
  /// The time of this status.
  package var at: Timestamp

  /// Creates the status. An item of several playlists counts for the first that names it, an orphan for none, so that
  /// the counts add up.
  /// - Parameter scope: The playlists to show, without orphans. Nil for all. Storage always covers the whole library.
  package init(
    manifest: Manifest, queue: Queue, scope: Set<PlaylistName>? = nil, seen: Observed, now: Timestamp,
    health: (PlaylistName) -> SourceHealth = { _ in SourceHealth() }
  ) {
    let (notOurs, orphans) = (seen.notOurs, seen.orphans)
    let shown = manifest.playlists.filter { scope?.contains($0.name) ?? true }
    let items = queue.items.filter { item in
      scope.map { item.isMember(ofAny: $0) && !orphans.contains(item.id) } ?? true
    }
    sources = shown.compactMap { playlist in
      playlist.source.shownLocation.map { location in
        SourceLine(playlist: playlist.name, location: location, health: health(playlist.name))
      }
    }
    name = manifest.name
    counts = items.reduce(into: [:]) { $0[$1.state.name, default: 0] += 1 }
    evicted = items.count { item in
      if case .removed(let removal) = item.state { removal.cause == .evicted } else { false }
    }
    licenses = Licenses(items, at: max(now, queue.latestTime))
    let existing = Set(manifest.playlists.map(\.name))
    let byFirst = Dictionary(grouping: items.filter { !orphans.contains($0.id) }) { item in
      item.memberships.first { existing.contains($0.playlist) }?.playlist
    }
    let shownOrphans = scope == nil ? orphans : []
    self.orphans = Orphans(
      items: shownOrphans.count,
      bytes: shownOrphans.compactMap { notOurs.contains($0) ? nil : queue[$0]?.state.storedFile?.size }.sum())
    let bytes = { (items: [QueueItem]) in
      items.compactMap { notOurs.contains($0.id) ? nil : $0.state.storedFile?.size }.sum()
    }
    let rest = scope == nil ? byFirst[nil] ?? [] : []
    unlisted = Unlisted(items: rest.count, bytes: bytes(rest))
    let shared = Self.shared(byFirst, manifest.playlists)
    playlists = shown.filter { !$0.source.listsPlaylists }.map { playlist in
      let items = byFirst[playlist.name] ?? []
      return PlaylistLine(
        name: playlist.name, title: playlist.displayTitle, completed: items.count { $0.state.name == .completed },
        waiting: items.count { [.queued, .downloading, .retrying].contains($0.state.name) },
        paused: items.count { $0.state.name == .paused },
        failed: items.count { $0.state.name == .failed },
        away: items.count { [.removed, .cancelled].contains($0.state.name) },
        bytes: bytes(items), shared: shared[playlist.name] ?? Shared())
    }
    storage = seen.storage
    failures = items.filter { $0.state.name == .failed || $0.upgradeFailure != nil }
    nextAttempts = items.compactMap { item in
      switch item.state {
      case .queued(let pending): pending.nextAttemptAt.map { NextAttempt(id: item.id, title: item.item.title, at: $0) }
      case .failed(let record): record.nextAttemptAt.map { NextAttempt(id: item.id, title: item.item.title, at: $0) }
      default: nil
      }
    }.sorted { $0.at < $1.at }
    heldRoom = Self.heldRoom(
      for: items.filter { item in item.memberships.contains { existing.contains($0.playlist) } }, now)
    savedAt = queue.savedAt
    at = now
  }

  /// The items of each playlist that count for an earlier one.
  private static func shared(
    _ byFirst: [PlaylistName?: [QueueItem]], _ playlists: [Playlist]
  ) -> [PlaylistName: Shared] {
    var shared: [PlaylistName: Shared] = [:]
    for playlist in playlists {
      for item in byFirst[playlist.name] ?? [] {
        for other in Set(item.memberships.map(\.playlist)) where other != playlist.name {
          shared[other, default: Shared()].items += 1
          if shared[other]?.titles.last != playlist.displayTitle {
            shared[other]?.titles.append(playlist.displayTitle)
          }
        }
      }
    }
    return shared
  }

  private static func heldRoom(for items: [QueueItem], _ now: Timestamp) -> HeldRoom? {
    let away = items.compactMap { item -> Removal? in
      guard case .removed(let removal) = item.state, removal.cause == .evicted, removal.at + Removal.absence > now
      else { return nil }
      return removal
    }
    guard let last = away.map(\.at).max() else { return nil }
    return HeldRoom(items: away.count, bytes: away.compactMap(\.file?.size).sum(), until: last + Removal.absence)
  }
}
