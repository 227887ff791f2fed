// SPDX-License-Identifier: Apache-2.0
import SyncCore

/// The names and members of event lines.
extension RunEvent {
  /// Nil for what is no line of its own.
  var name: String? {
    switch self {
    case .began: "run_started"
    case .planned: "plan_ready"
    case .started: "item_started"
    case .retrying, .switched: "item_retrying"
    case .completed, .adopted, .moved: "item_completed"
    case .failed: "item_failed"
    case .paused: "item_paused"
    case .deferred: "item_deferred"
    case .removed: "item_removed"
    case .offlineStateChanged: "item_offline_state_changed"
    case .sourceRead(let source): source.isProblem ? "source_failed" : nil
    case .storageFailed: "warning"
    case .listSynced: "sync_finished"
    case .awaitingNetwork, .worked, .asked, .progressed, .spent, .cleaned, .trashEmptied, .warned, .historyRead,
      .historyPushed:
      nil
    }
  }

  /// - Parameter ownMessage: False for a line that has a sentence about the event already.
  func writeFields(_ writer: inout JSONWriter, ownMessage: Bool = true) {
    switch self {
    case .began(let runID, let name):
      writer.field("run_id", runID)
      writer.field("name", name)
    case .planned(let plan): plan.writeFields(&writer)
    case .listSynced(let result): result.writeMembers(&writer)
    case .sourceRead(let source): source.writeFields(&writer, ownMessage: ownMessage)
    case .storageFailed(let failure):
      writer.field("kind", failure.kind.rawValue)
      writer.field("message", ownMessage ? failure.words : nil)
    case .awaitingNetwork, .worked, .asked, .progressed, .cleaned, .trashEmptied, .warned, .historyRead, .historyPushed:
      break
    default: writeItem(&writer, ownMessage: ownMessage)
    }
  }

  private func writeItem(_ writer: inout JSONWriter, ownMessage: Bool) {
    switch self {
    case .started(let id, let candidate, let offset):
      writer.field("id", id.text)
      writer.field("candidate", candidate)
      writer.field("bytes", offset.bytes)
    case .retrying(let id, let failure, let attempt, let wait):
      writer.field("id", id.text)
      writer.write(failure, message: ownMessage)
      writer.field("attempts", attempt)
      writer.field("wait_seconds", (wait.inSeconds * 1000).rounded() / 1000)
    case .switched(let id, let failure, let candidate):
      writer.field("id", id.text)
      writer.write(failure, message: ownMessage)
      writer.field("candidate", candidate)
      writer.field("wait_seconds", 0)
    case .completed(let id, let completion):
      writer.field("id", id.text)
      completion.writeFields(&writer)
    case .adopted(let id, let file, _):
      writer.field("id", id.text)
      writer.field("action", "adopt")
      writer.field("path", file.path.text)
      writer.field("bytes", file.size.bytes)
    case .moved(let id, let from, let file):
      writer.field("id", id.text)
      writer.field("action", "move")
      writer.field("from", from.text)
      writer.field("path", file.path.text)
      writer.field("bytes", file.size.bytes)
    default: writeUnfinished(&writer, ownMessage: ownMessage)
    }
  }

  private func writeUnfinished(_ writer: inout JSONWriter, ownMessage: Bool) {
    switch self {
    case .failed(let id, let error, let host, let isTemporary, let requests, let seconds):
      writer.field("id", id.text)
      writer.field("host", host)
      writer.field("kind", error.kind.rawValue)
      writer.field("status", error.status)
      writer.field("message", ownMessage ? error.message : nil)
      writer.field("temporary", isTemporary)
      writer.field("attempts", requests)
      writer.field("seconds", (seconds * 1000).rounded() / 1000)
    case .paused(let id, let kept):
      writer.field("id", id.text)
      writer.field("bytes", kept.bytes)
    case .deferred(let id, let reason):
      writer.field("id", id.text)
      writer.write(reason.facts, reason.words)
    case .removed(let id, let cause, let freed):
      writer.field("id", id.text)
      writer.field("cause", cause.rawValue)
      writer.field("bytes", freed.bytes)
    case .offlineStateChanged(let id, let state, let expiresAt):
      writer.field("id", id.text)
      writer.field("offline_state", state.rawValue)
      writer.field("expires_at", expiresAt?.rfc3339)
    default: break
    }
  }
}

extension SourceSummary {
  fileprivate var isProblem: Bool { problem != nil }

