// SPDX-License-Identifier: Apache-2.0

extension Reconciliation {
  /// Decides about a single item.
  struct Rules: Sendable {
    let storage: StoragePolicy
    let seen: LibraryObservation
    let inputs: TransferInputs?
    let retention: RetentionRuling
    let licenses: LicenseTerms?
    let now: Timestamp

    // MARK: Named by the manifest

    func entry(for desired: Boxed<DesiredItem>, known: Boxed<QueueItem>?) -> Entry {
      var entry = entry(of: desired, known)
      if let file = seen.retagged[entry.queued.id] { entry.queued.complete(file) }
      entry.isWaiting = known.map { $0.wrappedValue.state.isWaiting } ?? false
      if let size = entry.queued.state.finishedSize {
        decideCompleted(&entry, size, isSelected: desired.wrappedValue.isSelected)
        judgeLicense(&entry)
        judgeQuality(&entry)
      } else {
        decideAbsent(&entry, desired, known)
      }
      return entry
    }

    private func decideAbsent(_ entry: inout Entry, _ desired: Boxed<DesiredItem>, _ known: Boxed<QueueItem>?) {
      switch entry.queued.state {
      case .queued(let pending): decideQueued(&entry, pending)
      case .failed(let record):
        decideFailed(&entry, record, desired.wrappedValue, before: known?.wrappedValue.item)
      case .removed(let removal): decideRemoved(&entry, removal)
      case .cancelled: entry.need = .skip(.cancelled)
      case .paused:
        guard !isHere(&entry), isWanted(&entry) else { return }
        entry.need = .skip(.paused)
      case .completed: break
      case .downloading, .retrying: preconditionFailure("recovered states do not run")
      }
    }

    /// The entry of an item outside the run's scope. Nothing is done for it or recorded about it.
    func untouched(_ desired: Boxed<DesiredItem>, known: Boxed<QueueItem>?) -> Entry {
      let queued = known ?? refreshed(nil, by: desired.wrappedValue)
      var entry = Entry(queued, desired, retained: retention[queued.wrappedValue.id], isInScope: false)
      if let file = entry.queued.state.storedFile {
        switch finding(entry) {
        case .file(file.size): entry.need = .keep(.present)
        case .file where seen.retagged[entry.queued.id] != nil: entry.need = .keep(.present)
        case .file, .foreign: entry.need = .keep(.changedByOthers)
        case .unreachable: entry.need = .keep(.unreachable)
        // The file is lost. A run with this item in its scope will report that.
        case .missing: break
        }
      }
      return entry
    }

    private func finding(_ entry: Entry) -> LibraryObservation.Finding {
      seen.finished[entry.queued.id, guess: entry.$desired.flatMap { $0.wrappedValue.queueIndex }] ?? .missing
    }

    private func entry(of desired: Boxed<DesiredItem>, _ known: Boxed<QueueItem>?) -> Entry {
      let queued = refreshed(known, by: desired.wrappedValue)
      return Entry(queued, desired, retained: retention[queued.wrappedValue.id])
    }

    /// True if the item is worth fetching. An item that a rule would remove as soon as it was present is marked as
    /// unselected.
    private func isWanted(_ entry: inout Entry) -> Bool {
      if entry.unselected == nil, let (_, rule) = dropping(entry) { entry.unselected = .wouldBeDropped(rule) }
      return entry.unselected == nil
    }

    /// The rule that drops the item. Nil if something stronger holds it: a pin, playback in progress or a keep rule, in
    /// this order.
    private func dropping(_ entry: Entry) -> (PlaylistName, RetentionRule)? {
      guard !entry.isPinned, !entry.queued.plays.isInProgress(at: now) else { return nil }
      if case .dropped(let playlist, let rule)? = entry.retained { return (playlist, rule) }
      return nil
    }

    private func decideQueued(_ entry: inout Entry, _ pending: Pending) {
      guard !isHere(&entry), isWanted(&entry) else { return }
      if let until = pending.nextAttemptAt, until > now {
        entry.need = .wait(until: until)
      } else if let partial = pending.partial, partial.received > .zero {
        entry.need = .fetch(.partialKept(partial.received))
      } else {
        entry.need = .fetch(pending.isRequested ? .requested : pending.lastError == nil ? .new : .failedBefore)
      }
    }

