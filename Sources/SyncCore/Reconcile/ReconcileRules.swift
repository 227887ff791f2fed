// SPDX-License-Identifier: Apache-2.0

extension Reconciliation {
  /// The decision for one item.
  struct Rules {
    let storage: StoragePolicy
    let seen: LibraryObservation
    let retention: RetentionBook
    let now: Timestamp

    // MARK: Named by the manifest

    func entry(for desired: DesiredItem, known: QueueItem?) -> Entry {
      let queued = refreshed(known, by: desired)
      var entry = Entry(
        queued: queued, desired: desired, need: .rest, isOrphan: false, retained: retention[queued.id],
        unselected: desired.unselected)
      entry.isWaiting = known?.state.isWaiting ?? false
      switch queued.state {
      case .queued(let pending): decideQueued(&entry, pending, desired)
      case .failed(let record): decideFailed(&entry, record, desired, known: known)
      case .completed(let file): decideCompleted(&entry, file, desired)
      case .removed(let removal): decideRemoved(&entry, removal, desired)
      case .cancelled: entry.need = .stand(.cancelled)
      case .downloading, .retrying, .paused: preconditionFailure("recovered states do not run")
      }
      return entry
    }

    /// Outside the run's scope: nothing is done for it, nothing is written about it.
    func untouched(_ desired: DesiredItem, known: QueueItem?) -> Entry {
      let queued = known ?? refreshed(nil, by: desired)
      var need = Need.rest
      if let file = queued.state.storedFile {
        switch seen.finished[queued.id] ?? .missing {
        case .file(file.size): need = .keep(.present)
        case .file, .foreign: need = .keep(.changedByOthers)
        // Lost, which a run that is about it will say.
        case .missing: need = .rest
        }
      }
      return Entry(
        queued: queued, desired: desired, need: need, isOrphan: false, retained: retention[queued.id],
        unselected: desired.unselected, isInScope: false)
    }

    /// Whether it is worth fetching. What would go again as soon as it was here is not, and says so.
    private func isWanted(_ entry: inout Entry) -> Bool {
      if entry.unselected == nil, let (_, rule) = dropping(entry) { entry.unselected = .wouldBeDropped(rule) }
      return entry.unselected == nil
    }

    /// The rule that lets it go, unless something stronger holds it: pinned, in progress, a keep rule, in this order.
    private func dropping(_ entry: Entry) -> (PlaylistName, RetentionRule)? {
      guard !entry.isPinned, !entry.queued.plays.isInProgress(at: now) else { return nil }
      if case .dropped(let playlist, let rule)? = entry.retained { return (playlist, rule) }
      return nil
    }

    private func decideQueued(_ entry: inout Entry, _ pending: Pending, _ desired: DesiredItem) {
      guard isWanted(&entry) else { return }
      if let adoptable = seen.adoptable[entry.queued.id] {
        entry.need = .adopt(adoptable, .sameContent(adoptable.proof))
      } else if let until = pending.nextAttemptAt, until > now {
        entry.need = .wait(until: until)
      } else if let partial = pending.partial, partial.received > .zero {
        entry.need = .fetch(.partialKept(partial.received))
      } else {
        entry.need = .fetch(pending.isRequested ? .requested : pending.lastError == nil ? .new : .failedBefore)
      }
    }

    private func decideFailed(
      _ entry: inout Entry, _ record: FailureRecord, _ desired: DesiredItem, known: QueueItem?
    ) {
      guard isWanted(&entry) else { return }
      let isRedeclared = known.map { $0.item.places != desired.item.places } ?? true
      guard record.isTemporary || isRedeclared else {
        entry.need = .stand(.failedForGood(record.error))
        return
      }
      let pending = Pending(
        partial: record.partial, nextAttemptAt: isRedeclared ? nil : record.nextAttemptAt, lastError: record.error)
      entry.queued.state = .queued(pending)
      decideQueued(&entry, pending, desired)
    }

    private func decideCompleted(_ entry: inout Entry, _ file: StoredFile, _ desired: DesiredItem) {
      switch seen.finished[entry.queued.id] ?? .missing {
      case .file(file.size):
        entry.need = .keep(desired.isSelected ? .present : .notSelectedAnymore)
        if let (playlist, rule) = dropping(entry) { entry.need = .remove(.droppedByRetention(playlist, rule)) }
      case .file, .foreign: entry.need = .keep(.changedByOthers)
      case .missing:
        let removal = Removal(cause: .lost, at: now, file: file)
        entry.queued.state = .removed(removal)
        decideRemoved(&entry, removal, desired)
      }
    }

