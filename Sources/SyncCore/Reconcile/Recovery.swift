// SPDX-License-Identifier: Apache-2.0

extension QueueItem {
  /// Restores order in an item that an interrupted run left. A running transfer is queued again with the part
  /// of its partial that is on disk. A publication that is missing only from the journal is completed.
  /// - Parameter hasChecksum: True if the manifest declares the checksum of the whole file.
  /// - Returns: Nil if nothing had to change.
  func recovered(seen: LibraryObservation, hasChecksum: Bool) -> QueueItem? {
    guard let transfer else { return nil }
    var item = self
    switch transfer {
    case .downloading(let attempt), .retrying(let attempt, _):
      // If a replacement was announced, the opening of the library has already found out if it took place.
      if upgrade == nil, let file = attempt.publishing, seen.published.contains(id) {
        item.complete(file)
      } else {
        item.requeueTransfer(Pending(partial: seen.trusted(attempt.partial, hasChecksum)))
      }
    case .queued, .paused, .failed: item.updatePartial { seen.counted($0, hasChecksum) }
    }
    return item
  }
}

extension LibraryObservation {
  /// The partial of a run that was killed, with the length that can be continued.
  func trusted(_ partial: PartialDownload?, _ hasChecksum: Bool) -> PartialDownload? {
    guard var counted = counted(partial, hasChecksum), let file = partials[counted.name] else { return nil }
    if trustsPartialLengths, counted.extents == nil { counted.received = file.size }
    return counted
  }

  /// The partial as recorded, limited to the bytes that were flushed. A file that could not be flushed may show more
  /// bytes than the disk has (fsync(2)). Nil if nothing is left of it or it cannot be used.
  func counted(_ partial: PartialDownload?, _ hasChecksum: Bool) -> PartialDownload? {
    guard var partial, !partial.isUseless(hasChecksum: hasChecksum), let file = partials[partial.name] else {
      return nil
    }
    // No transfer of ours makes a file longer than its end, so these bytes are damaged or another program's.
    if let total = partial.total, max(partial.received, file.size) > total { return nil }
    partial.received = min(partial.received, file.size)
    partial.extents = partial.extents?.filter { $0.to <= file.size }
    return partial
  }
}
