// SPDX-License-Identifier: Apache-2.0

/// Assigns a rank to every item that uses or needs space. This is the only place that decides the order of items.
///
/// An item ranks by its score. The unplayed episodes of one feed redistribute their ranks among themselves in the order
/// of `select.order`: whatever their scores, the oldest episode ranks lowest, or the last one if the feed is a story
/// told from the beginning. The episodes that are present therefore never depend on which one arrived a few seconds
/// earlier.
struct Ranking {
  private let policy: StoragePolicy
  private let downloads: DownloadPolicy
  private let now: Timestamp
  /// The ranks of unplayed feed episodes by the position of their entry.
  private var shared: [Int: Rank] = [:]
  /// For each feed, the lowest rank of a file that is too young to be evicted.
  private var firstYoung: [PlaylistName: Rank] = [:]
  /// The playlists that are stories, told from the beginning.
  private let stories: Set<PlaylistName>
  /// The playlists in which the first item counts as the newest.
  private let ordered: Set<PlaylistName>

  /// - Parameter isContested: False if there is space for all items, so that the order does not matter.
  init(_ reconciliation: Reconciliation, manifest: Manifest, isContested: Bool = true, now: Timestamp) {
    policy = manifest.storage
    downloads = manifest.downloads
    self.now = now
    let orders = Dictionary(
      reconciliation.playlists.filter(\.isListing).map { ($0.name, $0.select.order) },
      uniquingKeysWith: { first, _ in first }
    )
    ordered = Set(reconciliation.playlists.filter { $0.isListing && $0.isOrdered }.map(\.name))
    stories = Set(orders.filter { $0.value == .oldest }.keys)
    if isContested, !orders.isEmpty { shareOut(reconciliation.entries, orders) }
  }

  /// Returns nil for an item that neither uses nor needs space.
  func rank(of entry: Reconciliation.Entry, at position: Int) -> Rank? {
    shared[position] ?? ownRank(of: entry, position)
  }

  /// True if `storage.evict.min_age` protects a file: the file itself or an episode that would be evicted before it is
  /// too young. Otherwise the newest episodes would be evicted in favour of older ones that came minutes later.
  func isTooYoung(_ entry: Reconciliation.Entry, at position: Int) -> Bool {
    if isYoung(entry) { return true }
    guard let rank = shared[position], let name = entry.firstPlaylist else { return false }
    return firstYoung[name].map { rank > $0 } ?? false
  }

  private func isYoung(_ entry: Reconciliation.Entry) -> Bool {
    entry.queued.state.completedAt.map { now - $0 < policy.evict.minAge } ?? false
  }

  /// True if an entry's playlist is a story, told from the beginning.
  func isPartOfStory(_ entry: Reconciliation.Entry) -> Bool {
    entry.firstPlaylist.map(stories.contains) ?? false
  }

  // MARK: By the score

  private func ownRank(of entry: Reconciliation.Entry, _ position: Int) -> Rank? {
    if let completedAt = entry.queued.state.completedAt, let size = entry.queued.state.finishedSize {
      guard !entry.isChangedByOthers, !entry.isIgnored else { return nil }
      return rank(entry, completedAt, size)
    }
    guard let desired = entry.desired, entry.asksForRoom else { return nil }
    if case .removed(let removal) = entry.queued.state {
      // Ranks the item as its former file would rank.
      return rank(entry, removal.file?.completedAt ?? removal.at, removal.file?.size ?? .zero)
    }
    let since = entry.waitsSince(now)
    let size = entry.expectedSize(desired, downloads)
    var rank = rank(entry, since, size)
    rank.published = desired.item.published
    rank.isWaiting = since < now
    if rank.isWaiting {
      rank.turn = FetchTurn(
        downloads.order, priority: entry.priority(desired), published: desired.item.published, bytes: size,
        position: position)
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
    /// An episode without a date is older than all others. A later episode of a feed has a higher number, and so has an
    /// earlier item of a list.
    let age: (published: Int64, number: Int)
  }

  private mutating func shareOut(_ entries: [Reconciliation.Entry], _ orders: [PlaylistName: Selection.Order]) {
    var feeds: [PlaylistName: [Episode]] = [:]
    for position in entries.indices {
      guard entries[position].standsInItsFeed(policy.evict, now),
        let place = entries[position].queued.memberships.first,
        orders[place.playlist] != nil, let rank = ownRank(of: entries[position], position), !rank.isOrphan
      else { continue }
      let published = entries[position].queued.item.published?.secondsSince1970 ?? .min
      feeds[place.playlist, default: []].append(
        Episode(
          position: position, rank: rank,
          age: (published, ordered.contains(place.playlist) ? -place.position : place.position)))
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
  /// True if nobody played the item, nothing else protects it and nobody asked for it: it is one episode among others.
  fileprivate func standsInItsFeed(_ policy: StoragePolicy.Eviction, _ now: Timestamp) -> Bool {
    guard queued.plays.count == 0, !isPinned, queued.knownSince == queued.queuedAt else { return false }
    return queued.state.finishedSize == nil || !isProtected(policy, at: now)
  }

  /// A new item ranks as if it arrived now. An item waiting since an earlier run ranks one second behind the items that
  /// arrived in that run, because runs may follow each other within a second.
  fileprivate func waitsSince(_ now: Timestamp) -> Timestamp {
    isWaiting || queued.queuedAt < now ? min(queued.queuedAt, now) - .seconds(1) : now
  }
}