    private func decideRemoved(_ entry: inout Entry, _ removal: Removal, _ desired: DesiredItem) {
      let adoptable = seen.adoptable[entry.queued.id]
      // Its very file is back, wanted or not: left alone it would be nobody's.
      guard isWanted(&entry) || adoptable?.proof == .recordedHash else { return }
      if let adoptable {
        entry.need = .adopt(adoptable, .sameContent(adoptable.proof))
        return
      }
      switch removal.cause {
      case .user: entry.need = .stand(.removedByUser)
      case .lost where storage.onMissing == .skip: entry.need = .stand(.missingAndSkipped)
      case .lost: requeue(&entry, .lost, after: removal)
      case .orphan, .retention, .expired: requeue(&entry, .wantedAgain, after: removal)
      case .evicted:
        let played = entry.queued.plays.lastPlayedAt.map { $0 > removal.at } ?? false
        if played {
          requeue(&entry, .playedSinceEviction, after: removal)
        } else if desired.isPinned || entry.queued.pinned {
          requeue(&entry, .wantedAgain, after: removal)
        } else {
          let until = removal.at + Self.absence
          entry.need = until > now ? .away(until: until) : .returning
        }
      }
    }

    /// What was evicted stays away so long, whatever room there is: what comes and goes every other day is no use to anybody.
    private static let absence = Duration.days(7)

    private func requeue(_ entry: inout Entry, _ reason: Reason, after removal: Removal) {
      entry.queued.become(.queued(Pending()))
      // Room is planned with what the file was when nothing better is declared.
      if entry.desired?.item.size != nil { entry.queued.item.size = nil }
      // In the line for room: what was lost stands where its file stood, what is wanted again is new.
      entry.queued.lineUp(at: reason == .lost ? removal.file?.completedAt ?? entry.queued.queuedAt : now)
      entry.need = .fetch(reason)
    }

    /// What the queue says of the item once the declaration is taken over. A finished file keeps the URL it came from.
    private func refreshed(_ known: QueueItem?, by desired: DesiredItem) -> QueueItem {
      guard var queued = known else {
        return QueueItem(
          item: desired.item.remembered, memberships: desired.memberships, matchedBy: desired.matchedBy,
          plays: desired.heard, queuedAt: now)
      }
      var item = desired.item
      if queued.state.storedFile != nil {
        item.main = queued.item.main
        item.alternatives = queued.item.alternatives
      }
      var remembered = item.remembered
      // What is known of its size is true of the places that it was to be had at.
      if case .about? = queued.item.size, queued.item.places == item.places { remembered.size = queued.item.size }
      // Of a million items nearly all say what they said before, and share it.
      if queued.item != remembered { queued.item = remembered }
      queued.memberships = desired.memberships
      queued.matchedBy = desired.matchedBy ?? queued.matchedBy
      return queued
    }

    // MARK: Not named any more

    /// Nil when the queue may forget the item.
    func entry(forUnnamed known: QueueItem, affiliation: Affiliation, inScope: Bool) -> Entry? {
      let isHeld = affiliation.isHeld(known) || !inScope
      var entry = Entry(
        queued: known, desired: nil, need: .rest, isOrphan: false, retained: retention[known.id], isInScope: inScope)
      switch known.state {
      case .completed(let file):
        entry.isOrphan = !isHeld && !affiliation.isKept(known)
        decideUnnamed(&entry, file, isHeld: isHeld)
      case .removed:
        // Back in its place, with its recorded hash: it is the item's again.
        if inScope, let adoptable = seen.adoptable[known.id] {
          entry.need = .adopt(adoptable, .sameContent(adoptable.proof))
        }
      case .queued, .failed, .cancelled:
        guard isHeld else { return nil }
      case .downloading, .retrying, .paused: preconditionFailure("recovered states do not run")
      }
      return entry
    }

    private func decideUnnamed(_ entry: inout Entry, _ file: StoredFile, isHeld: Bool) {
      switch seen.finished[entry.queued.id] ?? .missing {
      case .file(file.size): break
      case .file, .foreign:
        entry.need = .keep(.changedByOthers)
        return
      case .missing:
        entry.queued.state = .removed(Removal(cause: .lost, at: now, file: file))
        return
      }
      guard entry.isOrphan, !entry.queued.pinned else {
        // Whether a source that was not read whole still lists it, nobody knows.
        entry.need = .keep(isHeld ? .present : entry.isOrphan ? .orphanKept : .noLongerInSource)
        entry.isOrphan = false
        if entry.isInScope, let (playlist, rule) = dropping(entry) {
          entry.need = .remove(.droppedByRetention(playlist, rule))
        }
        return
      }
      guard !entry.queued.plays.isInProgress(at: now) else {
        (entry.need, entry.isOrphan) = (.keep(.inProgress), false)
        return
      }
      entry.need = storage.orphans == .remove ? .remove(.leftManifest) : .keep(.orphanKept)
    }
  }
}

extension ItemState {
  fileprivate var isWaiting: Bool {
    switch self {
    case .queued, .failed: true
    default: false
    }
  }
}

extension Item {
  /// Where it can be had: what makes another try worth while when it changes.
  fileprivate var places: [String] { ([main] + alternatives).map(\.url.identity) }

  /// The declaration as far as the queue file keeps it: size, checksum and pin are the manifest's affair at every run.
  var remembered: Item {
    var item = self
    item.size = nil
    item.checksum = nil
    item.pin = nil
    item.duration = duration.map { .milliseconds(($0.inSeconds * 1000).rounded()) }
    for index in item.alternatives.indices {
      let duration = item.alternatives[index].duration
      item.alternatives[index].duration = duration.map { .milliseconds(($0.inSeconds * 1000).rounded()) }
    }
    return item
  }
}
