// SPDX-License-Identifier: Apache-2.0
package import SyncCore

extension Reason {
  /// The reason in a few words after the action: `download … (new)`.
  package var words: String {
    switch self {
    case .new: "new"
    case .partialKept(let bytes): "\(bytes.words) are already downloaded"
    case .failedBefore: "failed in an earlier run"
    case .inputsChanged: "failed in an earlier run, and its settings have changed since"
    case .lost: "its file is gone"
    case .wantedAgain: "wanted again"
    case .requested: "queued again by command"
    case .playedSinceEviction: "played since it was evicted"
    case .roomAgain: "evicted once, there is room again"
    case .sameContent(.declaredChecksum): "a file with the declared checksum is in its place"
    case .sameContent(.declaredSize): "a file of the declared size is in its place"
    case .sameContent(.recordedHash): "a file with its recorded hash is in its place"
    case .sameContent(.name): "a file of its name is in its place"
    case .placedElsewhere(let from): "from \(from.text.printable)"
    case .sameContent(.seal): "it was sealed for this item"
    case .sameContent(.fetchedContent): "the very file was in its place already"
    case .licenseOver(let from):
      "from \(from.text.printable); without a valid licence, so it is locked until there is one"
    case .licensedAgain: "it has a licence again"
    case .licenseRenewed: "removed when its licence was over, and there is a new one"
    case .locked: "kept and locked, without a valid licence"
    case .licenseExpired: "its licence is over (licenses.on_expiry)"
    case .protection(.seal, _): "to be sealed"
    case .protection(.unseal, _): "to be in clear again"
    case .protection(.reseal, _): "to be sealed with the new key"
    case .movedByHand(let from): "found at \(from.text.printable), where it was moved by hand"
    case .otherCandidate: "it came from another candidate than the one you chose"
    case .otherQuality(let here, let wanted): "here in \(here.words), wanted in \(wanted.words)"
    case .noRoomBeside(let lacking):
      "waits until its new file fits beside the present one: \(lacking.words) of room are missing"
        + " (storage.evict.target, budget or storage.min_free)"
    case .publishedBeforeInterruption: "was finished when the last run was interrupted"
    case .present: "present"
    case .noLongerInSource: "kept; its source no longer lists it"
    case .pushed(let change): change.words
    case .orphanKept: "kept; no playlist names it any more"
    case .changedByOthers: "kept; somebody changed the file"
    case .unreachable: "kept; its folder cannot be searched"
    case .notSelectedAnymore: "kept; no longer selected"
    case .inProgress: "kept; no playlist names it any more, but it is half played"
    case .leftManifest: "no playlist names it any more"
    case .orphanEvicted: "no playlist names it, and room is needed"
    case .droppedByRetention(let playlist, let rule): "\(rule.words) (playlists.\(playlist).retain)"
    case .lowestScore: "least used, and room is needed"
    case .longestHere: "here longest, and room is needed"
    case .longestHereOfPlaylist(let playlist): "here longest of \(playlist), whose share has no room for more"
    case .lowestScoreOfPlaylist(let playlist): "least used of \(playlist), whose share has no room for more"
    case .noRoomInBudget(let lacking): "the budget lacks \(lacking.words)"
    case .noRoomInPlaylist(let playlist, let lacking): "the share of \(playlist) lacks \(lacking.words)"
    case .noFreeSpace(let lacking): "the file system lacks \(lacking.words)"
    case .noRoomToReturn: "evicted earlier, no spare room"
    case .noRoomBelowTarget(let lacking): "waits for room below storage.evict.target, which lacks \(lacking.words)"
    case .roomHeldBack(let bytes, let until?):
      "\(bytes.words) of the room are reserved until \(until.rfc3339) for files that were evicted and rank higher"
    case .roomHeldBack(let bytes, nil):
      "\(bytes.words) of the room are reserved for files that were evicted and rank higher"
    case .evictedLately(let until):
      "evicted recently; returns when there is room, not before \(until.rfc3339); `syncjob retry` asks for it sooner"
    case .askedToWait(let until): "the server asked to wait until \(until.rfc3339)"
    case .hostLeftAlone(let host): "\(host.text.printable) failed too often and is left alone in this run"
    case .limitReached(.transfer(let bytes, let origin)):
      "the run has received \(origin.words(of: "max-transfer", key: "downloads.max_transfer")) (\(bytes.words))"
    case .limitReached(.duration(let span, let origin)):
      "the run has lasted \(origin.words(of: "max-duration", key: "downloads.max_duration")) (\(span.spanWords))"
    case .meteredNetwork: "the network is metered (downloads.network.metered)"
    case .battery(let battery, let limit): "the battery is at \(battery.words) (\(limit.key))"
    case .rebuilding: "this run only rebuilds the state; the next one decides about it"
    }
  }
}

extension PowerPolicy.Limit {
  /// The key of the manifest.
  var key: String { "power.\(rawValue)" }
}

extension Battery {
  /// As in "the battery is at …".
  var words: String { "\(charge.perMille / 10) % and \(isCharging ? "charging" : "not charging")" }
}

