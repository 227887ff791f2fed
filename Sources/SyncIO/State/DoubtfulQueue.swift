// SPDX-License-Identifier: Apache-2.0
import SyncCore
import SyncFormats

/// What became of lines of the queue file that are not as they were written.
struct LineRepairs: Equatable, Sendable {
  /// Taken as they are.
  var edited: [ItemID] = []
  /// As they were recorded before.
  var restored: [ItemID] = []
  /// What stands outside of the lines is as it was recorded before.
  var isRestoredOutside = false
  /// Not believed, with nothing that tells better.
  var lost: [ItemID] = []

  /// Nothing that was said is lost or put right.
  var keepsAll: Bool { restored.isEmpty && lost.isEmpty && !isRestoredOutside }
}

/// A queue file whose checks fail: a disk damaged it, or a person edited it. Each line is held against what was recorded
/// and against its media file before it is believed.
struct DoubtfulQueue {
  let reading: QueueFileReading
  /// Items that a later journal changes: what their lines say does not matter.
  let recorded: Set<ItemID>
  /// Whether the library has that file, of that size and content.
  let holds: (StoredFile) -> Bool

  /// What was recorded is known: it stands, but for the lines that may have been edited.
  func settled(by expected: Queue) -> (Queue, LineRepairs) {
    var (queue, repairs) = (expected, LineRepairs())
    let owners = Set(expected.items.compactMap { $0.state.storedFile?.path })
    for item in reading.queue.items where reading.doubtful.contains(item.id) && !recorded.contains(item.id) {
      let known = expected[item.id]
      guard known != item else { continue }
      if isCredible(item, known: known, owners: owners) {
        queue[item.id] = item
        repairs.edited.append(item.id)
      } else {
        repairs.restored.append(item.id)
      }
    }
    for item in expected.items where reading.queue[item.id] == nil && !recorded.contains(item.id) {
      repairs.restored.append(item.id)
    }
    repairs.isRestoredOutside = !reading.isWhole && !saysTheSameOutside(expected)
    return (queue, repairs)
  }

  /// - Parameter known: as it was recorded; nil: nobody knows the item.
  private func isCredible(_ item: QueueItem, known: QueueItem?, owners: Set<LibraryPath>) -> Bool {
    guard let known else {
      // Its id may be what is damaged: then its file is another item's.
      return item.state.storedFile.map { !owners.contains($0.path) && holds($0) } ?? false
    }
    if item.hasGarbledName(comparedWith: known) { return false }
    if item.state == known.state { return true }
    guard let file = item.state.storedFile else { return false }
    // Two lines may have exchanged their files: which file is whose, the record knows better.
    if let recorded = known.state.storedFile, holds(recorded) { return false }
    return (file.path == known.state.storedFile?.path || !owners.contains(file.path)) && holds(file)
  }

  private func saysTheSameOutside(_ expected: Queue) -> Bool {
    let present = reading.queue
    return present.generation == expected.generation && present.libraryID == expected.libraryID
      && present.sources == expected.sources && present.unknownFields == expected.unknownFields
  }

  /// Nothing tells what was recorded. A file's line is not believed, since a file that fits it may still be another
  /// item's: the library is to tell. Other lines harm nothing, but for the bytes that they say are there.
  /// - Parameter earlier: an earlier queue; what is the same there needs no further proof.
  func settledAlone(earlier: Queue?) -> (Queue, LineRepairs) {
    var (queue, repairs) = (reading.queue, LineRepairs())
    var lost: Set<ItemID> = []
    for item in reading.queue.items where reading.doubtful.contains(item.id) && !recorded.contains(item.id) {
      guard earlier?[item.id] != item else { continue }
      if item.state.storedFile != nil {
        repairs.lost.append(item.id)
        lost.insert(item.id)
      } else {
        repairs.edited.append(item.id)
        if item.state.isUnfinished { queue[item.id]?.state = .queued(Pending()) }
      }
    }
    queue.remove(lost)
    return (queue, repairs)
  }
}

extension QueueItem {
  /// Whether a field has a name that nobody knows, and another one is missing for it: a flipped bit in the name.
  fileprivate func hasGarbledName(comparedWith known: QueueItem) -> Bool {
    let names = Set(known.unknownFields.map(\.name))
    guard !unknownFields.allSatisfy({ names.contains($0.name) }) else { return false }
    var bare = self
    bare.unknownFields = known.unknownFields
    return bare != known
  }
}

extension ItemState {
  /// What is said of it may include bytes on the disk.
  fileprivate var isUnfinished: Bool {
    switch name {
    case .queued, .downloading, .retrying, .paused: true
    case .failed: partial != nil
    case .completed, .cancelled, .removed: false
    }
  }
}