    /// A failure depends on its inputs. Once one of them has changed, the failure no longer counts.
    private func decideFailed(
      _ entry: inout Entry, _ record: FailureRecord, _ desired: DesiredItem, before: Item?
    ) {
      guard !isHere(&entry), isWanted(&entry) else { return }
      let isRedeclared = isRedeclared(record, desired, before: before)
      guard record.isTriedAgain || isRedeclared else {
        entry.need = .skip(.failedForGood(record.error))
        return
      }
      let pending = Pending(
        partial: record.partial, nextAttemptAt: isRedeclared ? nil : record.nextAttemptAt,
        lastError: isRedeclared ? nil : record.error)
      entry.queued.requeue(pending)
      decideQueued(&entry, pending)
      if isRedeclared, entry.need == .fetch(.new) { entry.need = .fetch(.inputsChanged) }
    }

    private func isRedeclared(_ record: FailureRecord, _ desired: DesiredItem, before: Item?) -> Bool {
      if let inputs, let mark = record.inputs {
        let now = inputs.mark(
          of: desired.item, in: desired.memberships.map(\.playlist), isFromSource: desired.isFromSource)
        return mark.differs(from: now, in: record.error.kind)
      }
      return before.map { $0.places != desired.item.places } ?? true
    }

    private func decideCompleted(_ entry: inout Entry, _ size: ByteCount, isSelected: Bool) {
      switch finding(entry) {
      case .file(size):
        entry.need = .keep(isSelected ? .present : .notSelectedAnymore)
        if let (playlist, rule) = dropping(entry) { entry.need = .remove(.droppedByRetention(playlist, rule)) }
      case .file, .foreign: entry.need = .keep(.changedByOthers)
      case .unreachable: entry.need = .keep(.unreachable)
      case .missing where seen.strayed[entry.queued.id] != nil: findAgain(&entry, isSelected: isSelected)
      case .missing:
        let removal = Removal(cause: .lost, at: now, file: entry.queued.state.storedFile)
        entry.queued.remove(removal)
        let isElsewhere = isElsewhere(&entry)
        decideRemoved(&entry, removal)
        // The size of the lost file says nothing about the file at another URL.
        if isElsewhere, entry.queued.state.name == .queued { entry.queued.item.size = nil }
      }
    }

    /// The file is in the library under another name. It is treated as if it were in its place.
    private func findAgain(_ entry: inout Entry, isSelected: Bool) {
      guard let file = seen.strayed[entry.queued.id] else { return }
      entry.queued.complete(file)
      entry.need = .keep(isSelected ? .present : .notSelectedAnymore)
      if let (playlist, rule) = dropping(entry) { entry.need = .remove(.droppedByRetention(playlist, rule)) }
    }

    /// Takes a file that is in the library for an item without one. The item's own file is taken even if the item is not
    /// selected, because otherwise the file would belong to no item.
    /// - Returns: True if there is such a file.
    private func isHere(_ entry: inout Entry) -> Bool {
      if seen.strayed[entry.queued.id] != nil {
        findAgain(&entry, isSelected: entry.unselected == nil)
        return true
      }
      guard let adoptable = seen.adoptable[entry.queued.id], isWanted(&entry) || adoptable.proof == .recordedHash
      else { return false }
      if case .failed(let record) = entry.queued.state {
        entry.queued.requeue(Pending(partial: record.partial))
      }
      entry.need = .adopt(ofKnownQuality(adoptable, entry), .sameContent(adoptable.proof))
      return true
    }

