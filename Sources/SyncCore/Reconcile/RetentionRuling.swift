// SPDX-License-Identifier: Apache-2.0

/// The verdict of the playlists' `retain` rules on an item.
package enum Retained: Hashable, Sendable {
  /// One of its playlists protects the item.
  case kept(PlaylistName, RetentionRule)
  /// No playlist protects the item, and all that name it drop it. Holds the first one.
  case dropped(PlaylistName, RetentionRule)
}

/// The verdicts of `retain` on all items to which a rule applies.
///
/// An item counts if it is present or selected, so the newest items do not depend on what happens to be on the disk. A
/// rule of one playlist applies only to that playlist's items. An item of several playlists is dropped only if all of
/// them drop it.
struct RetentionRuling {
  private var verdicts: [ItemID: Retained] = [:]

  subscript(id: ItemID) -> Retained? { verdicts[id] }

  /// The facts about an item that the rules use.
  fileprivate struct Member {
    var id: ItemID
    var playlists: [PlaylistName]
    var plays: PlayHistory
    var published: Timestamp?
    /// The completion time of the present or former file.
    var completedAt: Timestamp?
    /// True if a rule dropped the item before.
    var wasDropped: Bool
    /// True if its source or the manifest names the item now.
    var isNamed: Bool
    /// True if the item is neither present nor expected but still occupies a place among the newest of `at_most`:
    /// removing an item by hand does not bring an older one back.
    var isAbsent = false

    /// The date from which its age counts. For an item that was never present, its age would start now.
    func date(_ basis: RetentionPolicy.AgeBasis, now: Timestamp) -> Timestamp {
      basis.date(published: published, completedAt: completedAt ?? now)
    }
  }

  /// - Parameter isGone: Returns true if an item is absent, whatever the queue says, and will not return.
  init(
    _ desired: DesiredState, _ queue: Queue, isGone: (QueueItem) -> Bool, now: Timestamp
  ) {
    let playlists = desired.playlists
    let policies = Dictionary(
      playlists.filter(\.retain.hasRules).map { ($0.name, $0.retain) }, uniquingKeysWith: { first, _ in first })
    guard !policies.isEmpty else { return }
    let members = Self.members(
      desired, queue, playlists, ruled: Set(policies.keys), isGone: isGone)
    var named: [PlaylistName: [Member]] = [:]
    for member in members {
      for playlist in member.playlists where policies[playlist] != nil { named[playlist, default: []].append(member) }
    }
    var kept: [ItemID: Retained] = [:]
    var drops: [ItemID: [PlaylistName: RetentionRule]] = [:]
    for playlist in playlists {
      guard let policy = policies[playlist.name], let here = named[playlist.name] else { continue }
      let inTurn =
        playlist.select.order == .oldest ? here.filter(\.isNamed).reversed() + here.filter { !$0.isNamed } : here
      let (keeping, beyond) = (policy.keeping(inTurn.filter { !$0.isAbsent }, now: now), policy.beyondMost(inTurn))
      for (id, rule) in keeping where kept[id] == nil { kept[id] = .kept(playlist.name, rule) }
      for member in here {
        let rule = beyond[member.id] ?? (member.isAbsent ? nil : policy.dropping(member, now: now))
        if let rule { drops[member.id, default: [:]][playlist.name] = rule }
      }
    }
    verdicts = kept
    for member in members where kept[member.id] == nil {
      guard let rules = drops[member.id], let first = member.playlists.first, let rule = rules[first],
        member.playlists.allSatisfy({ rules[$0] != nil })
      else { continue }
      verdicts[member.id] = .dropped(first, rule)
    }
  }

  /// The items that are present or selected and that a playlist with rules names, with all playlists that name them.
  private static func members(
    _ desired: DesiredState, _ queue: Queue, _ playlists: [Playlist], ruled: Set<PlaylistName>,
    isGone: (QueueItem) -> Bool
  ) -> [Member] {
    var members: [Member] = []
    var named: Set<ItemID> = []
    for item in desired.items {
      let names = item.memberships.map(\.playlist)
      guard names.contains(where: ruled.contains) else { continue }
      named.insert(item.id)
      let known = queue[item.id]
      guard item.isSelected || known?.state.storedFile != nil else { continue }
      var member = Member(item.item, names, known, played: item.played)
      if let known { member.isAbsent = isGone(known) || known.state.storedFile == nil && !known.state.isComing }
      members.append(member)
    }
    let existing = Set(playlists.map(\.name))
    for known in queue.items where known.state.storedFile != nil && !named.contains(known.id) && !isGone(known) {
      let names = known.memberships.map { desired.renamed[$0.playlist] ?? $0.playlist }
        .filter(existing.contains)
      // An item that its mirrored source dropped is an orphan. The rules apply only to items that the source lists, or
      // may still list.
      let isTheirs =
        desired.listed.contains(known.id)
        || names.contains { desired.keepingPlaylists.contains($0) || desired.heldPlaylists.contains($0) }
      guard isTheirs, names.contains(where: ruled.contains) else { continue }
      members.append(Member(known.item, names, known, isNamed: false))
    }
    return members
  }
}

