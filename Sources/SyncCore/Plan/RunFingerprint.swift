// SPDX-License-Identifier: Apache-2.0

/// The basis of a run that found nothing to do.
///
/// A plan is a function of the manifest, the queue, the disk and the clock. While all of them are unchanged, the next
/// plan is as empty as the last one and need not be made: the run only checks that they are unchanged.
package struct RunFingerprint: Equatable, Sendable {
  /// The digest of all inputs of the program: the program itself, its arguments, the manifest and the variables in it.
  package var inputs: SHA256Digest
  /// The digest of what identifies the state of the manifest's history files.
  package var histories: SHA256Digest
  /// The digest of the queue file.
  package var queue: SHA256Digest
  /// The id in the library's marker.
  package var libraryID: String
  package var madeAt: Timestamp
  /// The number of items in their place.
  package var unchanged: Int
  /// The size of the finished files. There were no others.
  package var used: ByteCount
  /// The playlist files in the library's root, by name.
  package var playlistFiles: [String: SHA256Digest]

  package init(
    inputs: SHA256Digest, histories: SHA256Digest, queue: SHA256Digest, libraryID: String, madeAt: Timestamp,
    unchanged: Int, used: ByteCount, playlistFiles: [String: SHA256Digest]
  ) {
    self.inputs = inputs
    self.histories = histories
    self.queue = queue
    self.libraryID = libraryID
    self.madeAt = madeAt
    self.unchanged = unchanged
    self.used = used
    self.playlistFiles = playlistFiles
  }

  /// The time after which a run makes a full plan again, even if nothing seems to have changed.
  package static let lifetime = Duration.days(1)

  /// - Parameter now: The current time. A clock that was set back or far ahead makes the fingerprint invalid.
  package func isTimely(_ now: Timestamp) -> Bool {
    now >= madeAt && now - madeAt < Self.lifetime && ClockRule.isPlausible(now, latestSeen: madeAt)
  }
}

extension Plan {
  /// True if nothing is to be done, now or later, and nothing is to be reported.
  package var isUpToDate: Bool {
    steps.indices.allSatisfy { steps[$0].isDone } && bookkeeping.isEmpty && heldBack == 0
      && !emptiesTrash && !expiresTrash && strayPartials.isEmpty && recovered.isEmpty && changedByOthers.isEmpty
      && warnings.isEmpty && safetyStop == nil && storage.partial == .zero && storage.trash == .zero
  }

  /// Creates the plan of a run whose fingerprint still holds.
  /// - Parameter free: The free space on the library's file system.
  package init(_ fingerprint: RunFingerprint, budget: ByteCount?, free: ByteCount, now: Timestamp) {
    let storage = StorageForecast(
      budget: budget, before: fingerprint.used, after: fingerprint.used, partial: .zero, trash: .zero, free: free)
    self.init(generatedAt: now, steps: [], bookkeeping: [], storage: storage)
    unlistedKept = fingerprint.unchanged
  }
}

extension Step {
  /// True if nothing remains to be done or reported about the item.
  fileprivate var isDone: Bool {
    switch self {
    case .keep(let item): item.$failedUpgrade == nil
    case .ignore: true
    default: false
    }
  }
}
