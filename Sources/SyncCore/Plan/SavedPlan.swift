// SPDX-License-Identifier: Apache-2.0

/// A plan that was written down, to be carried out later and only if it still is what would be planned.
package struct SavedPlan: Equatable, Sendable {
  package var generatedAt: Timestamp
  package var outline: PlanOutline
  package var record: PlanRecord
  /// Why nothing of it may be done, in words.
  package var refusal: String?

  package init(generatedAt: Timestamp, outline: PlanOutline, record: PlanRecord, refusal: String? = nil) {
    self.generatedAt = generatedAt
    self.outline = outline
    self.record = record
    self.refusal = refusal
  }
}

/// What a plan rested on, for whoever wants to know later whether it still holds.
package struct PlanRecord: Equatable, Sendable {
  package var basis: PlanBasis
  /// Wanted items that the queue did not know yet: what a source brings later is not in the plan.
  package var considered: Set<ItemID>

  package init(basis: PlanBasis, considered: Set<ItemID>) {
    self.basis = basis
    self.considered = considered
  }
}

/// Everything that a plan is a function of, the clock and the free space left out.
package struct PlanBasis: Equatable, Sendable {
  package var inputs: PlanInputs
  /// The flags that shape a plan; the same ones shape it when it is applied.
  package var options: PlanOptions
  /// The playlists that it is about; nil for all.
  package var scope: Set<PlaylistName>?
  /// The marker's; nil before the library's first run.
  package var libraryID: String?
  /// Of all that the queue says of sources and items.
  package var queue: SHA256Digest
  /// Of all that was seen in the library.
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

/// What the program was given: itself, the manifest, and the variables that this names.
package struct PlanInputs: Equatable, Sendable {
  /// Its absolute path.
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

  /// What is another thing in `now`; nil when all is the same.
  package func staleness(_ now: PlanInputs) -> PlanStaleness? {
    if manifestDigest != now.manifestDigest || manifest != now.manifest { return .manifest }
    if variables != now.variables { return .variables }
    return program == now.program ? nil : .program
  }
}

/// Why a saved plan is not carried out.
package enum PlanStaleness: Error, Hashable, Sendable {
  case manifest
  case variables
  case program
  /// It was made at a time that has not come yet.
  case fromTheFuture(Timestamp)
  case anotherLibrary
  case queue
  case library
  case difference(PlanDifference)
  /// Those sources could not be read as they were then.
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
