// SPDX-License-Identifier: Apache-2.0
package import SyncCore

extension SavedPlan {
  /// Reads the output of `Plan.json` with a record.
  package static func decode(_ bytes: [UInt8]) throws(QueueFileProblem) -> SavedPlan {
    var cursor = try QueueCursor(document: bytes)
    return try cursor.savedPlan()
  }
}

/// The parts of a saved plan while it is read.
private struct SavedPlanDraft {
  var format: String?
  var version: Int?
  var generatedAt: Timestamp?
  var steps: [OutlinedStep]?
  var trash = PlanOutline.Trash.kept
  var refusal: String?
  var basis: PlanBasis?
  var considered: Set<ItemID>?
}

extension QueueCursor {
  fileprivate mutating func savedPlan() throws(QueueFileProblem) -> SavedPlan {
    var draft = SavedPlanDraft()
    try object(SavedPlanField.keys) { cursor, key throws(QueueFileProblem) in
      cursor.owner = .file
      guard case .known(let field) = key else { return try cursor.skip() }
      cursor.field = field.rawValue
      try cursor.read(field, into: &draft)
    }
    try finish()
    guard draft.format != nil else { throw .wrongFormat(found: nil) }
    guard draft.version != nil else { throw missing(.version) }
    guard let generatedAt = draft.generatedAt else { throw missing(.generatedAt) }
    guard let steps = draft.steps else { throw missing(.changes) }
    // A plan as `plan --json` prints it is not meant to be carried out: it has no record of its basis.
    guard let basis = draft.basis else { throw missing(.basis) }
    guard let considered = draft.considered else { throw missing(.considered) }
    return SavedPlan(
      generatedAt: generatedAt, outline: PlanOutline(steps: steps, trash: draft.trash),
      record: PlanRecord(basis: basis, considered: considered), refusal: draft.refusal)
  }

  private func missing(_ field: SavedPlanField) -> QueueFileProblem { .missingField(.file, field: field.rawValue) }

  private mutating func read(_ field: SavedPlanField, into draft: inout SavedPlanDraft) throws(QueueFileProblem) {
    switch field {
    case .format:
      draft.format = try string()
      if draft.format != Plan.format { throw .wrongFormat(found: draft.format) }
    case .version: draft.version = try version(upTo: Plan.version)
    case .generatedAt: draft.generatedAt = try timestamp()
    case .changes: draft.steps = try steps()
    case .trash: draft.trash = try parsed { PlanOutline.Trash(rawValue: $0) }
    case .safetyStop: draft.refusal = try string()
    case .basis: draft.basis = try planBasis()
    case .considered:
      var ids: Set<ItemID> = []
      try array { cursor throws(QueueFileProblem) in ids.insert(try cursor.parsed { ItemID($0) }) }
      draft.considered = ids
    }
  }

  /// Reads the changes that alter the library.
  private mutating func steps() throws(QueueFileProblem) -> [OutlinedStep] {
    var steps: [OutlinedStep] = []
    var position = 0
    var seen: Set<ItemID> = []
    try array { cursor throws(QueueFileProblem) in
      position += 1
      let step = try cursor.step(position)
      guard seen.insert(step.id).inserted else { throw .duplicateID(step.id) }
      if step.action.altersLibrary { steps.append(step) }
    }
    return steps
  }

  private mutating func step(_ position: Int) throws(QueueFileProblem) -> OutlinedStep {
    var id: ItemID?
    var action: Step.Action?
    var path: LibraryPath?
    var size: ByteCount?
    var quality: Quality?
    owner = .item(id: nil, position: position)
    try object(PlannedStepField.keys) { cursor, key throws(QueueFileProblem) in
      guard case .known(let field) = key else { return try cursor.skip() }
      cursor.field = field.rawValue
      switch field {
      case .id:
        let known = try cursor.parsed { ItemID($0) }
        cursor.owner = .item(id: known.text, position: position)
        id = known
      case .action: action = try cursor.parsed { Step.Action(rawValue: $0) }
      case .path: path = try cursor.libraryPath()
      case .bytes: size = try cursor.bytes()
      case .quality: quality = try cursor.parsed { Quality(rawValue: $0) }
      }
    }
    guard let id else { throw missing(PlannedStepField.id.rawValue) }
    guard let action else { throw missing(PlannedStepField.action.rawValue) }
    return OutlinedStep(id: id, action: action, path: path, bytes: size, quality: quality)
  }

