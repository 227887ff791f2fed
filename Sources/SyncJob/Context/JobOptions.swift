// SPDX-License-Identifier: Apache-2.0
package import SyncCore
package import SyncFormats

/// The settings that a command adds to the manifest for one run.
package struct JobOptions: Sendable {
  package var plan: PlanOptions
  /// The playlists that the run covers; nil for all.
  package var scope: Set<PlaylistName>?
  /// Replaces the system's clock.
  package var now: Timestamp?
  /// The seed for the jitter of waits; nil for another one at each run.
  package var seed: UInt64?
  package var lockWait: Duration
  /// The time to wait for a route out of this machine.
  package var networkWait: Duration
  /// Called once when the command waits for another run.
  package var onLockWait: @Sendable (LockWait) -> Void = { _ in }
  /// A digest of everything that the program was given, if a run that finds nothing to do may record it.
  package var inputs: SHA256Digest?
  /// The only plan that the run may carry out.
  package var savedPlan: SavedPlanRequest?
  /// An absolute path; nil when it is not known.
  package var manifestPath: String?
  package init(
    plan: PlanOptions, scope: Set<PlaylistName>? = nil, now: Timestamp? = nil, seed: UInt64? = nil,
    lockWait: Duration = .zero, networkWait: Duration = .zero
  ) {
    self.plan = plan
    self.scope = scope
    self.now = now
    self.seed = seed
    self.lockWait = lockWait
    self.networkWait = networkWait
  }
}

/// A saved plan that is to be carried out.
package struct SavedPlanRequest: Sendable {
  package var plan: SavedPlan
  /// The path that it was read from, for messages.
  package var path: String

  package init(_ plan: SavedPlan, path: String) {
    self.plan = plan
    self.path = path
  }
}
