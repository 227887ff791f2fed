// SPDX-License-Identifier: Apache-2.0
import SyncCore

/// A reason for programs: a code that stays the same from version to version, and what its sentence says as fields.
struct ReasonFacts {
  enum Value {
    case text(String)
    case number(Int64)
  }

  let code: String
  let fields: [(name: String, value: Value)]

  init(_ code: String, _ fields: (name: String, value: Value)...) {
    self.code = code
    self.fields = fields
  }

  fileprivate init(_ code: String, by rule: RetentionRule, of playlist: PlaylistName? = nil) {
    self.code = code
    fields = rule.fields + (playlist.map { [("of_playlist", .text($0.text))] } ?? [])
  }
}

extension JSONWriter {
  /// `reason`, `reason_text` and the facts, as members of the current object.
  mutating func write(_ facts: ReasonFacts, _ words: String) {
    field("reason", facts.code)
    field("reason_text", words)
    writeFields(of: facts)
  }

  /// `code` and the facts, as members of the current object.
  mutating func write(_ facts: ReasonFacts) {
    field("code", facts.code)
    writeFields(of: facts)
  }

  private mutating func writeFields(of facts: ReasonFacts) {
    for (name, value) in facts.fields {
      switch value {
      case .text(let text): field(name, text)
      case .number(let number): field(name, number)
      }
    }
  }
}

extension Reason {
  // Without a default, so that a new reason cannot be forgotten.
  var facts: ReasonFacts {
    switch self {
    case .new: ReasonFacts("new")
    case .pushed(let change): change.facts
    case .partialKept(let bytes): ReasonFacts("partial_kept", ("kept_bytes", .number(bytes.bytes)))
    case .failedBefore: ReasonFacts("failed_before")
    case .inputsChanged: ReasonFacts("inputs_changed")
    case .lost: ReasonFacts("lost")
    case .wantedAgain: ReasonFacts("wanted_again")
    case .requested: ReasonFacts("requested")
    case .playedSinceEviction: ReasonFacts("played_since_eviction")
    case .roomAgain: ReasonFacts("room_again")
    case .sameContent(let proof): ReasonFacts("same_content", ("proof", .text(proof.code)))
    case .otherCandidate: ReasonFacts("other_candidate")
    case .otherQuality(let here, let wanted):
      ReasonFacts(
        "other_quality", ("from_quality", .text(here.rawValue)), ("to_quality", .text(wanted.rawValue)))
    case .noRoomBeside(let lacking): ReasonFacts("no_room_beside", ("lacking_bytes", .number(lacking.bytes)))
    case .publishedBeforeInterruption: ReasonFacts("published_before_interruption")
    case .licenseOver(let from): ReasonFacts("license_over", ("from", .text(from.text)))
    case .licensedAgain(let from): ReasonFacts("licensed_again", ("from", .text(from.text)))
    case .licenseRenewed: ReasonFacts("license_renewed")
    case .locked: ReasonFacts("locked")
    case .licenseExpired: ReasonFacts("license_expired")
    case .placedElsewhere(let from): ReasonFacts("placed_elsewhere", ("from", .text(from.text)))
    case .protection(let change, let from): ReasonFacts(change.code, ("from", .text(from.text)))
    case .movedByHand(let from): ReasonFacts("moved_by_hand", ("from", .text(from.text)))
    case .present: ReasonFacts("present")
    case .noLongerInSource: ReasonFacts("no_longer_in_source")
    case .orphanKept: ReasonFacts("orphan_kept")
    case .changedByOthers: ReasonFacts("changed_by_others")
    case .unreachable: ReasonFacts("unreachable")
    case .notSelectedAnymore: ReasonFacts("not_selected")
    case .inProgress: ReasonFacts("in_progress")
    case .leftManifest: ReasonFacts("left_manifest")
    case .droppedByRetention(let playlist, let rule):
      ReasonFacts("dropped_by_retention", by: rule, of: playlist)
    case .orphanEvicted: ReasonFacts("orphan_evicted")
    case .lowestScore: ReasonFacts("lowest_score")
    case .longestHere: ReasonFacts("longest_here")
    case .lowestScoreOfPlaylist(let playlist):
      ReasonFacts("lowest_score_of_playlist", ("of_playlist", .text(playlist.text)))
    case .longestHereOfPlaylist(let playlist):
      ReasonFacts("longest_here_of_playlist", ("of_playlist", .text(playlist.text)))
    case .noRoomInBudget(let lacking): ReasonFacts("no_room_in_budget", ("lacking_bytes", .number(lacking.bytes)))
    case .noRoomInPlaylist(let playlist, let lacking):
      ReasonFacts(
        "no_room_in_playlist", ("of_playlist", .text(playlist.text)), ("lacking_bytes", .number(lacking.bytes)))
    case .noFreeSpace(let lacking): ReasonFacts("no_free_space", ("lacking_bytes", .number(lacking.bytes)))
    case .noRoomToReturn: ReasonFacts("no_room_to_return")
    case .noRoomBelowTarget(let lacking):
      ReasonFacts("no_room_below_target", ("lacking_bytes", .number(lacking.bytes)))
    case .roomHeldBack(let bytes, let until?):
      ReasonFacts("room_held_back", ("held_bytes", .number(bytes.bytes)), ("until", .text(until.rfc3339)))
    case .roomHeldBack(let bytes, nil): ReasonFacts("room_held_back", ("held_bytes", .number(bytes.bytes)))
    case .evictedLately(let until): ReasonFacts("evicted_lately", ("until", .text(until.rfc3339)))
    case .askedToWait(let until): ReasonFacts("asked_to_wait", ("until", .text(until.rfc3339)))
    case .hostLeftAlone(let host): ReasonFacts("host_left_alone", ("host", .text(host.text)))
    case .limitReached(.transfer(let bytes, _)): ReasonFacts("max_transfer", ("limit_bytes", .number(bytes.bytes)))
    case .limitReached(.duration(let span, _)):
      ReasonFacts("max_duration", ("limit_seconds", .number(Int64(span.inSeconds))))
    case .meteredNetwork: ReasonFacts("metered_network")
    case .battery(let battery, let limit):
      ReasonFacts(
        "battery", ("charge_percent", .number(Int64(battery.charge.perMille / 10))),
        ("state", .text(battery.isCharging ? "charging" : "discharging")), ("limit", .text(limit.key)))
    case .rebuilding: ReasonFacts("rebuilding")
    }
  }
}

