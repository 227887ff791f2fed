// SPDX-License-Identifier: Apache-2.0

extension QueueItem {
  /// The item as an interrupted run left it, put back in order (SPEC §4): what ran is queued again with what is on disk
  /// of its partial, and a publication that only the journal missed is complete.
  /// - Parameter hasChecksum: the manifest declares what the whole file must be.
  func recovered(seen: LibraryObservation, hasChecksum: Bool) -> QueueItem {
    var item = self
    switch state {
    case .downloading(let attempt), .retrying(let attempt, _):
      if let file = attempt.publishing, seen.published.contains(id) {
        item.state = .completed(file)
      } else {
        item.state = .queued(Pending(partial: seen.trusted(attempt.partial, hasChecksum)))
      }
    case .paused(let attempt): item.state = .queued(Pending(partial: seen.trusted(attempt.partial, hasChecksum)))
    case .queued(var pending):
      pending.partial = seen.trusted(pending.partial, hasChecksum)
      item.state = .queued(pending)
    case .failed(var record):
      record.partial = seen.trusted(record.partial, hasChecksum)
      item.state = .failed(record)
    case .completed, .cancelled, .removed: break
    }
    return item
  }
}

extension LibraryObservation {
  /// The partial with the length that may be built on; nil when nothing is left of it, or nothing can be made of it.
  func trusted(_ partial: PartialDownload?, _ hasChecksum: Bool) -> PartialDownload? {
    guard var partial, !partial.isUseless(hasChecksum: hasChecksum), let file = partials[partial.name] else {
      return nil
    }
    let isInOrder = partial.extents == nil
    partial.received = trustsPartialLengths && isInOrder ? file.size : min(partial.received, file.size)
    partial.extents = partial.extents?.filter { $0.to <= file.size }
    return partial
  }
}
