// SPDX-License-Identifier: Apache-2.0

/// Simulates which items another policy would have kept, from recorded history with one run per day.
package struct Simulation: Sendable {
  /// The recorded history of one item.
  package struct Life: Sendable {
    package var item: Item
    package var memberships: [Membership]
    package var size: ByteCount
    /// The time when the item became known.
    package var appearedAt: Timestamp
    /// The completion time of its file if it was present at the start of the simulated period. Nil otherwise.
    package var heldSince: Timestamp?
    package var isPinned: Bool
    /// True if the item was known before the simulated period and was waiting for room.
    package var isLeftOut = false
    /// The plays before the simulated period.
    package var plays: PlayHistory

    package init(
      item: Item, memberships: [Membership], size: ByteCount, appearedAt: Timestamp, heldSince: Timestamp? = nil,
      isPinned: Bool = false, plays: PlayHistory = .init()
    ) {
      self.item = item
      self.memberships = memberships
      self.size = size
      self.appearedAt = appearedAt
      self.heldSince = heldSince
      self.isPinned = isPinned
      self.plays = plays
    }
  }

  /// One or more plays of an item.
  package struct Play: Hashable, Sendable {
    package var id: ItemID
    package var at: Timestamp
    /// The number of plays, of which only the last has a known time.
    package var count: Int
    package init(id: ItemID, at: Timestamp, count: Int = 1) {
      self.id = id
      self.at = at
      self.count = count
    }
  }

  /// The result of a simulation.
  package struct Outcome: Equatable, Sendable {
    package var score: StoragePolicy.Score
    package var budget: ByteCount?
    package var days = 0
    package var plays = 0
    /// Plays of items that were present.
    package var hits = 0
    package var downloads = 0
    package var bytesFetched = ByteCount.zero
    package var evictions = 0
    package var bytesEvicted = ByteCount.zero
    /// Items removed by `retain` or as orphans.
    package var removals = 0
    /// The highest usage after any of the runs.
    package var peak = ByteCount.zero
    /// Items that returned within a week of their eviction although nobody had played them in between.
    package var earlyReturns = 0

    package init(score: StoragePolicy.Score, budget: ByteCount?) {
      self.score = score
      self.budget = budget
    }

    package var misses: Int { plays - hits }
    /// The share of hits. Nil without any plays.
    package var hitRate: Double? { plays == 0 ? nil : Double(hits) / Double(plays) }
  }

  private let lives: [Life]
  private let plays: [Play]
  private let start: Timestamp
  private let days: Int

  /// - Parameters:
  ///   - lives: The items in the order of the manifest.
  ///   - plays: The plays in any order. Those outside the simulated period are skipped.
  package init(_ lives: [Life], plays: [Play], from start: Timestamp, days: Int) {
    self.lives = lives
    self.start = start
    self.days = days
    let end = start + .days(days)
    self.plays = plays.filter { $0.at >= start && $0.at < end }.sorted { ($0.at, $0.id) < ($1.at, $1.id) }
  }

  /// Runs the simulation under a policy.
  /// - Parameter watching: Receives the library after each day's run.
  package func outcome(
    under manifest: Manifest, watching: (SimulatedLibrary, Plan) -> Void = { _, _ in }
  ) -> Outcome {
    var outcome = Outcome(score: manifest.storage.evict.score, budget: manifest.storage.budget)
    outcome.days = days
    var library = library(manifest)
    var ahead = plays[...]
    var trash = SimulatedTrash(keep: manifest.storage.trashKeep)
    for day in 0..<days {
      library.now = start + .days(day)
      library.manifest.playlists = playlists(of: manifest, at: library.now)
      library.seen.expiredTrashBytes = trash.expired(at: library.now)
      let plan = library.plan()
      outcome.count(plan, in: library)
      let before =
        plan.expiresTrash ? library.seen.trashBytes - library.seen.expiredTrashBytes : library.seen.trashBytes
      library.carryOut(plan)
      trash.note(plan, added: library.seen.trashBytes - before, at: library.now)
      outcome.peak = max(outcome.peak, plan.storage.after)
      watching(library, plan)
      let next = start + .days(day + 1)
      let today = ahead.prefix { $0.at < next }
      ahead = ahead.dropFirst(today.count)
      for play in today { outcome.count(play, in: &library) }
    }
    return outcome
  }

  private func library(_ manifest: Manifest) -> SimulatedLibrary {
    var queue = Queue(libraryID: "", savedAt: start)
    var seen = LibraryObservation(freeSpace: ByteCount(1 << 60))
    let naming = manifest.library.profile.rules(on: seen.fileSystem).naming
    let owners = Dictionary(manifest.playlists.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    for life in lives
    where life.heldSince != nil || life.plays != PlayHistory() || life.isPinned || life.isLeftOut {
      var state = ItemState.queued(Pending(isDeferred: life.isLeftOut))
      if let completedAt = life.heldSince {
        let owner = life.memberships.first.flatMap { owners[$0.playlist] }
        let fields = LayoutFields(
          playlist: owner?.displayTitle ?? "", item: Boxed(life.item), position: life.memberships.first?.position ?? 1)
        let layout = owner?.layout ?? manifest.library.layout ?? .item
        let path = layout.path(fields, fileExtension: life.item.expectedExtension, naming: naming, attempt: 1)
        state = .completed(StoredFile(path: path, size: life.size, sha256: .simulated, completedAt: completedAt))
        seen.finished[life.item.id] = .file(size: life.size)
      }
      queue[life.item.id] = QueueItem(
        item: life.item, memberships: life.memberships, state: state, plays: life.plays, queuedAt: life.appearedAt)
      queue[life.item.id]?.pinned = life.isPinned
    }
    var library = SimulatedLibrary(manifest, queue: queue, seen: seen, now: start)
    library.places = Dictionary(
      lives.map { ($0.item.id, $0.memberships) }, uniquingKeysWith: { first, _ in first })
    // There is nobody to ask for confirmation.
    library.options.maxDelete = .share(.percent(100))
    return library
  }

  /// The playlists with the items known by `now`, each with its real size.
  private func playlists(of manifest: Manifest, at now: Timestamp) -> [Playlist] {
    var items: [PlaylistName: [(item: Item, place: Int)]] = [:]
    for life in lives where life.appearedAt <= now {
      var item = life.item
      (item.size, item.pin) = (.exact(life.size), life.isPinned)
      for membership in life.memberships {
        items[membership.playlist, default: []].append((item, membership.position))
      }
    }
    return manifest.playlists.map { playlist in
      var playlist = playlist
      let named = items[playlist.name] ?? []
      playlist.source = .items(BoxedArray((playlist.isListing ? playlist.listed(named) : named).map(\.item)))
      return playlist
    }
  }
}

extension Playlist {
  /// The items in the order in which a source is processed. An item without a date is the oldest. The first item of a
  /// list counts as its newest.
  fileprivate func listed(_ items: [(item: Item, place: Int)]) -> [(item: Item, place: Int)] {
    let older = items.sorted { a, b in
      let (one, other) = (a.item.published?.secondsSince1970, b.item.published?.secondsSince1970)
      let sign = isOrdered ? -1 : 1
      return (one ?? .min, sign * a.place) < (other ?? .min, sign * b.place)
    }
    return settings.select.order == .oldest ? older : older.reversed()
  }
}

/// The simulated trash.
private struct SimulatedTrash {
  let keep: Duration
  private var added: [(at: Timestamp, bytes: ByteCount)] = []

  init(keep: Duration) { self.keep = keep }

  func expired(at now: Timestamp) -> ByteCount { added.filter { now - $0.at > keep }.map(\.bytes).sum() }

  mutating func note(_ plan: Plan, added bytes: ByteCount, at now: Timestamp) {
    if plan.expiresTrash { added.removeAll { now - $0.at > keep } }
    if bytes > .zero { added.append((now, bytes)) }
    if plan.emptiesTrash { added = [] }
  }
}

extension Simulation.Outcome {
  fileprivate mutating func count(_ plan: Plan, in library: SimulatedLibrary) {
    for step in plan.steps {
      switch step {
      case .download(let fetch):
        downloads += 1
        bytesFetched += fetch.bytes ?? .zero
        if let item = library.queue[step.id], item.cameBackEarly(at: library.now) { earlyReturns += 1 }
      case .evict(let removal):
        evictions += 1
        bytesEvicted += removal.size
      case .remove: removals += 1
      case .adopt, .upgrade, .move, .protect, .push, .defer, .keep, .skip, .ignore: break
      }
    }
  }

  fileprivate mutating func count(_ play: Simulation.Play, in library: inout SimulatedLibrary) {
    plays += play.count
    guard var item = library.queue[play.id] else { return }
    if item.state.storedFile != nil { hits += play.count }
    item.plays.count += play.count
    item.plays.lastPlayedAt = max(item.plays.lastPlayedAt ?? play.at, play.at)
    library.queue[play.id] = item
  }
}

extension QueueItem {
  fileprivate func cameBackEarly(at now: Timestamp) -> Bool {
    guard case .removed(let removal) = state, removal.cause == .evicted, now - removal.at < .days(7) else {
      return false
    }
    return plays.lastPlayedAt.map { $0 <= removal.at } ?? true
  }
}