extension RetentionRuling.Member {
  fileprivate init(
    _ item: Item, _ playlists: [PlaylistName], _ known: QueueItem?, played: PlayHistory = .init(),
    isNamed: Bool = true
  ) {
    id = item.id
    self.playlists = playlists
    self.isNamed = isNamed
    plays = known?.plays ?? played
    published = item.published
    completedAt = known?.state.lastFile?.completedAt
    if case .removed(let removal)? = known?.state {
      wasDropped = removal.cause == .retention
    } else {
      wasDropped = false
    }
  }
}

extension ItemState {
  /// True if the item has no file but will be fetched sooner or later.
  fileprivate var isComing: Bool {
    switch self {
    case .queued, .downloading, .retrying, .paused, .completed: true
    case .failed(let record): record.isTriedAgain
    case .removed(let removal): removal.cause != .user
    case .cancelled: false
    }
  }

  /// The finished file that is present, or was.
  package var lastFile: StoredFile? {
    switch self {
    case .completed(let file): file
    case .removed(let removal): removal.file
    default: nil
    }
  }
}

extension RetentionPolicy {
  /// The items that a keep rule protects, with the first such rule.
  /// - Parameter items: The items, newest first among those that rank as equally new.
  fileprivate func keeping(_ items: [RetentionRuling.Member], now: Timestamp) -> [(ItemID, RetentionRule)] {
    guard keeps else { return [] }
    let newest = zip(items, ranks(items)).enumerated().sorted { a, b in
      (a.element.1, b.offset) > (b.element.1, a.offset)
    }.map(\.element.0)
    return newest.enumerated().compactMap { place, item in
      if let keepLast, place < keepLast { return (item.id, .keepLast(keepLast)) }
      return keepingAnyway(item, now: now).map { (item.id, $0) }
    }
  }

  /// The items that are not among the newest `at_most`. Always ordered by publication, whatever `age_basis` says: by
  /// completion, an item that was never present would always be the newest.
  fileprivate func beyondMost(_ items: [RetentionRuling.Member]) -> [ItemID: RetentionRule] {
    guard let atMost, items.count > atMost else { return [:] }
    let newest = items.enumerated().sorted { a, b in
      (a.element.published?.secondsSince1970 ?? .min, b.offset)
        > (b.element.published?.secondsSince1970 ?? .min, a.offset)
    }
    let beyond = newest.dropFirst(atMost).map { ($0.element.id, RetentionRule.atMost(atMost)) }
    return Dictionary(beyond, uniquingKeysWith: { first, _ in first })
  }

  /// The newness of each item. By publication, an item without a date is older than all others. By completion, an item
  /// that was never present is the newest, as it will be after its arrival; a removed item keeps its completion time.
  private func ranks(_ items: [RetentionRuling.Member]) -> [Int64] {
    if ageBasis == .published { return items.map { $0.published?.secondsSince1970 ?? .min } }
    return items.map { $0.completedAt?.secondsSince1970 ?? .max }
  }

  /// The rule that keeps an item regardless of its rank.
  fileprivate func keepingAnyway(_ item: RetentionRuling.Member, now: Timestamp) -> RetentionRule? {
    if let keepWithin, now - item.date(ageBasis, now: now) <= keepWithin { return .keepWithin(keepWithin) }
    return keepUnplayed && item.plays.count == 0 ? .keepUnplayed : nil
  }

  /// The rule that drops an item, if any.
  fileprivate func dropping(_ item: RetentionRuling.Member, now: Timestamp) -> RetentionRule? {
    // An item that was played and dropped does not return because it was played elsewhere.
    let drops = drops(item.plays, agedFrom: item.date(ageBasis, now: now))
    return drops.first { $0.at <= now || item.wasDropped && $0.isForPlays }?.rule
  }
}
