// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import SyncCore

/// A simulated library that follows feeds day by day, with the real planner. Every file takes a few seconds, as in a
/// real run, so that the order in which files arrive is not the order of the episodes.
struct FeedLife {
  static let start = Timestamp(secondsSince1970: 1_800_000_000)

  private struct Show {
    let name: PlaylistName
    var episodes: [ListingEntry] = []
  }

  private var shows: [Show] = []
  private(set) var paper: SimulatedLibrary
  private(set) var day = 0
  /// Bytes of the episodes that appeared after the first day.
  private(set) var appeared = ByteCount.zero
  /// Bytes fetched after the first day.
  private(set) var fetched = ByteCount.zero
  private(set) var evictions = 0
  private(set) var retried = ByteCount.zero
  /// Items that were fetched more than once although nobody asked for them.
  private(set) var cameAgain: [String] = []
  private var came: Set<ItemID> = []
  private var truth: [String: ByteCount] = [:]
  private var areSizesKnown = true
  private var secondsPerFile = 7

  init(
    budget: Int64, _ score: StoragePolicy.Score = .balanced, trigger: Int = 95, target: Int = 85,
    areSizesKnown: Bool = true
  ) {
    var manifest = Manifest(name: "car", library: LibrarySettings(path: "/library"))
    manifest.storage.budget = ByteCount(budget)
    manifest.storage.minFree = .zero
    manifest.storage.evict.score = score
    manifest.storage.evict.trigger = .percent(trigger)
    manifest.storage.evict.target = .percent(target)
    paper = SimulatedLibrary(
      manifest, queue: Queue(libraryID: "1", savedAt: Self.start),
      seen: LibraryObservation(freeSpace: ByteCount(1 << 40)),
      now: Self.start)
    self.areSizesKnown = areSizesKnown
  }

  // MARK: Building

  /// - Parameter sizes: The sizes of the episodes on the first day, the oldest first, a day apart.
  mutating func addShow(
    _ name: String, _ sizes: [Int64], order: Selection.Order = .newest, share: Int? = nil
  ) throws {
    var playlist = Playlist(
      name: try playlistName(name),
      source: .listing(.feed, at: .remote(try RemoteURL("https://feeds.example.net/\(name).rss"))))
    playlist.select.order = order
    playlist.budget = share.map { .share(.percent($0)) }
    paper.manifest.playlists.append(playlist)
    shows.append(Show(name: playlist.name))
    for (number, size) in sizes.enumerated() {
      try append(size, to: shows.count - 1, published: Self.start - .days(sizes.count - number))
    }
  }

  private mutating func append(_ size: Int64, to show: Int, published: Timestamp) throws {
    let guid = "\(shows[show].name)-\(shows[show].episodes.count)"
    var episode = ListingEntry(url: try RemoteURL("https://media.example.net/\(guid).mp3"))
    (episode.guid, episode.title, episode.published) = (guid, guid, published)
    episode.length = areSizesKnown ? ByteCount(size) : nil
    truth[guid] = ByteCount(size)
    shows[show].episodes.append(episode)
  }

  /// A new episode of a show, an hour old.
  mutating func publish(_ size: Int64, in show: Int = 0) throws {
    try append(size, to: show, published: paper.now - .hours(1))
    if day > 0 { appeared += ByteCount(size) }
  }

  mutating func change(_ id: ItemID, _ change: (inout QueueItem) -> Void) {
    guard var item = paper.queue[id] else { return }
    change(&item)
    paper.queue[id] = item
  }

  mutating func retry(_ id: ItemID) throws {
    guard let item = paper.queue[id], let edited = try QueueEdit.retry.applied(to: item, now: paper.now) else { return }
    paper.queue[id] = edited
    retried += size(item)
    came.remove(id)
  }

  func size(_ item: QueueItem) -> ByteCount { truth[item.item.title] ?? .zero }

  // MARK: Living

  /// - Parameter hour: The hour of the day. A first run takes minutes, so that at the same time of the next day many
  ///   files are still a little too young to be evicted.
  mutating func nextDay(hour: Int = 1) {
    day += 1
    paper.now = Self.start + .days(day) + .hours(hour)
  }

