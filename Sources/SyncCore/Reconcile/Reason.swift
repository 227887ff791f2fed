// SPDX-License-Identifier: Apache-2.0

/// The reason for the planned action on an item. Each has one sentence in the words folder.
package enum Reason: Hashable, Sendable {
  // download, resume
  case new
  case partialKept(ByteCount)
  case failedBefore
  /// The item failed in an earlier run, and an input of that failure has changed since.
  case inputsChanged
  case lost
  case wantedAgain
  /// The file was removed because its licence was over, and there is a new one.
  case licenseRenewed
  /// A command put the item back into the queue.
  case requested
  case playedSinceEviction
  case roomAgain
  // adopt
  case sameContent(AdoptionProof)
  case publishedBeforeInterruption
  // upgrade
  /// The file is present in one quality and wanted in another.
  case otherQuality(from: Quality, to: Quality)
  /// The file came from another candidate than the one that a person chose.
  case otherCandidate
  // move
  /// The title, the playlist's title, the layout or the profile gives the file another place.
  case placedElsewhere(from: LibraryPath)
  /// A person renamed the file or moved it inside the library.
  case movedByHand(from: LibraryPath)
  /// The file is sealed, comes back in clear, or is sealed with another key.
  case protection(ProtectionChange, from: LibraryPath)
  /// The licence of the file is over, so that the file leaves the visible library.
  case licenseOver(from: LibraryPath)
  /// There is a licence again.
  case licensedAgain(from: LibraryPath)
  // keep
  case present
  case noLongerInSource
  case orphanKept
  case changedByOthers
  /// The folder of the file may not be searched.
  case unreachable
  case notSelectedAnymore
  /// No playlist names the item any more, but somebody is still playing it.
  case inProgress
  /// The licence of the file is over, and nothing is left to do about it.
  case locked
  // remove, evict
  case leftManifest
  case licenseExpired
  case droppedByRetention(PlaylistName, RetentionRule)
  case orphanEvicted
  case lowestScore
  /// As `lowestScore`, if the score is the age alone.
  case longestHere
  /// As `lowestScore`, for a playlist whose share is too small for its files and those still to come.
  case lowestScoreOfPlaylist(PlaylistName)
  case longestHereOfPlaylist(PlaylistName)
  // push
  case pushed(ListChange)
  // defer
  case noRoomInBudget(lacking: ByteCount)
  case noRoomInPlaylist(PlaylistName, lacking: ByteCount)
  case noFreeSpace(lacking: ByteCount)
  case noRoomToReturn
  /// There was no room for the item in an earlier run, and there is none below `target` now.
  case noRoomBelowTarget(lacking: ByteCount)
  /// There is room below `target`, but these bytes of it are held back for files that were evicted and rank higher.
  /// - Parameter until: The time when the last of them may return. Nil if one of them waits for more room.
  case roomHeldBack(ByteCount, until: Timestamp?)
  /// There is no room for the new file beside the present one, which it would replace.
  case noRoomBeside(lacking: ByteCount)
  /// The file was evicted only lately. A file that comes and goes is useless.
  case evictedLately(until: Timestamp)
  case askedToWait(until: Timestamp)
  /// The circuit is open: the host failed so often in a row that it is not asked again in this run.
  case hostLeftAlone(RemoteURL.Origin)
  case limitReached(RunLimit)
  /// The network is metered, and the manifest defers downloads there.
  case meteredNetwork
  /// The battery is too low, or is not charging.
  case battery(Battery, PowerPolicy.Limit)
  /// The state is lost. This run only adopts the files that are present.
  case rebuilding
}

extension RoomShortage {
  package var reason: Reason {
    switch self {
    case .budget(let lacking): .noRoomInBudget(lacking: lacking)
    case .playlist(let playlist, let lacking): .noRoomInPlaylist(playlist, lacking: lacking)
    case .freeSpace(let lacking): .noFreeSpace(lacking: lacking)
    case .noRoomToReturn: .noRoomToReturn
    case .belowTarget(let lacking): .noRoomBelowTarget(lacking: lacking)
    case .heldBack(let bytes, let until): .roomHeldBack(bytes, until: until)
    case .beside(let lacking): .noRoomBeside(lacking: lacking)
    }
  }
}

extension Reason {
  /// The cause that a removal for this reason records.
  var removalCause: Removal.Cause {
    switch self {
    case .droppedByRetention: .retention
    case .licenseExpired: .expired
    default: .orphan
    }
  }

  /// The present place of a file that is to be moved.
  package var origin: LibraryPath? {
    switch self {
    case .placedElsewhere(let from), .movedByHand(let from), .protection(_, let from), .licenseOver(let from),
      .licensedAgain(let from):
      from
    default: nil
    }
  }
}

/// The reason why no run does what the manifest asks for an item, before a command or a change of its inputs.
package enum SkipReason: Hashable, Sendable {
  case failedForGood(ErrorRecord)
  /// The file stays, because the wanted one could not be fetched.
  case upgradeFailed(ErrorRecord, to: Upgrade.Goal)
  case cancelled
  case paused
  case removedByUser
  case missingAndSkipped
  /// The file was removed because its licence was over, and there is no new one. Every run asks for one.
  case notLicensed
}

extension SkipReason {
  /// True if the user did not ask for it, so that every run reports it.
  package var isNews: Bool {
    switch self {
    case .failedForGood, .upgradeFailed, .missingAndSkipped, .notLicensed: true
    case .cancelled, .paused, .removedByUser: false
    }
  }

  /// True if the item has its file, but not in the wanted quality.
  package var isFailedUpgrade: Bool { if case .upgradeFailed = self { true } else { false } }

  /// True if it counts as a failure of an earlier run.
  package var isFailure: Bool {
    switch self {
    case .failedForGood, .upgradeFailed: true
    case .cancelled, .paused, .removedByUser, .missingAndSkipped, .notLicensed: false
    }
  }
}

/// The reason why no run would fetch an item that is in the queue.
package enum FetchRefusal: Hashable, Sendable {
  /// No playlist names the item any more.
  case unnamed
  /// This playlist names the item but does not select it.
  case unwanted(Unselected, PlaylistName)
  /// The item failed for good, was cancelled, paused or removed, or its missing file is skipped. Only a command brings it back.
  case skipped(SkipReason)
}

extension Reconciliation {
  /// Returns those of the items that would not be fetched. Items whose source was not read whole are left out, because
  /// nothing is known about them.
  /// - Parameter ids: Items that are waiting.
  package func objections(to ids: Set<ItemID>) -> [ItemID: FetchRefusal] {
    var objections: [ItemID: FetchRefusal] = [:]
    var unnamed = ids
    for entry in entries where unnamed.remove(entry.queued.id) != nil {
      objections[entry.queued.id] = entry.objection
    }
    // The queue would drop these items.
    for id in unnamed { objections[id] = .unnamed }
    return objections
  }
}

extension Reconciliation.Entry {
  package var objection: FetchRefusal? {
    if case .skip(let reason) = need { return .skipped(reason) }
    guard need == .ignore, let unselected else { return nil }
    if case .wouldBeDropped = unselected, case .dropped(let playlist, _)? = retained {
      return .unwanted(unselected, playlist)
    }
    return queued.memberships.first.map { .unwanted(unselected, $0.playlist) }
  }
}
