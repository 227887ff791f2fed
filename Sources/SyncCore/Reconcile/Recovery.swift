// SPDX-License-Identifier: Apache-2.0

extension QueueItem {
  /// The item as an interrupted run left it, put back in order (SPEC §4): what ran is queued again with what is on disk
  /// of its partial, and a publication that only the journal missed is complete.
  /// - Parameter hasChecksum: the manifest declares what the whole file must be.
  /// - Returns: nil when there is nothing to put in order.
  func recovered(seen: LibraryObservation, hasChecksum: Bool) -> QueueItem? {
    guard !state.isFinal else { return upgradeRecovered(seen: seen, hasChecksum: hasChecksum) }
    var item = self
    switch state {
    case .downloading(let attempt), .retrying(let attempt, _):
      if let file = attempt.publishing, seen.published.contains(id) {
        item.become(.completed(file))
      } else {
        item.state = .queued(Pending(partial: seen.trusted(attempt.partial, hasChecksum)))
      }
    case .paused(let attempt): item.state = .queued(Pending(partial: seen.counted(attempt.partial, hasChecksum)))
    case .queued(var pending):
      pending.partial = seen.counted(pending.partial, hasChecksum)
      item.state = .queued(pending)
    case .failed(var record):
      record.partial = seen.counted(record.partial, hasChecksum)
      item.state = .failed(record)
    case .completed, .cancelled, .removed: break
    }
    return item
  }
}

extension QueueItem {
  /// Whether an announced replacement took place was found out when the library was opened.
  private func upgradeRecovered(seen: LibraryObservation, hasChecksum: Bool) -> QueueItem? {
    guard let upgrade else { return nil }
    var item = self
    switch upgrade.state {
    case .downloading(let attempt), .retrying(let attempt, _):
      item.upgrade?.state = .queued(Pending(partial: seen.trusted(attempt.partial, hasChecksum)))
    case .paused(let attempt):
      item.upgrade?.state = .queued(Pending(partial: seen.counted(attempt.partial, hasChecksum)))
    case .queued(var pending):
      pending.partial = seen.counted(pending.partial, hasChecksum)
      item.upgrade?.state = .queued(pending)
    case .failed(var record):
      record.partial = seen.counted(record.partial, hasChecksum)
      item.upgrade?.state = .failed(record)
    case .completed, .cancelled, .removed: item.upgrade = nil
    }
    if item.upgrade?.isBlank ?? false { item.upgrade = nil }
    return item
  }
}

extension ItemState {
  /// However the run ended that left it.
  fileprivate var isFinal: Bool {
    switch self {
    case .completed, .cancelled, .removed: true
    default: false
    }
  }
}

extension LibraryObservation {
  /// The partial of a run that was killed, with the length that may be built on.
  func trusted(_ partial: PartialDownload?, _ hasChecksum: Bool) -> PartialDownload? {
    guard var counted = counted(partial, hasChecksum), let file = partials[counted.name] else { return nil }
    if trustsPartialLengths, counted.extents == nil { counted.received = file.size }
    return counted
  }

  /// The partial as it was put down, with what was flushed of it: a file that could not be flushed may show more than the
  /// disk has (fsync(2)). Nil when nothing is left of it, or nothing can be made of it.
  func counted(_ partial: PartialDownload?, _ hasChecksum: Bool) -> PartialDownload? {
    guard var partial, !partial.isUseless(hasChecksum: hasChecksum), let file = partials[partial.name] else {
      return nil
    }
    partial.received = min(partial.received, file.size)
    partial.extents = partial.extents?.filter { $0.to <= file.size }
    return partial
  }
}
