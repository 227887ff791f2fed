// SPDX-License-Identifier: Apache-2.0

/// The comparison of a finished file with the one that is wanted: its quality, or the candidate that a person chose.
package enum QualityVerdict: Equatable, Sendable {
  /// The quality is the wanted one, or there is nothing to compare.
  case asWanted
  /// The declared checksum or size is that of the present file, so no other file would pass: the file stays.
  case declared(here: Quality, wanted: Quality)
  /// The item is not declared in the wanted quality, so its file stays.
  case unavailable(here: Quality, wanted: Quality)
  /// The file is to be replaced by another one.
  case upgrade(Difference)
  /// As `upgrade`, but a server asked to wait until this time.
  case waiting(Difference, until: Timestamp)
  /// The upgrade failed for good. It is tried again only after a command or a change of its inputs.
  indirect case givenUp(Difference, ErrorRecord)

  /// The difference between the present file and the wanted one.
  package enum Difference: Hashable, Sendable {
    case quality(from: Quality, to: Quality)
    case candidate(ChosenCandidate)

    package var goal: Upgrade.Goal {
      switch self {
      case .quality(_, let wanted): .quality(wanted)
      case .candidate(let chosen): .candidate(chosen)
      }
    }
  }

  /// True if the partial of the upgrade may be continued.
  var keepsPartial: Bool {
    switch self {
    case .asWanted, .declared, .unavailable: false
    case .upgrade, .waiting, .givenUp: true
    }
  }

  package var isUpgrade: Bool { if case .upgrade = self { true } else { false } }
}

extension Reconciliation.Rules {
  /// Compares qualities, never URLs. A file whose URL has changed is not fetched again. Only a candidate that a person
  /// chose is compared with the one that the file came from.
  func judgeQuality(_ entry: inout Reconciliation.Entry) {
    guard case .keep(.present) = entry.need else { return }
    if entry.$queued.wrappedValue.$choice != nil, judgeCandidate(&entry) { return }
    // Most of a million items are declared in one quality, and these are not copied.
    guard let box = entry.$desired, box.wrappedValue.item.$urls != nil else { return drop(&entry) }
    let desired = box.wrappedValue
    guard let urls = desired.item.urls, let offered = urls.offered, var file = entry.queued.state.storedFile else {
      return drop(&entry)
    }
    let here = file.quality ?? urls.quality(of: entry.queued.item.main.url) ?? offered
    if file.quality == nil {
      file.quality = here
      entry.queued.complete(file)
    }
    if !urls.hasWanted {
      entry.quality = here == urls.wanted ? .asWanted : .unavailable(here: here, wanted: urls.wanted)
    } else if here != offered {
      entry.quality =
        desired.item.isDeclared(file)
        ? .declared(here: here, wanted: offered) : upgrade(.quality(from: here, to: offered), &entry, desired)
    }
    if !entry.quality.keepsPartial { drop(&entry) }
  }

  /// - Returns: True if a chosen candidate has decided about the file, so that its quality does not count.
  private func judgeCandidate(_ entry: inout Reconciliation.Entry) -> Bool {
    guard let desired = entry.desired, let file = entry.queued.state.storedFile,
      let chosen = entry.queued.choice?.candidate, chosen.candidate(of: desired.item) != nil
    else { return false }
    // Every candidate has to have the declared checksum, so the file of another one would be the same.
    if chosen.isSource(of: file, desired.item) || desired.item.checksum != nil {
      guard chosen != .main else { return false }
      drop(&entry)
    } else {
      entry.quality = upgrade(.candidate(chosen), &entry, desired)
    }
    return true
  }

  func drop(_ entry: inout Reconciliation.Entry) {
    if entry.$queued.wrappedValue.$upgrade != nil { entry.queued.upgrade = nil }
  }

  /// Adds the quality to an adopted file for which none is recorded. A file with the recorded hash has the quality of
  /// the former file, any other the one that would be fetched.
  func ofKnownQuality(_ adoptable: Adoptable, _ entry: Reconciliation.Entry) -> Adoptable {
    guard let urls = entry.$desired?.wrappedValue.item.urls, adoptable.file.quality == nil else { return adoptable }
    var adopted = adoptable
    let recorded = adoptable.proof == .recordedHash ? entry.queued.lastFile?.quality : nil
    adopted.file.quality = recorded ?? urls.offered
    return adopted
  }

  /// Decides by the result of an earlier attempt, as for an item without a file.
  private func upgrade(
    _ difference: QualityVerdict.Difference, _ entry: inout Reconciliation.Entry, _ desired: DesiredItem
  ) -> QualityVerdict {
    // Bytes of a third quality are useless.
    if let begun = entry.queued.upgrade, begun.goal != difference.goal { entry.queued.upgrade = nil }
    guard var begun = entry.queued.upgrade else { return .upgrade(difference) }
    var pending = Pending()
    switch begun.state {
    // A pause is for items without a file.
    case .queued(let known), .paused(let known): pending = known
    case .failed(let record):
      let isChanged = isChanged(record, desired)
      guard record.isTemporary || isChanged else { return .givenUp(difference, record.error) }
      pending = Pending(
        partial: record.partial, nextAttemptAt: isChanged ? nil : record.nextAttemptAt,
        lastError: isChanged ? nil : record.error)
    case .downloading, .retrying: break
    }
    begun.state = .queued(pending)
    entry.queued.upgrade = begun.isBlank ? nil : begun
    if let until = pending.nextAttemptAt, until > now { return .waiting(difference, until: until) }
    return .upgrade(difference)
  }

  private func isChanged(_ record: FailureRecord, _ desired: DesiredItem) -> Bool {
    guard let inputs, let mark = record.inputs else { return false }
    let now = inputs.mark(
      of: desired.item, in: desired.memberships.map(\.playlist), isFromSource: desired.isFromSource)
    return mark.differs(from: now, in: record.error.kind)
  }
}

extension Item {
  /// True if the declared checksum or exact size is that of this file. They are declared once for an item, whatever
  /// qualities it has, so a file of another quality would fail them.
  fileprivate func isDeclared(_ file: StoredFile) -> Bool {
    if let checksum {
      return checksum.algorithm == .sha256 ? checksum.hex == file.sourceSHA256.hex : checksum == file.verifiedBy
    }
    return size == .exact(file.sourceSize)
  }
}