    private func decideRemoved(_ entry: inout Entry, _ removal: Removal) {
      guard !isHere(&entry), isWanted(&entry) else { return }
      switch removal.cause {
      case .user: entry.need = .skip(.removedByUser)
      case .lost where storage.onMissing == .skip: entry.need = .skip(.missingAndSkipped)
      case .lost: requeue(&entry, .lost, after: removal)
      case .orphan, .retention: requeue(&entry, .wantedAgain, after: removal)
      case .expired:
        guard isLicensed(entry) else {
          entry.need = .skip(.notLicensed)
          return
        }
        requeue(&entry, entry.queued.license == nil ? .wantedAgain : .licenseRenewed, after: removal)
      case .evicted:
        let played = entry.queued.plays.lastPlayedAt.map { $0 > removal.at } ?? false
        if played {
          requeue(&entry, .playedSinceEviction, after: removal)
        } else if entry.isPinned {
          requeue(&entry, .wantedAgain, after: removal)
        } else {
          let until = removal.at + Removal.absence
          entry.need = until > now ? .coolDown(until: until) : .returning
        }
      }
    }

    /// Gives an item without a file the URLs that are declared now.
    /// - Returns: True if they are other than those that the file came from.
    private func isElsewhere(_ entry: inout Entry) -> Bool {
      guard let declared = entry.desired?.item.remembered, declared.places != entry.queued.item.places else {
        return false
      }
      (entry.queued.item.main, entry.queued.item.alternatives) = (declared.main, declared.alternatives)
      return true
    }

    private func requeue(_ entry: inout Entry, _ reason: Reason, after removal: Removal) {
      entry.queued.requeue()
      // Without a declared size, room is planned with the size of the former file.
      if entry.desired?.item.size != nil { entry.queued.item.size = nil }
      // In the line for room, a lost item takes the place of its file. An item that is wanted again counts as new.
      entry.queued.lineUp(at: reason == .lost ? removal.file?.completedAt ?? entry.queued.queuedAt : now)
      entry.need = .fetch(reason)
    }

    /// The queue's record of the item, updated from the declaration. A finished item keeps its URL unless a source moved
    /// it elsewhere. The new URL is remembered so that the item is recognised by it, and causes no transfer.
    private func refreshed(_ known: Boxed<QueueItem>?, by desired: DesiredItem) -> Boxed<QueueItem> {
      guard let known else {
        return Boxed(
          QueueItem(
            item: desired.item.remembered, memberships: desired.memberships, matchedBy: desired.matchedBy,
            plays: desired.played, queuedAt: now
          ).declared(desired.license, licenses))
      }
      // Nearly all of a million items are unchanged, so they share their record.
      return known.wrappedValue.says(desired, licenses) ? known : Boxed(renewed(known.wrappedValue, by: desired))
    }

    private func renewed(_ known: QueueItem, by desired: DesiredItem) -> QueueItem {
      var queued = known
      var item = desired.item.remembered
      if queued.state.name == .completed {
        if queued.isMoved(by: desired) { queued.keepOrigin() } else { item.main = queued.item.main }
        item.alternatives = queued.item.alternatives
      }
      // A recorded size holds only for the URLs at which it was found.
      if case .about? = queued.item.size, queued.item.places == item.places { item.size = queued.item.size }
      queued.item = item
      queued.memberships = desired.memberships
      queued.matchedBy = desired.matchedBy ?? queued.matchedBy
      return queued.declared(desired.license, licenses)
    }

    // MARK: Not named any more

    /// Returns nil if the queue may drop the item.
    func entry(forUnnamed known: Boxed<QueueItem>, affiliation: Affiliation, inScope: Bool) -> Entry? {
      let isHeld = affiliation.isHeld(known.wrappedValue) || !inScope
      var entry = Entry(known, nil, retained: retention[known.wrappedValue.id], isInScope: inScope)
      let known = known.wrappedValue
      if inScope { drop(&entry) }
      switch known.state {
      case .completed(let file):
        entry.isOrphan = !isHeld && !affiliation.isKept(known)
        decideUnnamed(&entry, file, isHeld: isHeld)
        judgeLicense(&entry)
      // A file that is back with its recorded hash belongs to the item again.
      case .removed:
        if inScope { takeBack(&entry) }
      case .queued, .paused, .failed, .cancelled:
        guard !inScope || !takeBack(&entry), !isHeld else { return entry }
        return entry.tombstone(at: now)
      case .downloading, .retrying: preconditionFailure("recovered states do not run")
      }
      return entry
    }

