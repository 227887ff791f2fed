// SPDX-License-Identifier: Apache-2.0

/// Why the plan treats an item as it does. Each has one sentence in the words folder.
package enum Reason: Hashable, Sendable {
  // download, resume
  case new
  case partialKept(ByteCount)
  case failedBefore
  /// It failed in an earlier run, and an input of that failure has changed since.
  case inputsChanged
  case lost
  case wantedAgain
  /// Put back into the queue by command.
  case requested
  case playedSinceEviction
  case roomAgain
  // adopt
  case sameContent(AdoptionProof)
  case publishedBeforeInterruption
  // upgrade
  /// The file is here in one quality and wanted in another.
  case otherQuality(from: Quality, to: Quality)
  // move
  /// Its title, its playlist's, the layout or the profile gives it another place.
  case placedElsewhere(from: LibraryPath)
  /// A person renamed it or moved it inside the library.
  case movedByHand(from: LibraryPath)
  // keep
  case present
  case noLongerInSource
  case orphanKept
  case changedByOthers
  case notSelectedAnymore
  /// No playlist names it any more, but somebody is in the midst of it.
  case inProgress
  // remove, evict
  case leftManifest
  case droppedByRetention(PlaylistName, RetentionRule)
  case orphanEvicted
  case lowestScore
  /// The same where the score is nothing but the age.
  case longestHere
  /// Of a playlist whose share is too small for what it has and what is to come.
  case lowestScoreOfPlaylist(PlaylistName)
  case longestHereOfPlaylist(PlaylistName)
  // defer
  case noRoomInBudget(lacking: ByteCount)
  case noRoomInPlaylist(PlaylistName, lacking: ByteCount)
  case noFreeSpace(lacking: ByteCount)
  case noRoomToReturn
  /// There was no room for it in an earlier run, and there is none below `target` now.
  case noRoomBelowTarget(lacking: ByteCount)
  /// For the file of another quality beside the one that is here, until it takes its place.
  case noRoomBeside(lacking: ByteCount)
  /// It went only lately, and what comes and goes is no use to anybody.
  case evictedLately(until: Timestamp)
  case askedToWait(until: Timestamp)
  /// Failed so often in a row that it is not asked again in this run.
  case hostLeftAlone(RemoteURL.Origin)
  case limitReached(RunLimit)
  /// The memory is lost: this run only takes over what is there.
  case takingStock
}

/// Why an item that the manifest names is left as it is, without a file.
package enum Standing: Hashable, Sendable {
  case failedForGood(ErrorRecord)
  /// Its file stays: the one of the wanted quality could not be had.
  case upgradeFailed(ErrorRecord, to: Quality)
  case cancelled
  case removedByUser
  case missingAndSkipped
}

extension RoomPlanner.Shortage {
  package var reason: Reason {
    switch self {
    case .budget(let lacking): .noRoomInBudget(lacking: lacking)
    case .playlist(let playlist, let lacking): .noRoomInPlaylist(playlist, lacking: lacking)
    case .freeSpace(let lacking): .noFreeSpace(lacking: lacking)
    case .noRoomToReturn: .noRoomToReturn
    case .belowTarget(let lacking): .noRoomBelowTarget(lacking: lacking)
    case .beside(let lacking): .noRoomBeside(lacking: lacking)
    }
  }
}

extension Reason {
  /// Of a move: where the file lies now.
  package var origin: LibraryPath? {
    switch self {
    case .placedElsewhere(let from), .movedByHand(let from): from
    default: nil
    }
  }
}