  /// Makes a run, and checks if another one right after it would change anything.
  mutating func run(_ comment: String, isRepeated: Bool = true, after pause: Duration = .hours(1)) {
    refresh()
    let (before, reconciliation) = (paper.now, paper.reconciliation())
    let plan = Plan(
      reconciliation, seen: paper.seen, manifest: paper.manifest, options: paper.options, now: paper.now)
    check(plan, reconciliation, comment)
    for entry in reconciliation.entries { paper.sizes[entry.queued.id] = truth[entry.queued.item.title] }
    paper.carryOut(plan)
    stagger(plan)
    for download in plan.downloads where paper.queue[download.id]?.state.storedFile != nil {
      if !came.insert(download.id).inserted { cameAgain.append(download.item.title) }
    }
    if day > 0 {
      let came = plan.downloads.compactMap { paper.queue[$0.id]?.state.storedFile?.size }.sum()
      fetched += came
      evictions += plan.count(.evict)
    }
    guard isRepeated else { return }
    paper.now = before + pause
    let second = paper.plan()
    // A size found by the run itself may change what fits.
    if areSizesKnown {
      #expect(
        !second.hasPendingChanges,
        "\(comment), day \(day): \(second.words.filter { !$0.hasPrefix("keep") && !$0.hasPrefix("defer") })")
      #expect(second.bookkeeping.isEmpty, "\(comment), day \(day)")
    } else {
      #expect(second.count(.evict) == 0 || plan.count(.download) > 0, "\(comment), day \(day)")
    }
    paper.now = before
  }

  private mutating func refresh() {
    paper.readings = shows.map { show in
      // The newest first, as feeds have them.
      SourceReading(
        playlist: show.name, listing: Listing(entries: ListingEntries(show.episodes.reversed()), completeness: .whole),
        isUnchanged: false)
    }
  }

  private mutating func stagger(_ plan: Plan) {
    for (turn, download) in plan.downloads.enumerated() {
      guard var item = paper.queue[download.id], case .completed(var file) = item.state else { continue }
      file.completedAt = paper.now + .seconds(turn * secondsPerFile)
      item.complete(file)
      paper.queue[download.id] = item
    }
  }

  // MARK: Judging

  /// Expects every evicted file to rank below every fetched one.
  private func check(_ plan: Plan, _ reconciliation: Reconciliation, _ comment: String) {
    let ranking = Ranking(reconciliation, manifest: paper.manifest, now: paper.now)
    var ranks: [ItemID: Rank] = [:]
    for (position, entry) in reconciliation.entries.enumerated() {
      if !entry.isPinned { ranks[entry.queued.id] = ranking.rank(of: entry, at: position) }
    }
    let came = plan.changes.filter { [.download, .resume].contains($0.action) }
    for victim in plan.changes where victim.action == .evict {
      let isOfShare = paper.manifest.playlists.first { $0.name == victim.playlist }?.budget != nil
      let rivals = came.filter { !isOfShare || $0.playlist == victim.playlist }.compactMap { ranks[$0.id] }
      guard let lowest = rivals.min(), let own = ranks[victim.id] else { continue }
      #expect(own < lowest, "\(comment), day \(day): \(victim.title) goes for less")
    }
    if let budget = paper.manifest.storage.budget, day > 0 {
      #expect(plan.storage.after <= budget * paper.manifest.storage.evict.trigger, "\(comment), day \(day)")
    }
  }

  /// Expects that no unplayed episode is kept if one of the same show was evicted that comes first in its order. All
  /// sizes are equal, so each could replace any other.
  func expectOrder(_ comment: String) {
    for playlist in paper.manifest.playlists {
      let items = paper.queue.items.filter {
        $0.memberships.first?.playlist == playlist.name && $0.plays.count == 0 && !$0.pinned
          && $0.knownSince == $0.queuedAt
      }
      let held = items.filter { $0.state.storedFile != nil }
      for item in items {
        guard case .removed(let removal) = item.state, removal.cause == .evicted else { continue }
        let worse = held.filter { playlist.select.prefers(item, to: $0) }.map(\.item.title)
        #expect(worse.isEmpty, "\(comment), day \(day): \(worse) instead of \(item.item.title)")
      }
    }
  }

  /// The same days as seen by `simulate`.
  func simulated(days: Int) -> Simulation.Outcome {
    let lives = paper.queue.items.map { item in
      var remembered = item.item
      remembered.size = nil
      return Simulation.Life(
        item: remembered, memberships: item.memberships, size: size(item), appearedAt: item.knownSince,
        isPinned: false, plays: .init())
    }
    // A run of this life has the same hour as one of the simulation.
    return Simulation(lives, plays: [], from: Self.start + .hours(1), days: days).outcome(under: paper.manifest)
  }
}

extension Selection {
  fileprivate func prefers(_ one: QueueItem, to other: QueueItem) -> Bool {
    guard let date = one.item.published, let others = other.item.published else { return false }
    return order == .newest ? date > others : date < others
  }
}
