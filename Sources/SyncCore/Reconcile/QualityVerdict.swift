// SPDX-License-Identifier: Apache-2.0

/// How the quality of a finished file compares with the one that the manifest wants.
package enum QualityVerdict: Equatable, Sendable {
  /// Or there is nothing to compare.
  case asWanted
  /// The item is not declared in the wanted quality: its file stays.
  case unavailable(here: Quality, wanted: Quality)
  /// The file is to give way to one of another quality.
  case upgrade(from: Quality, to: Quality)
  /// The same, not before that time: a server asked for it.
  case waiting(from: Quality, to: Quality, until: Timestamp)
  /// It could not be had, and is not tried again by itself.
  indirect case givenUp(from: Quality, to: Quality, ErrorRecord)

  /// The file that was fetched for it so far may be continued.
  var keepsPartial: Bool {
    switch self {
    case .asWanted, .unavailable: false
    case .upgrade, .waiting, .givenUp: true
    }
  }

  package var isUpgrade: Bool { if case .upgrade = self { true } else { false } }
}

extension Reconciliation.Rules {
  /// Compares qualities, never URLs: a file whose URL has changed is not fetched again.
  func judgeQuality(_ entry: inout Reconciliation.Entry) {
    guard case .keep(.present) = entry.need else { return }
    // Of a million items most are declared in one quality: nothing of them is copied.
    guard let box = entry.$desired, box.wrappedValue.item.$urls != nil else { return drop(&entry) }
    let desired = box.wrappedValue
    guard let urls = desired.item.urls, let offered = urls.offered, var file = entry.queued.state.storedFile else {
      return drop(&entry)
    }
    let here = file.quality ?? urls.quality(of: entry.queued.item.main.url) ?? offered
    if file.quality == nil {
      file.quality = here
      entry.queued.state = .completed(file)
    }
    if !urls.hasWanted {
      entry.quality = here == urls.wanted ? .asWanted : .unavailable(here: here, wanted: urls.wanted)
    } else if here != offered, !desired.item.isDeclared(file) {
      entry.quality = upgrade(from: here, to: offered, &entry, desired)
    }
    if !entry.quality.keepsPartial { drop(&entry) }
  }

  func drop(_ entry: inout Reconciliation.Entry) {
    if entry.$queued.wrappedValue.$upgrade != nil { entry.queued.upgrade = nil }
  }

  /// Whose quality nobody has recorded: a file with the recorded hash has that of the file that was here, any other the
  /// one that would be fetched.
  func ofKnownQuality(_ adoptable: Adoptable, _ entry: Reconciliation.Entry) -> Adoptable {
    guard let urls = entry.$desired?.wrappedValue.item.urls, adoptable.file.quality == nil else { return adoptable }
    var adopted = adoptable
    let recorded = adoptable.proof == .recordedHash ? entry.queued.state.lastFile?.quality : nil
    adopted.file.quality = recorded ?? urls.offered
    return adopted
  }

  /// What an earlier try came to decides about the next one, as for an item without a file.
  private func upgrade(
    from here: Quality, to wanted: Quality, _ entry: inout Reconciliation.Entry, _ desired: DesiredItem
  ) -> QualityVerdict {
    // What was begun for a third quality is of no use.
    if let begun = entry.queued.upgrade, begun.quality != wanted { entry.queued.upgrade = nil }
    guard var begun = entry.queued.upgrade else { return .upgrade(from: here, to: wanted) }
    var pending = Pending()
    switch begun.state {
    case .queued(let known): pending = known
    case .failed(let record):
      let isChanged = isChanged(record, desired)
      guard record.isTemporary || isChanged else { return .givenUp(from: here, to: wanted, record.error) }
      pending = Pending(
        partial: record.partial, nextAttemptAt: isChanged ? nil : record.nextAttemptAt,
        lastError: isChanged ? nil : record.error)
    case .downloading, .retrying, .paused, .completed, .cancelled, .removed: break
    }
    begun.state = .queued(pending)
    entry.queued.upgrade = begun.isBlank ? nil : begun
    if let until = pending.nextAttemptAt, until > now { return .waiting(from: here, to: wanted, until: until) }
    return .upgrade(from: here, to: wanted)
  }

  private func isChanged(_ record: FailureRecord, _ desired: DesiredItem) -> Bool {
    guard let inputs, let mark = record.inputs else { return false }
    let now = inputs.mark(
      of: desired.item, in: desired.memberships.map(\.playlist), isFromSource: desired.isFromSource)
    return mark.differs(from: now, in: record.error.kind)
  }
}

extension Item {
  /// The checksum that the manifest declares is the file's: whatever quality that is, no other file would pass.
  fileprivate func isDeclared(_ file: StoredFile) -> Bool {
    checksum?.algorithm == .sha256 && checksum?.hex == file.sha256.hex
  }
}
