// SPDX-License-Identifier: Apache-2.0

/// The rank of every item that takes room or asks for it: the only place that says who goes before whom.
///
/// An item ranks by its score. The unplayed episodes of one feed share their ranks out among themselves, in the order
/// of `select.order`: whatever their scores are, the oldest of them ranks lowest, or the last part of a story that is
/// told from the beginning. So which episodes are here never depends on which of them came a few seconds earlier.
struct Ranking {
  private let policy: StoragePolicy
  private let downloads: DownloadPolicy
  private let now: Timestamp
  /// Of the unplayed episodes of feeds, by the position of their entry.
  private var shared: [Int: Rank] = [:]
  /// Of each feed, the lowest rank of a file that is too young to go.
  private var firstYoung: [PlaylistName: Rank] = [:]
  /// The playlists that are told from the beginning.
  private let stories: Set<PlaylistName>

  /// - Parameter isContested: false where there is room for all, so that nobody asks for the order.
  init(_ reconciliation: Reconciliation, manifest: Manifest, isContested: Bool = true, now: Timestamp) {
    policy = manifest.storage
    downloads = manifest.downloads
    self.now = now
    let orders = Dictionary(
      manifest.playlists.filter(\.isListing).map { ($0.name, $0.select.order) }, uniquingKeysWith: { first, _ in first }
    )
    stories = Set(orders.filter { $0.value == .oldest }.keys)
    if isContested, !orders.isEmpty { shareOut(reconciliation.entries, orders) }
  }

  /// Nil for what neither takes room nor asks for it.
  func rank(of entry: Reconciliation.Entry, at position: Int) -> Rank? {
    shared[position] ?? ownRank(of: entry, position)
  }

  /// Whether `storage.evict.min_age` keeps a file: its own, or that of an episode that would have to go first. Otherwise
  /// the newest episodes would go for the older ones that came minutes after them.
  func isTooYoung(_ entry: Reconciliation.Entry, at position: Int) -> Bool {
    if isYoung(entry) { return true }
    guard let rank = shared[position], let name = entry.queued.memberships.first?.playlist else { return false }
    return firstYoung[name].map { rank > $0 } ?? false
  }

  private func isYoung(_ entry: Reconciliation.Entry) -> Bool {
    entry.queued.state.completedAt.map { now - $0 < policy.evict.minAge } ?? false
  }

  /// Whether an entry's playlist is told from the beginning.
  func isPartOfStory(_ entry: Reconciliation.Entry) -> Bool {
    entry.queued.memberships.first.map { stories.contains($0.playlist) } ?? false
  }

  // MARK: By the score

  private func ownRank(of entry: Reconciliation.Entry, _ position: Int) -> Rank? {
    if let completedAt = entry.queued.state.completedAt, let size = entry.queued.state.finishedSize {
      guard !entry.isChangedByOthers, !entry.isAtRest else { return nil }
      return rank(entry, completedAt, size)
    }
    guard let desired = entry.desired, entry.asksForRoom else { return nil }
    if case .removed(let removal) = entry.queued.state {
      // Where its file stood.
      return rank(entry, removal.file?.completedAt ?? removal.at, removal.file?.size ?? .zero)
    }
    let since = entry.waitsSince(now)
    let size = entry.expectedSize(desired, downloads)
    var rank = rank(entry, since, size)
    rank.published = desired.item.published
    rank.isWaiting = since < now
    if rank.isWaiting {
      rank.turn = FetchTurn(
        downloads.order, priority: desired.priority, published: desired.item.published, bytes: size, position: position)
    }
    return rank
  }

  private func rank(_ entry: Reconciliation.Entry, _ completedAt: Timestamp, _ size: ByteCount) -> Rank {
    Rank(
      id: entry.queued.id,
      score: policy.evict.score.value(of: ScoreTerms(plays: entry.queued.plays, completedAt: completedAt), at: now),
      size: size, completedAt: completedAt, isOrphan: entry.isOrphan && policy.orphans == .evictFirst,
      published: entry.queued.item.published)
  }

  // MARK: By the order of the feed

  private struct Episode {
    let position: Int
    let rank: Rank
    /// What has no date is older than all that has one; a later episode has a later number.
    let age: (published: Int64, number: Int)
  }

  private mutating func shareOut(_ entries: [Reconciliation.Entry], _ orders: [PlaylistName: Selection.Order]) {
    var feeds: [PlaylistName: [Episode]] = [:]
    for position in entries.indices {
      guard entries[position].standsInItsFeed(now), let place = entries[position].queued.memberships.first,
        orders[place.playlist] != nil, let rank = ownRank(of: entries[position], position), !rank.isOrphan
      else { continue }
      let published = entries[position].queued.item.published?.secondsSince1970 ?? .min
      feeds[place.playlist, default: []].append(
        Episode(position: position, rank: rank, age: (published, place.position)))
    }
    for (name, episodes) in feeds {
      let ranks = episodes.map(\.rank).sorted()
      let newer = episodes.sorted {
        ($0.age.published, $0.age.number, $0.rank) < ($1.age.published, $1.age.number, $1.rank)
      }
      let inOrder = orders[name] == .oldest ? newer.reversed() : newer
      for (episode, rank) in zip(inOrder, ranks) {
        shared[episode.position] = rank
        if firstYoung[name] == nil, isYoung(entries[episode.position]) { firstYoung[name] = rank }
      }
    }
  }
}

extension Reconciliation.Entry {
  /// It is to come, now or once there is room.
  var asksForRoom: Bool {
    switch need {
    case .fetch, .returning, .away: true
    default: false
    }
  }

  /// Nobody played it, nothing else protects it, and no person asked for it: it is one episode among others.
  fileprivate func standsInItsFeed(_ now: Timestamp) -> Bool {
    guard queued.plays.count == 0, !isPinned, queued.knownSince == queued.queuedAt else { return false }
    return queued.state.finishedSize == nil || !isProtected(at: now)
  }

  /// What is new ranks as if it came now. What has waited since an earlier run ranks just behind what came in that run:
  /// within one second, too, a run may follow another.
  fileprivate func waitsSince(_ now: Timestamp) -> Timestamp {
    isWaiting || queued.queuedAt < now ? min(queued.queuedAt, now) - .seconds(1) : now
  }

  /// The size that room is planned with; zero when nobody knows it.
  func expectedSize(_ desired: DesiredItem, _ downloads: DownloadPolicy) -> ByteCount {
    if case .exact(let size)? = desired.item.size { return size }
    if case .removed(let removal) = queued.state, let file = removal.file { return file.size }
    if let total = queued.state.partial?.total { return total }
    // Of what would not be fetched at that size, the size says nothing.
    guard let hint = queued.item.size?.bytes ?? desired.item.size?.bytes, hint <= downloads.maxItemSize else {
      return .zero
    }
    return hint
  }
}