    /// Takes the file of an item that no playlist names, where it is.
    /// - Returns: True if it is in the library.
    @discardableResult
    private func takeBack(_ entry: inout Entry) -> Bool {
      if let strayed = seen.strayed[entry.queued.id] {
        entry.need = .adopt(Adoptable(file: strayed, proof: .recordedHash), .sameContent(.recordedHash))
      } else if let adoptable = seen.adoptable[entry.queued.id] {
        entry.need = .adopt(adoptable, .sameContent(adoptable.proof))
      } else {
        return false
      }
      return true
    }

    private func decideUnnamed(_ entry: inout Entry, _ file: StoredFile, isHeld: Bool) {
      var file = file
      if let retagged = seen.retagged[entry.queued.id] {
        entry.queued.complete(retagged)
        file = retagged
      }
      switch finding(entry) {
      case .file(file.size): break
      case .file, .foreign:
        entry.need = .keep(.changedByOthers)
        return
      case .unreachable:
        entry.need = .keep(.unreachable)
        return
      case .missing:
        guard let strayed = seen.strayed[entry.queued.id] else {
          entry.queued.remove(Removal(cause: .lost, at: now, file: file))
          return
        }
        // Nothing declares its place any more, so it stays where it was put.
        entry.queued.complete(strayed)
      }
      guard entry.isOrphan, !entry.queued.pinned else {
        // If the source was not read whole, nobody knows if it still lists the item.
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
  /// The URLs of the item. If they change, another attempt is worthwhile.
  fileprivate var places: [String] { ([main] + alternatives).map(\.url.identity) }

  /// The part of the declaration that the queue file records. Every run takes size, checksum and pin from the manifest.
  var remembered: Item {
    var item = self
    item.size = nil
    item.checksum = nil
    item.mediaType = nil
    item.pin = nil
    item.urls = nil
    item.license = nil
    item.details = nil
    item.duration = duration?.remembered
    for index in item.alternatives.indices {
      item.alternatives[index].duration = item.alternatives[index].duration?.remembered
    }
    return item
  }

  /// True if this is `declared.remembered`, apart from the URLs.
  fileprivate func isRemembered(of declared: Item) -> Bool {
    id == declared.id && title == declared.title && artist == declared.artist && album == declared.album
      && duration == declared.duration?.remembered && published == declared.published
      && recordings == declared.recordings
      && priority == declared.priority && size == nil && checksum == nil && pin == nil && $urls == nil
      && $details == nil
  }

  fileprivate func hasPlaces(of declared: Item) -> Bool {
    main == declared.main && alternatives.count == declared.alternatives.count
      && zip(alternatives, declared.alternatives).allSatisfy { remembered, declared in
        remembered.url == declared.url && remembered.title == declared.title
          && remembered.duration == declared.duration?.remembered
      }
  }
}

extension QueueItem {
  /// True if the declaration has nothing new. Does not build the record of the declaration.
  fileprivate func says(_ desired: DesiredItem, _ licenses: LicenseTerms?) -> Bool {
    item.isRemembered(of: desired.item)
      && (state.name == .completed ? !isMoved(by: desired) : item.hasPlaces(of: desired.item))
      && memberships == desired.memberships && (desired.matchedBy == nil || desired.matchedBy == matchedBy)
      && (licenses == nil || ($license == nil) == (desired.$license == nil))
  }
}

extension QueueItem {
  /// True if a source names a finished item at a URL that is not the recorded one, apart from signatures, counters and,
  /// at a server of songs, the quality.
  fileprivate func isMoved(by desired: DesiredItem) -> Bool {
    guard desired.matchedBy != nil, item.main.url != desired.item.main.url else { return false }
    return SubsonicURL.original(of: item.main.url).identity != SubsonicURL.original(of: desired.item.main.url).identity
  }
}

extension Duration {
  /// Rounded to the millisecond.
  fileprivate var remembered: Duration { .milliseconds((inSeconds * 1000).rounded()) }
}
