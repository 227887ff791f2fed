// SPDX-License-Identifier: Apache-2.0

/// The second transfer of a finished item, for a file of another quality. The item stays completed throughout, and its file
/// stays until the new one is whole.
package struct Upgrade: Equatable, Sendable {
  /// Of the file that is to come.
  package var quality: Quality
  /// Of the transfer: as of an item without a file.
  package var state: ItemState
  /// How large a server said that the new file is, where the room was too small for it.
  package var size: ByteCount?

  package init(quality: Quality, state: ItemState = .queued(Pending()), size: ByteCount? = nil) {
    self.quality = quality
    self.state = state
    self.size = size
  }

  /// Nothing of it has begun, and nothing is known: it need not be remembered.
  package var isBlank: Bool { state == .queued(Pending()) && size == nil }

  /// The new file, when a run announced that it would take the old one's place and did not live to say that it has.
  package var publishing: StoredFile? {
    if case .downloading(let attempt) = state { attempt.publishing } else { nil }
  }
}

extension QueueItem {
  /// The state of the transfer that is under way or to come: the upgrade's where there is one.
  package var transfer: ItemState {
    get { upgrade?.state ?? state }
    set {
      if upgrade == nil { state = newValue } else { upgrade?.state = newValue }
    }
  }

  /// The new file has taken the old one's place. From now on it is the one whose URL is known.
  package mutating func replaceFile(by file: StoredFile) {
    if let url = upgrade?.state.partial?.url { item.main = Candidate(url: url) }
    state = .completed(file)
    upgrade = nil
  }
}
