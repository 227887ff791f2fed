// SPDX-License-Identifier: Apache-2.0

extension PlanDraft {
  /// Moves files whose licence is over out of the visible library. A file that only the content key of its licence opens
  /// stays, because that key is destroyed.
  mutating func placeLocks() {
    guard reconciliation.licenseTime != nil, options.isClockPlausible else { return }
    let evicted = Set(room.victims.map(\.position))
    let entries = reconciliation.entries
    for order in entries.indices where entries[order].need == .keep(.locked) {
      let entry = entries[order]
      guard steps.isFree(order), !evicted.contains(order), let file = entry.queued.state.storedFile,
        !file.path.isLocked, file.sealed?.isByContentKey != true
      else { continue }
      let clear = file.path.unsealed.fileExtension
      let ending = (clear.isEmpty ? "bin" : String(clear)) + (file.sealed == nil ? "" : Sealing.mark)
      move(order, file, to: .locked(fileExtension: ending), .licenseOver(from: file.path))
    }
  }

  /// Moves files back that have a licence again and that no playlist names any more. The others move to the place that
  /// their playlist gives them.
  mutating func placeUnlocks() {
    guard let time = reconciliation.licenseTime else { return }
    let evicted = Set(room.victims.map(\.position))
    let entries = reconciliation.entries
    for order in entries.indices where entries[order].queued.state.finishedPath?.isLocked ?? false {
      let entry = entries[order]
      guard entry.isKept, entry.isInScope, entry.desired == nil, steps.isFree(order), !evicted.contains(order),
        entry.hasValidLicense(at: time), let file = entry.queued.state.storedFile,
        let path = entry.queued.license?.lockedFrom
      else { continue }
      move(order, file, to: .back(path), .licensedAgain(from: file.path))
    }
  }

  private mutating func move(_ order: Int, _ file: StoredFile, to target: PlannedMove.Target, _ reason: Reason) {
    let entry = reconciliation.entries[order]
    let move = PlannedMove(id: entry.queued.id, to: target)
    let step = MoveStep(item(entry, reason), path: move.path(naming, attempt: 0), size: file.size, move)
    steps.set(.move(step), at: order)
  }

  /// The number of content keys that are destroyed after the plan is carried out.
  var doomedKeys: Int {
    guard reconciliation.licenseTime != nil, options.isClockPlausible else { return 0 }
    return reconciliation.entries(where: { $0.need == .keep(.locked) }).count { entry in
      entry.queued.state.storedFile?.sealed?.isByContentKey == true
        && entry.queued.license?.license?.hasContentKey == true
    }
  }

  /// The licence that a download needs. Nil if it needs none.
  func license(of entry: Reconciliation.Entry, _ desired: DesiredItem) -> PlannedLicense? {
    desired.license.map { source in
      PlannedLicense(
        source, isHeld: entry.queued.license != nil && entry.hasValidLicense(at: reconciliation.licenseTime))
    }
  }

  /// True for a file that its licence keeps sealed.
  func forbidsClear(_ entry: Reconciliation.Entry) -> Bool {
    !entry.hasValidLicense(at: reconciliation.licenseTime)
      || entry.queued.license?.license?.restrictions.allowsExport == false
  }
}

extension PlannedDownload {
  /// The same in the best quality that a licence allows.
  /// - Returns: Nil if it is declared in better qualities only.
  package func limited(to limit: Quality) -> PlannedDownload? {
    guard let capped = item.limited(to: limit) else { return item.exceeds(limit) ? nil : self }
    var download = self
    let before = item.main.url
    download.fields.item = capped
    for index in task.candidates.indices where task.candidates[index].candidate.url == before {
      download.task.candidates[index].candidate.url = capped.main.url
    }
    return download
  }
}

extension Item {
  /// The same in the best declared quality up to `limit`. Nil if it is in such a quality, or is declared in none.
  package func limited(to limit: Quality) -> Item? {
    guard var urls, urls.wanted.isAbove(limit) else { return nil }
    urls.wanted = limit
    guard let offer = urls.offer(for: limit), !offer.quality.isAbove(limit) else { return nil }
    var item = self
    item.main.url = offer.url
    item.urls = urls
    return item
  }

  /// True if the quality that would be fetched is better than `limit`.
  fileprivate func exceeds(_ limit: Quality) -> Bool { urls?.offered?.isAbove(limit) ?? false }
}

extension Quality {
  private static let ascending: [Quality] = [.low, .normal, .high, .source]

  func isAbove(_ other: Quality) -> Bool {
    (Self.ascending.firstIndex(of: self) ?? 0) > (Self.ascending.firstIndex(of: other) ?? 0)
  }
}

extension Reconciliation.Entry {
  /// True for an item whose file may be used.
  /// - Parameter time: Nil if licences are not judged. None is valid then.
  func hasValidLicense(at time: Timestamp?) -> Bool {
    guard let record = $queued.wrappedValue.license else { return true }
    return time.map { record.isValid(at: $0) } ?? false
  }
}

extension LibraryPath {
  /// The path of an item's file while its licence is over.
  static func locked(_ id: ItemID, fileExtension: String, attempt: Int) -> LibraryPath {
    let number = attempt == 0 ? "" : "-\(attempt)"
    guard let path = LibraryPath("\(lockedFolder)/\(id.tag)\(number).\(fileExtension)") else {
      preconditionFailure("a tag and an extension make a legal name")
    }
    return path
  }
}
