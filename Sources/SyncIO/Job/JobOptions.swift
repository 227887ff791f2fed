// SPDX-License-Identifier: Apache-2.0
package import SyncCore
package import SyncFormats

/// What a command adds to the manifest for one run.
package struct JobOptions: Sendable {
  package var plan: PlanOptions
  /// The playlists that the run is about; nil for all.
  package var scope: Set<PlaylistName>?
  /// Stands for the system's clock.
  package var now: Timestamp?
  /// Of the jitter of waits; nil: another at each run.
  package var seed: UInt64?
  package var lockWait: Duration
  /// How long to wait for a way out of this machine.
  package var networkWait: Duration
  /// Hears, once, that another run is waited for.
  package var tellWaiting: @Sendable (LockWait) -> Void = { _ in }
  /// Of everything that the program was given, when a run that finds nothing to do may remember it.
  package var inputs: SHA256Digest?
  /// The plan that the run is to carry out, and no other.
  package var order: PlanOrder?
  /// Absolute; nil: nobody says.
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
package struct PlanOrder: Sendable {
  package var plan: SavedPlan
  /// Where it was read, for people.
  package var path: String

  package init(_ plan: SavedPlan, path: String) {
    self.plan = plan
    self.path = path
  }
}