  fileprivate func writeFields(_ writer: inout JSONWriter, ownMessage: Bool) {
    writer.field("playlist", playlist.text)
    writer.field("location", location)
    guard case .problem(let problem) = outcome else { return }
    writer.field("message", ownMessage ? problem.words : nil)
    writer.field("temporary", !isPermanentFailure)
    writer.field("failing_since", health.failure?.since.rfc3339)
    writer.field("items", items)
  }
}

extension Plan {
  fileprivate func writeFields(_ writer: inout JSONWriter) {
    writer.object("changes") { writer in
      for action in Step.Action.allCases where count(action) > 0 { writer.field(action.rawValue, count(action)) }
    }
    writer.field("bytes", (bytes(.download) + bytes(.resume) + bytes(.upgrade)).bytes)
    writer.field("safety_stop", safetyStop?.words)
  }
}

extension Completion {
  var action: String { replaced != nil ? "upgrade" : resumed > .zero ? "resume" : "download" }

  fileprivate func writeFields(_ writer: inout JSONWriter) {
    writer.field("action", action)
    writer.field("path", file.path.text)
    writer.field("quality", file.quality?.rawValue)
    writer.field("bytes", file.size.bytes)
    writer.field("bytes_downloaded", fetched.bytes)
    writer.field("bytes_resumed", resumed > .zero ? resumed.bytes : nil)
    writer.field("seconds", (seconds * 1000).rounded() / 1000)
    writer.field("attempts", requests)
    writer.field("candidate", file.candidate)
    writer.field("origin", file.origin?.named)
  }
}

extension JSONWriter {
  fileprivate mutating func write(_ failure: Failure, message: Bool) {
    field("kind", failure.kind.rawValue)
    field("status", failure.status)
    field("message", message ? failure.words : nil)
  }
}

extension Warning {
  /// A stable name for programs.
  var kind: String {
    switch self {
    case .usageAboveWarning: "usage"
    case .pinsOverBudget: "pins_over_budget"
    case .protectedOverBudget: "protected_over_budget"
    case .overBudget: "over_budget"
    case .playlistOverBudget: "playlist_over_budget"
    case .pinsOverShare: "pins_over_share"
    case .freeSpaceBelowMinimum: "free_space"
    case .changedByOthers: "changed_by_others"
    case .notMoved: "not_moved"
    case .notRemoved: "not_removed"
    case .sourceNotWhole, .serverNotRead, .sourceMoved, .sourceEmpty, .sourceStale: "source"
    case .listingFlaw, .moreListingFlaws: "feed"
    case .privateAddress: "private_address"
    case .searchUnavailable: "search"
    case .reportNotWritten, .reportNotAmended: "report"
    case .pingFailed: "ping"
    case .hookFailed, .hookLeftOut: "hook"
    case .qualityLimited: "power"
    case .historyNotRead, .historyZoneAssumed, .playsWaiting, .playsDropped, .notSubscribed, .outboxUnusable,
      .outboxDamaged:
      "history"
    case .list: "playlist"
    case .playLogMissing: "play_log"
    case .implausibleClock: "clock"
    case .recovered: "recovered"
    case .stateOpenToOthers, .stateReadableByOthers: "state"
    case .folderPassedOver: "folder_passed_over"
    case .folderObstructed: "folder_obstructed"
    case .folderClosed: "folder_closed"
    case .filesUnreachable: "files_unreachable"
    case .playlistFileTaken: "playlist_file_taken"
    case .runUnderWay: "run_under_way"
    case .protectionGoesOn: "protection_goes_on"
    case .trashInClear: "trash_in_clear"
    case .sealedFilesStay: "sealed_files_stay"
    case .sealedByLicense: "sealed_by_license"
    case .notLicensed, .manyNotLicensed: "not_licensed"
    case .keysDestroyed: "keys_destroyed"
    case .licensesDue: "licenses_due"
    case .licensesDamaged: "licenses_damaged"
    case .sealedFilesNotOpened: "sealed_files_not_opened"
    case .notProtected: "not_protected"
    case .sharedDisk: "shared_disk"
    case .secretIsPublic: "secret"
    case .offline: "offline"
    case .hostLeftAlone: "host_left_alone"
    case .durationDiffers, .durationsUnknown: "duration"
    case .tagsNotWritten, .notTagged, .notAttached: "tags"
    }
  }
}
