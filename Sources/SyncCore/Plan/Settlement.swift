// SPDX-License-Identifier: Apache-2.0

/// On what it rested that a run found nothing to do.
///
/// A plan is a function of the manifest, the queue, the disk and the clock. As long as all of them say the same, the
/// next plan is as empty as the last one and need not be made: to look whether they do is all of the run.
package struct Settlement: Equatable, Sendable {
  /// Of everything that the program was given: itself, the manifest, the variables in it.
  package var inputs: SHA256Digest
  /// Of the manifest's settings, all but the playlists.
  package var settings: SHA256Digest
  /// Of the queue file.
  package var queue: SHA256Digest
  /// The marker's.
  package var libraryID: String
  package var madeAt: Timestamp
  /// Items in their place.
  package var unchanged: Int
  /// Finished bytes; there were no others.
  package var used: ByteCount
  /// In the library's root, by name.
  package var playlistFiles: [String: SHA256Digest]

  package init(
    inputs: SHA256Digest, settings: SHA256Digest, queue: SHA256Digest, libraryID: String, madeAt: Timestamp,
    unchanged: Int, used: ByteCount, playlistFiles: [String: SHA256Digest]
  ) {
    self.inputs = inputs
    self.settings = settings
    self.queue = queue
    self.libraryID = libraryID
    self.madeAt = madeAt
    self.unchanged = unchanged
    self.used = used
    self.playlistFiles = playlistFiles
  }

  /// Once a day the whole road is gone again, whatever seems to be the same.
  package static let lifetime = Duration.days(1)

  /// - Parameter now: a clock that was set back, or far ahead, is nothing to rely on.
  package func isTimely(_ now: Timestamp) -> Bool {
    now >= madeAt && now - madeAt < Self.lifetime && ClockRule.isPlausible(now, latestSeen: madeAt)
  }
}

extension Plan {
  /// Nothing is to be done, now or later, and nothing is to be said.
  package var isSettled: Bool {
    changes.count == count(.keep) - settledItems && bookkeeping.isEmpty && standing.isEmpty && heldBack == 0
      && !emptiesTrash && !expiresTrash && strayPartials.isEmpty && recovered.isEmpty && changedByOthers.isEmpty
      && warnings.isEmpty && safetyStop == nil && storage.partial == .zero && storage.trash == .zero
  }

  /// The plan of a run that found a settlement to hold.
  /// - Parameter free: on the file system of the library.
  package init(_ settlement: Settlement, budget: ByteCount?, free: ByteCount, now: Timestamp) {
    let storage = StorageForecast(
      budget: budget, before: settlement.used, after: settlement.used, partial: .zero, trash: .zero, free: free)
    self.init(generatedAt: now, changes: [], bookkeeping: [], storage: storage)
    settledItems = settlement.unchanged
  }
}
