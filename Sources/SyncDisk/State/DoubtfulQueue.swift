// SPDX-License-Identifier: Apache-2.0
import SyncCore
import SyncFormats

/// The outcome for the lines of the queue file that differ from what was written.
struct LineRepairs: Equatable, Sendable {
  /// Lines accepted as they are.
  var edited: [ItemID] = []
  /// Lines restored to what was recorded before.
  var restored: [ItemID] = []
  /// True if the part outside of the lines was restored to what was recorded before.
  var isRestoredOutside = false
  /// Lines that were rejected, with no record to replace them.
  var lost: [ItemID] = []

  /// True if nothing was lost or restored.
  var keepsAll: Bool { restored.isEmpty && lost.isEmpty && !isRestoredOutside }
}

/// A queue file whose checks fail: a disk damaged it, or a person edited it. Each line is compared with what was
/// recorded and with its media file before it is accepted.
struct DoubtfulQueue {
  let reading: QueueFileReading
  /// Items that a later journal changes: their lines do not matter.
  let recorded: Set<ItemID>
  /// True if the library has that file, with that size and content.
  let holds: (StoredFile) -> Bool

  /// Settles the queue when the recorded one is known: that one counts, except for lines that may have been edited.
  func settled(by expected: Queue) -> (Queue, LineRepairs) {
    var (queue, repairs) = (expected, LineRepairs())
    var hasInvented = false
    let owners = Set(expected.items.compactMap { $0.state.storedFile?.path })
    for item in reading.queue.items where reading.doubtful.contains(item.id) && !recorded.contains(item.id) {
      let known = expected[item.id]
      guard known != item else { continue }
      if isCredible(item, known: known, owners: owners) {
        queue[item.id] = item
        repairs.edited.append(item.id)
      } else if known == nil {
        // No line of this item was ever written: there is nothing to restore it to.
        hasInvented = true
      } else {
        repairs.restored.append(item.id)
      }
    }
    for item in expected.items where reading.queue[item.id] == nil && !recorded.contains(item.id) {
      repairs.restored.append(item.id)
    }
    repairs.isRestoredOutside =
      !reading.isWhole && !saysTheSameOutside(expected) || hasInvented && repairs.restored.isEmpty
    return (queue, repairs)
  }

  /// - Parameter known: the item as it was recorded; nil when there is no record of it.
  private func isCredible(_ item: QueueItem, known: QueueItem?, owners: Set<LibraryPath>) -> Bool {
    guard let known else {
      // The damage may be in the id: then the file is another item's.
      return item.state.storedFile.map { !owners.contains($0.path) && holds($0) } ?? false
    }
    if item.hasGarbledName(comparedWith: known) { return false }
    if item.state == known.state { return item.lostFile == known.lostFile }
    guard let file = item.state.storedFile else { return false }
    // Two lines may have exchanged their files: the record decides which file belongs to which item.
    if let recorded = known.state.storedFile, holds(recorded) { return false }
    return (file.path == known.state.storedFile?.path || !owners.contains(file.path)) && holds(file)
  }

  private func saysTheSameOutside(_ expected: Queue) -> Bool {
    let present = reading.queue
    return present.generation == expected.generation && present.libraryID == expected.libraryID
      && present.sources == expected.sources && present.unknownFields == expected.unknownFields
  }

  /// Settles the queue when there is no record. The line of a finished file is not accepted, since a file that fits it
  /// may still be another item's: the library has to decide. Other lines do no harm, apart from the bytes that they
  /// claim are there.
  /// - Parameter earlier: an earlier queue; a line that is the same there needs no further proof.
  func resolvedAlone(earlier: Queue?) -> (Queue, LineRepairs) {
    var (queue, repairs) = (reading.queue, LineRepairs())
    var lost: Set<ItemID> = []
    for item in reading.queue.items where reading.doubtful.contains(item.id) && !recorded.contains(item.id) {
      guard earlier?[item.id] != item else { continue }
      if item.state.storedFile != nil {
        repairs.lost.append(item.id)
        lost.insert(item.id)
      } else {
        repairs.edited.append(item.id)
        // The damage may be in the hash of the lost file, so the file may be another item's.
        if item.state.isUnfinished { queue[item.id]?.forgetFiles() } else { queue[item.id]?.lostFile = nil }
      }
    }
    queue.remove(lost)
    return (queue, repairs)
  }
}

extension QueueItem {
  /// True if a field has an unknown name and another field is missing: a flipped bit in the name.
  fileprivate func hasGarbledName(comparedWith known: QueueItem) -> Bool {
    let names = Set(known.unknownFields.map(\.name))
    guard !unknownFields.allSatisfy({ names.contains($0.name) }) else { return false }
    var bare = self
    bare.unknownFields = known.unknownFields
    return bare != known
  }
}

extension ItemState {
  /// True if the state may claim bytes of a partial on the disk.
  fileprivate var isUnfinished: Bool {
    switch name {
    case .queued, .downloading, .retrying, .paused: true
    case .failed: partial != nil
    case .completed, .cancelled, .removed: false
    }
  }
}