  private mutating func planBasis() throws(QueueFileProblem) -> PlanBasis {
    var digests: [PlanBasisField: SHA256Digest] = [:]
    var manifest: String?
    var libraryID: String?
    var shape: (scope: Set<PlaylistName>?, options: PlanOptions)?
    try object(PlanBasisField.keys) { cursor, key throws(QueueFileProblem) in
      guard case .known(let field) = key else { return try cursor.skip() }
      cursor.field = "basis.\(field.rawValue)"
      switch field {
      case .manifest: manifest = try cursor.parsed { $0.hasPrefix("/") && !$0.utf8.contains(0) ? $0 : nil }
      case .libraryID: libraryID = try cursor.string()
      case .options: shape = try cursor.planOptions()
      case .manifestDigest, .variables, .program, .queue, .library:
        digests[field] = try cursor.parsed { SHA256Digest(hex: $0) }
      }
    }
    func digest(_ field: PlanBasisField) throws(QueueFileProblem) -> SHA256Digest {
      guard let digest = digests[field] else { throw missing("basis.\(field.rawValue)") }
      return digest
    }
    guard let manifest else { throw missing("basis.manifest") }
    guard let shape else { throw missing("basis.options") }
    let inputs = PlanInputs(
      manifest: manifest, manifestDigest: try digest(.manifestDigest), variables: try digest(.variables),
      program: try digest(.program))
    return PlanBasis(
      inputs: inputs, options: shape.options, scope: shape.scope, libraryID: libraryID, queue: try digest(.queue),
      library: try digest(.library))
  }

  private mutating func planOptions() throws(QueueFileProblem) -> (scope: Set<PlaylistName>?, options: PlanOptions) {
    var scope: Set<PlaylistName>?
    var (evict, download): (Bool?, Bool?)
    var limit: StoragePolicy.DeleteLimit?
    try object(PlanOptionField.keys) { cursor, key throws(QueueFileProblem) in
      guard case .known(let field) = key else { return try cursor.skip() }
      cursor.field = "basis.options.\(field.rawValue)"
      switch field {
      case .playlists:
        var names: Set<PlaylistName> = []
        try cursor.array { cursor throws(QueueFileProblem) in names.insert(try cursor.parsed { PlaylistName($0) }) }
        scope = names
      case .evict: evict = try cursor.bool()
      case .download: download = try cursor.bool()
      case .maxDelete: limit = try cursor.parsed { DeleteLimitText.read($0) }
      }
    }
    guard let limit else { throw missing("basis.options.max_delete") }
    var options = PlanOptions(maxDelete: limit)
    guard let evict else { throw missing("basis.options.evict") }
    guard let download else { throw missing("basis.options.download") }
    (options.mayEvict, options.mayDownload) = (evict, download)
    return (scope, options)
  }
}

/// The members of a saved plan that its reader knows.
enum SavedPlanField: String, CaseIterable {
  case format, version
  case generatedAt = "generated_at"
  case changes, trash
  case safetyStop = "safety_stop"
  case basis, considered
  static let keys = JSONKeys<Self>()
}

enum PlannedStepField: String, CaseIterable {
  case id, action, path, bytes, quality
  static let keys = JSONKeys<Self>()
}

enum PlanBasisField: String, CaseIterable {
  case manifest
  case manifestDigest = "manifest_sha256"
  case variables = "variables_sha256"
  case program = "program_sha256"
  case options
  case libraryID = "library_id"
  case queue = "queue_sha256"
  case library = "library_sha256"
  static let keys = JSONKeys<Self>()
}

enum PlanOptionField: String, CaseIterable {
  case playlists, evict, download
  case maxDelete = "max_delete"
  static let keys = JSONKeys<Self>()
}

extension JSONWriter {
  /// Writes the two members that a plan needs to be applied.
  mutating func members(_ record: PlanRecord) {
    startLine()
    object("basis") { writer in writer.members(record.basis) }
    startLine()
    array("considered") { writer in for id in record.considered.sorted() { writer.value(id.text) } }
    endLine()
  }

  private mutating func members(_ basis: PlanBasis) {
    field(PlanBasisField.manifest.rawValue, basis.inputs.manifest)
    field(PlanBasisField.manifestDigest.rawValue, basis.inputs.manifestDigest.hex)
    field(PlanBasisField.variables.rawValue, basis.inputs.variables.hex)
    field(PlanBasisField.program.rawValue, basis.inputs.program.hex)
    object(PlanBasisField.options.rawValue) { writer in
      if let scope = basis.scope {
        writer.array(PlanOptionField.playlists.rawValue) { writer in
          for name in scope.sorted() { writer.value(name.text) }
        }
      }
      writer.field(PlanOptionField.evict.rawValue, basis.options.mayEvict)
      writer.field(PlanOptionField.download.rawValue, basis.options.mayDownload)
      writer.field(PlanOptionField.maxDelete.rawValue, DeleteLimitText.spelled(basis.options.maxDelete))
    }
    field(PlanBasisField.libraryID.rawValue, basis.libraryID)
    field(PlanBasisField.queue.rawValue, basis.queue.hex)
    field(PlanBasisField.library.rawValue, basis.library.hex)
  }
}