extension Quality {
  /// As in "the file is here in …".
  package var words: String {
    switch self {
    case .low, .normal, .high: "\(rawValue) quality"
    case .source: "the best quality"
    }
  }
}

extension Upgrade.Goal {
  /// As in "not …", about the file here.
  package var words: String {
    switch self {
    case .quality(let quality): "in \(quality.words)"
    case .candidate: "from the chosen candidate"
    case .protection: "protected as the manifest asks"
    }
  }
}

extension Explanation.QualityNote {
  /// The consequence for the present file. Nil if there is none.
  package func words(id: ItemID, _ invocation: Invocation = Invocation()) -> String? {
    switch verdict {
    case .asWanted: here.map { "here in \($0.words), as wanted" }
    case .declared(let here, let wanted):
      "here in \(here.words); wanted in \(wanted.words), but its declared checksum or size is that of the file here, so the"
        + " file stays"
    case .unavailable(let here, let wanted):
      "here in \(here.words); wanted in \(wanted.words), in which no URL of it is declared, so the file stays"
    case .upgrade(.candidate), .waiting(.candidate, _), .givenUp(.candidate, _): nil
    case .upgrade(.quality(let here, let wanted)): "here in \(here.words); wanted in \(wanted.words)"
    case .waiting(.quality(let here, let wanted), let until):
      "here in \(here.words); wanted in \(wanted.words), which the server gives from \(until.rfc3339) on"
    case .givenUp(.quality(let here, let wanted), let error):
      "here in \(here.words); wanted in \(wanted.words), which failed: \(error.message.printable); "
        + RetryWords.wayOut(of: error.kind, id, invocation)
    }
  }
}

extension SkipReason {
  /// The reason why an item has no file, and the way to change that.
  package func words(id: ItemID, _ invocation: Invocation = Invocation()) -> String {
    switch self {
    case .failedForGood(let error): "\(error.message); \(RetryWords.wayOut(of: error.kind, id, invocation))"
    case .upgradeFailed(let error, let wanted):
      error.words(ofUpgradeTo: wanted, RetryWords.wayOut(of: error.kind, id, invocation))
    case .cancelled: "cancelled; bring it back with: \(invocation.item("retry", id))"
    case .paused: "paused; fetch it with: \(invocation.item("resume", id))"
    case .removedByUser: "removed by command; bring it back with: \(invocation.item("retry", id))"
    case .notLicensed:
      "removed when its licence was over; each run asks for a new one"
    case .missingAndSkipped:
      "its file was deleted, and storage.on_missing is \"skip\"; bring it back with: \(invocation.item("retry", id))"
    }
  }
}

extension ErrorRecord {
  /// The failure of an upgrade, and what follows from it.
  func words(ofUpgradeTo wanted: Upgrade.Goal, _ next: String) -> String {
    let place =
      switch wanted {
      case .quality(let quality): "in \(quality.rawValue) quality"
      case .candidate: "of the chosen candidate"
      case .protection: "with the wanted protection"
      }
    return "its file stays, because the one \(place) failed: \(message); \(next)"
  }
}

extension RetentionRule {
  /// The key with its value.
  package var words: String {
    switch self {
    case .atMost(let count): "at_most: \(count)"
    case .keepLast(let count): "keep_last: \(count)"
    case .keepWithin(let span): "keep_within: \(DurationText.spelled(span))"
    case .keepUnplayed: "keep_unplayed"
    case .dropPlayedAfter(let span): "drop_played_after: \(DurationText.spelled(span))"
    case .dropAfter(let span): "drop_after: \(DurationText.spelled(span))"
    }
  }
}

extension Unselected {
  /// The key of the manifest that decided it.
  package var key: String {
    switch self {
    case .beforeFirstReading: "select.initial"
    case .beyondLatest: "select.latest"
    case .publishedBefore: "select.since"
    case .unmatched(let criterion): "select.match.\(criterion.rawValue)"
    case .excluded(let criterion): "select.exclude.\(criterion.rawValue)"
    case .wouldBeDropped: "retain"
    }
  }

  /// The reason why it is not fetched.
  package var words: String {
    switch self {
    case .beforeFirstReading: "select.initial skipped it when the source was first read"
    case .beyondLatest(let count): "select.latest takes the newest \(count) only"
    case .publishedBefore(let date): "select.since takes only what was published since \(date.rfc3339)"
    case .unmatched(let criterion): "select.match.\(criterion.rawValue) does not hold"
    case .excluded(let criterion): "select.exclude.\(criterion.rawValue) matches"
    case .wouldBeDropped(let rule): "retain would drop it at once (\(rule.words))"
    }
  }
}

extension ItemID {
  /// The id as one operand of a shell command.
  package var shellWord: String { text.operandWord }
}

extension String {
  /// The text as one operand of a shell command, after `--` if the command would take it for an option.
  var operandWord: String { utf8.first == UInt8(ascii: "-") ? "-- " + shellWord : shellWord }

  /// The text as one word of a shell command, quoted if the shell would interpret it.
  var shellWord: String {
    let isPlain = utf8.allSatisfy { byte in
      (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
        || "._-:/@%+=,".utf8.contains(byte)
    }
    guard !isPlain || isEmpty else { return self }
    return "'" + printable.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
  }
}