extension AdoptionProof {
  fileprivate var code: String {
    switch self {
    case .declaredChecksum: "declared_checksum"
    case .declaredSize: "declared_size"
    case .recordedHash: "recorded_hash"
    case .name: "name"
    case .fetchedContent: "fetched_content"
    case .seal: "seal"
    }
  }
}

extension RetentionRule {
  /// The key, and its value.
  fileprivate var fields: [(name: String, value: ReasonFacts.Value)] {
    switch self {
    case .atMost(let count): [("rule", .text("at_most")), ("rule_items", .number(Int64(count)))]
    case .keepLast(let count): [("rule", .text("keep_last")), ("rule_items", .number(Int64(count)))]
    case .keepWithin(let span): [("rule", .text("keep_within")), ("rule_seconds", .number(Int64(span.inSeconds)))]
    case .keepUnplayed: [("rule", .text("keep_unplayed"))]
    case .dropPlayedAfter(let span):
      [("rule", .text("drop_played_after")), ("rule_seconds", .number(Int64(span.inSeconds)))]
    case .dropAfter(let span): [("rule", .text("drop_after")), ("rule_seconds", .number(Int64(span.inSeconds)))]
    }
  }
}

extension Unselected {
  var facts: ReasonFacts {
    switch self {
    case .beforeFirstReading: ReasonFacts("before_first_reading")
    case .beyondLatest(let count): ReasonFacts("beyond_latest", ("latest", .number(Int64(count))))
    case .publishedBefore(let date): ReasonFacts("published_before", ("since", .text(date.rfc3339)))
    case .unmatched(let criterion): ReasonFacts("unmatched", ("criterion", .text(criterion.rawValue)))
    case .excluded(let criterion): ReasonFacts("excluded", ("criterion", .text(criterion.rawValue)))
    case .wouldBeDropped(let rule): ReasonFacts("would_be_dropped", by: rule)
    }
  }
}

extension SkipReason {
  var facts: ReasonFacts {
    switch self {
    case .failedForGood(let error): ReasonFacts("failed_for_good", ("kind", .text(error.kind.rawValue)))
    case .upgradeFailed(let error, let wanted):
      ReasonFacts(
        "upgrade_failed", ("kind", .text(error.kind.rawValue)),
        ("wanted", .text(wanted.quality?.rawValue ?? "chosen_candidate")))
    case .cancelled: ReasonFacts("cancelled")
    case .paused: ReasonFacts("paused")
    case .removedByUser: ReasonFacts("removed_by_user")
    case .notLicensed: ReasonFacts("not_licensed")
    case .missingAndSkipped: ReasonFacts("missing_and_skipped")
    }
  }
}

extension SafetyStop {
  var facts: ReasonFacts {
    switch self {
    case .tooManyRemovals(let count, let limit, let finished, let origin):
      ReasonFacts(
        "too_many_removals", ("items", .number(Int64(count))), ("limit", .number(Int64(limit))),
        ("of_items", .number(Int64(finished))), ("limit_set_by", .text(origin.code)))
    case .tooManyDepartures(let count, let earlier, let limit, let base, let origin):
      ReasonFacts(
        "too_many_departures", ("items", .number(Int64(count))), ("earlier_items", .number(Int64(earlier))),
        ("limit", .number(Int64(limit))), ("of_items", .number(Int64(base))), ("limit_set_by", .text(origin.code)))
    }
  }
}

extension LimitOrigin {
  fileprivate var code: String {
    switch self {
    case .manifest: "manifest"
    case .environment: "environment"
    case .flag: "flag"
    }
  }
}

extension ListChange {
  fileprivate var facts: ReasonFacts {
    let code = ListOrigin.here.code(kind)
    return position.map { ReasonFacts(code, ("position", .number(Int64($0)))) } ?? ReasonFacts(code)
  }
}
