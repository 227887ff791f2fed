// SPDX-License-Identifier: Apache-2.0

/// The second transfer of a finished item, for a file of another quality or from another candidate. The item stays
/// completed throughout, and its file stays until the new one is complete.
package struct Upgrade: Equatable, Sendable {
  /// The file that the item is to have.
  package enum Goal: Hashable, Sendable {
    case quality(Quality)
    /// The one of the candidate that a person chose.
    case candidate(ChosenCandidate)
    /// The same media, sealed, in clear, or sealed with another key.
    case protection

    package var quality: Quality? { if case .quality(let quality) = self { quality } else { nil } }
  }

  package var goal: Goal
  /// The state of the transfer, as for an item without a file.
  package var state: TransferState
  /// The size of the new file as stated by a server, if there was too little room for it.
  package var size: ByteCount?

  package init(_ goal: Goal, state: TransferState = .queued(Pending()), size: ByteCount? = nil) {
    self.goal = goal
    self.state = state
    self.size = size
  }

  /// True if nothing was fetched and nothing is known, so the upgrade need not be recorded.
  package var isBlank: Bool { state == .queued(Pending()) && size == nil }

  /// The new file, if a run announced that it would replace the old one and ended before it recorded the result.
  package var publishing: StoredFile? {
    if case .downloading(let attempt) = state { attempt.publishing } else { nil }
  }
}

extension QueueItem {
  /// The failure of the item's upgrade. Nil if the item has no upgrade, or if its upgrade did not fail.
  package var upgradeFailure: (wanted: Upgrade.Goal, record: FailureRecord)? {
    guard let upgrade, case .failed(let record) = upgrade.state else { return nil }
    return (upgrade.goal, record)
  }

  /// The present or next transfer: that of the upgrade, if there is one. Nil in the states without a transfer.
  package var transfer: TransferState? { upgrade?.state ?? state.transfer }

  /// The unfinished bytes of that transfer.
  package var partial: PartialDownload? { transfer?.partial }

  /// Records the state of the transfer of another file for a finished item.
  /// - Parameter told: The size of the new file that a server stated just now.
  package mutating func advanceUpgrade(
    to goal: Upgrade.Goal, _ transfer: TransferState, told: ByteCount? = nil
  ) throws(IllegalTransition) {
    guard state.name == .completed else {
      throw IllegalTransition(from: state.name, to: ItemState(transfer).name)
    }
    let known = upgrade?.goal == goal ? upgrade?.size : nil
    upgrade = Upgrade(goal, state: transfer, size: told ?? known)
  }

  /// Records that the new file has replaced the old one. The item's URL is now the one that the new file came from,
  /// unless that is an alternative.
  package mutating func replaceFile(by file: StoredFile) {
    if file.origin == nil, upgrade?.goal != .protection, let url = upgrade?.state.partial?.url {
      item.main = Candidate(url: url)
    }
    complete(file)
    upgrade = nil
  }
}
