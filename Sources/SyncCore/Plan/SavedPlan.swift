// SPDX-License-Identifier: Apache-2.0

/// A stored plan, to be carried out later only if it still matches a new one.
package struct SavedPlan: Equatable, Sendable {
  package var generatedAt: Timestamp
  package var outline: PlanOutline
  package var record: PlanRecord
  /// The reason, in words, why nothing in the plan may be done.
  package var refusal: String?

  package init(generatedAt: Timestamp, outline: PlanOutline, record: PlanRecord, refusal: String? = nil) {
    self.generatedAt = generatedAt
    self.outline = outline
    self.record = record
    self.refusal = refusal
  }
}

/// The basis of a plan, used to check later if it still holds.
package struct PlanRecord: Equatable, Sendable {
  package var basis: PlanBasis
  /// Selected items that were not yet in the queue. Items that a source lists later are not part of the plan.
  package var considered: Set<ItemID>

  package init(basis: PlanBasis, considered: Set<ItemID>) {
    self.basis = basis
    self.considered = considered
  }
}

/// Everything that determines a plan, except the clock and the free space.
package struct PlanBasis: Equatable, Sendable {
  package var inputs: PlanInputs
  /// The flags that shape a plan. The same flags apply when it is carried out.
  package var options: PlanOptions
  /// The playlists in the plan. Nil for all.
  package var scope: Set<PlaylistName>?
  /// The id in the library's marker. Nil before the first run.
  package var libraryID: String?
  /// The digest of everything in the queue about sources and items.
  package var queue: SHA256Digest
  /// The digest of everything observed in the library.
  package var library: SHA256Digest

  package init(
    inputs: PlanInputs, options: PlanOptions, scope: Set<PlaylistName>?, libraryID: String?, queue: SHA256Digest,
    library: SHA256Digest
  ) {
    self.inputs = inputs
    self.options = options
    self.scope = scope
    self.libraryID = libraryID
    self.queue = queue
    self.library = library
  }
}

/// The inputs of the program: the program itself, the manifest, the variables that it names, and the folder to which its
/// relative paths refer.
package struct PlanInputs: Equatable, Sendable {
  /// The absolute path of the manifest.
  package var manifest: String
  package var manifestDigest: SHA256Digest
  package var variables: SHA256Digest
  package var program: SHA256Digest

  package init(manifest: String, manifestDigest: SHA256Digest, variables: SHA256Digest, program: SHA256Digest) {
    self.manifest = manifest
    self.manifestDigest = manifestDigest
    self.variables = variables
    self.program = program
  }

  /// The first input that differs in `now`. Nil if all are the same.
  package func staleness(_ now: PlanInputs) -> PlanStaleness? {
    if manifestDigest != now.manifestDigest || manifest != now.manifest { return .manifest }
    if variables != now.variables { return .variables }
    return program == now.program ? nil : .program
  }
}

/// The reason why a saved plan is not carried out.
package enum PlanStaleness: Error, Hashable, Sendable {
  case manifest
  case variables
  case program
  /// The plan's time is in the future.
  case fromTheFuture(Timestamp)
  case anotherLibrary
  case queue
  case library
  case difference(PlanDifference)
  /// These sources could not be read as they were then.
  case unread([UnreadSource], PlanDifference)
}

/// A source that could not be read whole.
package struct UnreadSource: Hashable, Sendable {
  package var playlist: PlaylistName
  package var problem: SourceProblem

  package init(playlist: PlaylistName, problem: SourceProblem) {
    self.playlist = playlist
    self.problem = problem
  }
}
