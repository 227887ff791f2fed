// SPDX-License-Identifier: Apache-2.0

/// Everything that determines the treatment of one item, as a run would see it now.
package struct Explanation: Equatable, Sendable {
  /// The item's position among the files that may be evicted.
  package struct Rank: Hashable, Sendable {
    /// The position, counted from 1. The first file is evicted first.
    package var place: Int
    package var count: Int
    /// The bytes that evicting the files before it would free.
    package var before: ByteCount
  }

  /// The action of a run on the item.
  package enum Verdict: Equatable, Sendable {
    case step(Step.Action, Reason)
    case passedOver(Unselected)
    case left(SkipReason)
    /// The run does nothing: the item is a tombstone or outside the scope.
    case nothing
  }

  /// The item as a run would record it.
  package var item: QueueItem
  /// The item as recorded in the queue. Nil if the queue does not know it yet.
  package var known: QueueItem?
  package var isNamed: Bool
  package var isFromSource: Bool
  /// The kind of the source of the playlist that names it first. Nil for none.
  package var sourceKind: SourceKind?
  package var isOrphan: Bool
  package var verdict: Verdict
  /// If set, no action of the plan would be carried out.
  package var safetyStop: SafetyStop?
  package var unselected: Unselected?
  package var retained: Retained?
  /// The times at which its playlists will drop it, as far as their rules can tell now.
  package var drops: [Drop] = []
  /// The protections of its file against eviction, the strongest first.
  package var protections: [EvictionProtection]
  package var score: ScoreDetail?
  package var rank: Rank?
  package var storage: StorageForecast
  package var marks: (trigger: ByteCount, target: ByteCount)? {
    storage.budget.map { ($0 * eviction.trigger, $0 * eviction.target) }
  }
  package var share: RoomPlanner.Account?
  package var candidates: [RankedCandidate]
  package var refused: [Refused]
  /// The number by which `choose` knows each candidate.
  private var numbers: [String: Int]
  /// True if the only candidate is the one that a person chose.
  package private(set) var isChosen = false
  /// True if a person chose a candidate that the item does not have any more.
  package private(set) var isChoiceGone = false
  /// Nil unless the item is declared in several qualities.
  package var quality: QualityNote?
  /// The URL of the candidate that the present file came from. Nil if the order of trial does not tell.
  package var source: RemoteURL?
  private var eviction: StoragePolicy.Eviction

  /// A drop rule that will apply to a present file.
  package struct Drop: Hashable, Sendable {
    package var playlist: PlaylistName
    package var rule: RetentionRule
    package var at: Timestamp
  }

  /// The quality of the present file and the one with which it is compared.
  package struct QualityNote: Equatable, Sendable {
    package var here: Quality?
    package var wanted: Quality
    package var verdict: QualityVerdict

    package init(here: Quality?, wanted: Quality, verdict: QualityVerdict) {
      (self.here, self.wanted, self.verdict) = (here, wanted, verdict)
    }
  }

  package struct Refused: Equatable, Sendable {
    package var candidate: Candidate
    package var why: CandidateRefusal
  }

  /// The number by which `choose` knows the candidate.
  package func number(of candidate: Candidate) -> Int? { numbers[candidate.url.identity] }

  private mutating func choose(_ chosen: ChosenCandidate, of item: Item, _ policy: AlternativePolicy) {
    guard let candidate = chosen.candidate(of: item) else {
      isChoiceGone = true
      return
    }
    isChosen = true
    candidates = policy.order(of: item, chosen: chosen)
    refused = ([item.main] + item.alternatives).filter { $0 != candidate }.map {
      Refused(candidate: $0, why: .notChosen)
    }
  }

  /// True if the present file came from this candidate. Signatures and counters that the server has since added to the
  /// URL do not matter.
  package func isSource(_ candidate: Candidate) -> Bool {
    source.map { $0.identity == candidate.url.identity } ?? false
  }

  /// The quality for which `source` is declared. Nil if it is declared for none.
  package var sourceQuality: Quality?

  /// True if the present file came from a URL that the item no longer has.
  package var isSourceGone: Bool {
    source != nil && !candidates.contains { isSource($0.candidate) } && !refused.contains { isSource($0.candidate) }
  }

  /// Returns nil if the run does not know the item.
  package init?(
    _ id: ItemID, in reconciliation: Reconciliation, _ plan: Plan, known: QueueItem?, manifest: Manifest, now: Timestamp
  ) {
    guard let entry = reconciliation.entries.first(where: { $0.queued.id == id }) else { return nil }
    item = entry.queued
    self.known = known
    safetyStop = plan.safetyStop
    isNamed = entry.desired != nil
    isFromSource = entry.desired?.isFromSource ?? false
    // The playlists of a server or of OPML are named after the one that lists them.
    let declaredName = entry.queued.memberships.first?.playlist.text.prefix { $0 != "/" }
    sourceKind = manifest.playlists.first { $0.name.text == declaredName.map(String.init) }?.source.kind
    isOrphan = entry.isOrphan
    unselected = entry.unselected
    retained = entry.retained
    eviction = manifest.storage.evict
    storage = plan.storage
    share = plan.shares.first { $0.playlist == entry.queued.memberships.first?.playlist }
    verdict = Verdict(plan.steps.first { $0.id == id && !$0.isPush })
    protections = entry.protections(manifest.storage.evict, at: now)
    let declared = entry.desired?.item ?? entry.queued.item
    numbers = Dictionary(
      manifest.alternatives.numbered(of: declared).enumerated().map { ($1.url.identity, $0 + 1) },
      uniquingKeysWith: { first, _ in first })
    candidates = manifest.alternatives.order(of: declared)
    refused = manifest.alternatives.refused(of: declared).map { Refused(candidate: $0.candidate, why: $0.why) }
    if !manifest.features.alternatives {
      candidates = Array(candidates.prefix(1))
      refused = declared.alternatives.map { Refused(candidate: $0, why: .switchedOff) }
    }
    if entry.quality.keepsPartial {
      candidates = Array(candidates.prefix(1))
      refused = declared.alternatives.map { Refused(candidate: $0, why: .qualityUnknown) }
    }
    if let chosen = entry.queued.choice?.candidate {
      choose(chosen, of: declared, manifest.alternatives)
    }
    quality = declared.urls.map {
      QualityNote(here: entry.queued.state.storedFile?.quality, wanted: $0.wanted, verdict: entry.quality)
    }
    guard let file = entry.queued.state.storedFile else { return }
    source = Self.source(of: file, entry.queued.item)
    sourceQuality = source.flatMap { declared.urls?.quality(of: $0) }
    drops = reconciliation.playlists.compactMap { playlist in
      guard entry.queued.memberships.contains(where: { $0.playlist == playlist.name }),
        let drop = playlist.retain.drops(
          entry.queued.plays,
          agedFrom: playlist.retain.ageBasis.date(published: declared.published, completedAt: file.completedAt)
        ).min(by: { $0.at < $1.at }), drop.at > now
      else { return nil }
      return Drop(playlist: playlist.name, rule: drop.rule, at: drop.at)
    }
    score = manifest.storage.evict.score.detail(
      of: ScoreTerms(plays: entry.queued.plays, completedAt: file.completedAt), at: now)
    if protections.isEmpty { rank = Self.rank(of: id, among: reconciliation, manifest, now: now) }
  }

  /// The URL that the file came from. Nil if the item has several alternatives: the queue file does not record the
  /// order of trial, and duration, title or policy may have changed since.
  private static func source(of file: StoredFile, _ item: Item) -> RemoteURL? {
    if let origin = file.origin { return origin }
    if file.candidate == 0 { return item.main.url }
    return item.alternatives.count == 1 ? item.alternatives.first?.url : nil
  }

  private static func rank(
    of id: ItemID, among reconciliation: Reconciliation, _ manifest: Manifest, now: Timestamp
  ) -> Rank? {
    let ranking = Ranking(reconciliation, manifest: manifest, now: now)
    var files: [Evictable] = []
    for (position, entry) in reconciliation.entries.enumerated() {
      guard let size = entry.queued.state.finishedSize, !entry.isToGo,
        entry.protection(manifest.storage.evict, at: now) == nil,
        let rank = ranking.rank(of: entry, at: position)
      else { continue }
      files.append(Evictable(id: entry.queued.id, position: position, size: size, rank: rank))
    }
    guard let own = files.first(where: { $0.id == id }) else { return nil }
    let before = files.filter { $0.goesBefore(own) }
    return Rank(place: before.count + 1, count: files.count, before: before.map(\.size).sum())
  }
}

extension Explanation.Verdict {
  /// - Parameter step: Nil if the plan has none for the item.
  fileprivate init(_ step: Step?) {
    if case .ignore(let item)? = step {
      self = .passedOver(item.reason)
    } else if let skipped = step?.skipped {
      self = .left(skipped.reason)
    } else if let action = step?.action, let reason = step?.reason {
      self = .step(action, reason)
    } else {
      self = .nothing
    }
  }
}
