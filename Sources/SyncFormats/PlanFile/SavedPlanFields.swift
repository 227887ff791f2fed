// SPDX-License-Identifier: Apache-2.0
import SyncCore

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
  case id, action, path, bytes
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
