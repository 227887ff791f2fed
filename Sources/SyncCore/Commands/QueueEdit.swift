// SPDX-License-Identifier: Apache-2.0

/// A change to the queue that a person makes by command.
package enum QueueEdit: Equatable, Sendable {
  case retry
  case cancel
  case pause
  case resume
  /// Nil leaves the priority to the manifest.
  case prioritize(Priority?)
  /// Nil leaves the candidate to the rules.
  case choose(CandidateChoice?)
  case pin
  case unpin
  case played(at: Timestamp, count: Int)

  /// The reason why an edit does not apply to an item.
  package enum Refusal: Error, Equatable, Sendable {
    /// The file is present.
    case nothingToRetry
    /// The item is paused. The command for it is `resume`.
    case isPaused
    /// The item is finished. The command for it is `remove`.
    case alreadyFinished
    /// The item has its file, and only one in place of it is to come. No command holds that up.
    case isReplaced(Upgrade.Goal)
    /// The item was removed, so no run fetches it.
    case alreadyRemoved
    /// No run would fetch the item, so there is nothing to pause.
    case nothingToPause(ItemState.Name)
    case timeInFuture(Timestamp)
    case timeTooEarly(Timestamp)
  }

  /// Returns the item after the edit. Nil if the edit changes nothing.
  package func applied(to item: QueueItem, now: Timestamp) throws(Refusal) -> QueueItem? {
    var edited = item
    switch self {
    case .retry where item.hasFailedUpgrade:
      edited.requeueTransfer(Pending(partial: item.partial, isRequested: true))
    case .retry:
      guard let pending = try pendingForRetry(of: item) else { return nil }
      edited.requeue(pending)
      // The item may be waiting for room because of an outdated size. The command asks for it, so the server is asked
      // again.
      if case .queued = item.state { edited.item.size = nil }
      // In the line for room, too, it counts as wanted from now on.
      edited.lineUp(at: now)
    case .cancel:
      if case .cancelled = item.state { return nil }
      if case .removed = item.state { throw .alreadyRemoved }
      do throws(IllegalTransition) { try edited.cancel(at: now) } catch {
        throw item.replacement.map { .isReplaced($0) } ?? .alreadyFinished
      }
    case .pause:
      guard edited.pauseIfToCome() else {
        throw item.replacement.map { .isReplaced($0) } ?? .nothingToPause(item.state.name)
      }
    case .resume:
      guard case .paused(let pending) = item.state else { return nil }
      edited.requeue(pending)
    case .prioritize(let priority): edited.choose { $0.priority = priority }
    case .choose(let choice): edited.take(choice)
    case .pin: edited.pinned = true
    case .unpin: edited.pinned = false
    case .played(let at, let count):
      guard at <= now + .minutes(5) else { throw .timeInFuture(at) }
      guard at >= PlayRule.earliest else { throw .timeTooEarly(at) }
      edited.plays.importPlays(PlayVerdict(counts: true, mark: .finished), at: at, plays: count)
    }
    guard edited != item else { return nil }
    edited.updatedAt = now
    return edited
  }

  private func pendingForRetry(of item: QueueItem) throws(Refusal) -> Pending? {
    switch item.state {
    case .failed(let record): return Pending(partial: record.partial, isRequested: true)
    case .cancelled, .removed: return Pending(isRequested: true)
    case .queued(let pending) where pending.nextAttemptAt != nil || pending.isDeferred || item.item.size != nil:
      return Pending(partial: pending.partial, isRequested: true)
    // The item is already waiting.
    case .queued, .downloading, .retrying: return nil
    case .paused: throw .isPaused
    case .completed: throw .nothingToRetry
    }
  }
}

extension QueueItem {
  /// Chooses a candidate. An item that failed with another one is tried again.
  fileprivate mutating func take(_ chosen: CandidateChoice?) {
    if let chosen, let file = state.storedFile, file.candidate > 0, file.candidate == chosen.number - 1 {
      keepOrigin(chosen.url)
    }
    let before = choice?.candidate
    choose { $0.candidate = chosen?.candidate }
    guard before != chosen?.candidate else { return }
    if case .failed(let record) = state { requeue(Pending(partial: record.partial, isRequested: true)) }
    if case .failed? = upgrade?.state { upgrade = nil }
  }

  /// The file that is to come in place of the present one, as far as the queue tells.
  fileprivate var replacement: Upgrade.Goal? {
    guard let file = state.storedFile else { return nil }
    if let chosen = choice?.candidate, !chosen.isSource(of: file, item) { return .candidate(chosen) }
    return upgrade?.goal == .protection ? nil : upgrade?.goal
  }

  /// True if its file of another quality could not be fetched.
  package var hasFailedUpgrade: Bool { upgradeFailure != nil }
}

/// A candidate as a person chooses it.
package struct CandidateChoice: Hashable, Sendable {
  package enum Problem: Error, Hashable, Sendable {
    /// The item has only this many candidates.
    case absent(count: Int)
    /// A search finds another file at every time.
    case search
  }

  package var candidate: ChosenCandidate
  package var url: RemoteURL
  /// The number at the time, in the order of trial. The file of a finished item remembers such a number.
  package var number: Int

  /// - Parameter item: The item as the manifest or its source declares it.
  package init(_ number: Int, of item: Item, _ policy: AlternativePolicy) throws(Problem) {
    let numbered = policy.numbered(of: item)
    guard numbered.indices.contains(number - 1) else { throw .absent(count: numbered.count) }
    let chosen = numbered[number - 1]
    guard !chosen.url.isSearch || chosen == item.main else { throw .search }
    (candidate, url, self.number) = (ChosenCandidate(chosen, of: item), chosen.url, number)
  }
}

/// Finds the item that a person names.
package enum ItemSelector {
  package enum Problem: Error, Equatable, Sendable {
    case unknown(String, nearest: ItemID?)
    case ambiguous(String, [ItemID])
  }

  /// Returns the item with that id, otherwise the only one whose id begins with the text, otherwise the only one with
  /// that title (ignoring case).
  package static func find(_ text: String, in queue: Queue) throws(Problem) -> QueueItem {
    if let id = ItemID(text), let item = queue[id] { return item }
    let folded = text.lowercased()
    for matches in [
      queue.items.filter { $0.id.text.hasPrefix(text) }, queue.items.filter { $0.item.title.lowercased() == folded },
    ] where !matches.isEmpty && !text.isEmpty {
      guard matches.count == 1 else { throw .ambiguous(text, matches.prefix(5).map(\.id)) }
      return matches[0]
    }
    let near = queue.items.first { item in
      item.id.text.lowercased().contains(folded) || item.item.title.lowercased().contains(folded)
    }
    throw .unknown(text, nearest: text.isEmpty ? nil : near?.id)
  }
}
