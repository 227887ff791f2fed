// SPDX-License-Identifier: Apache-2.0
import SyncCore
import SyncFormats
import Testing

@Suite("a reason in words")
struct ReasonWordsTests {
  private static let moment = Timestamp(secondsSince1970: 1_800_000_000)

  @Test(
    "every reason has its words",
    arguments: [
      (Reason.new, "new"), (.partialKept(ByteCount(2048)), "2.00 KiB are already downloaded"),
      (.failedBefore, "failed in an earlier run"),
      (.inputsChanged, "failed in an earlier run, and its settings have changed since"), (.lost, "its file is gone"),
      (.wantedAgain, "wanted again"),
      (.requested, "queued again by command"),
      (.playedSinceEviction, "played since it was evicted"), (.roomAgain, "evicted once, there is room again"),
      (.sameContent(.declaredChecksum), "a file with the declared checksum is in its place"),
      (.sameContent(.declaredSize), "a file of the declared size is in its place"),
      (.sameContent(.recordedHash), "a file with its recorded hash is in its place"),
      (.sameContent(.name), "a file of its name is in its place"),
      (.sameContent(.fetchedContent), "the very file was in its place already"),
      (.meteredNetwork, "the network is metered (downloads.network.metered)"),
      (
        .battery(Battery(charge: .percent(25), isCharging: false), .lowBelow),
        "the battery is at 25 % and not charging (power.low_below)"
      ),
      (.rebuilding, "this run only rebuilds the state; the next one decides about it"),
      (.otherCandidate, "it came from another candidate than the one you chose"),
      (.otherQuality(from: .normal, to: .high), "here in normal quality, wanted in high quality"),
      (
        .noRoomBeside(lacking: ByteCount(1024)),
        "waits until its new file fits beside the present one: 1.00 KiB of room are missing"
          + " (storage.evict.target, budget or storage.min_free)"
      ),
      (.publishedBeforeInterruption, "was finished when the last run was interrupted"), (.present, "present"),
      (.noLongerInSource, "kept; its source no longer lists it"), (.orphanKept, "kept; no playlist names it any more"),
      (.changedByOthers, "kept; somebody changed the file"), (.notSelectedAnymore, "kept; no longer selected"),
      (.leftManifest, "no playlist names it any more"), (.orphanEvicted, "no playlist names it, and room is needed"),
      (.lowestScore, "least used, and room is needed"), (.longestHere, "here longest, and room is needed"),
      (.noRoomInBudget(lacking: ByteCount(5)), "the budget lacks 5 B"),
      (.noFreeSpace(lacking: ByteCount(5)), "the file system lacks 5 B"),
      (
        .noRoomBelowTarget(lacking: ByteCount(1024)),
        "waits for room below storage.evict.target, which lacks 1.00 KiB"
      ),
      (.noRoomToReturn, "evicted earlier, no spare room"),
      (
        .roomHeldBack(ByteCount(2048), until: Timestamp(secondsSince1970: 1_763_704_803)),
        "2.00 KiB of the room are reserved until 2025-11-21T06:00:03Z for files that were evicted and rank higher"
      ),
      (
        .roomHeldBack(ByteCount(2048), until: nil),
        "2.00 KiB of the room are reserved for files that were evicted and rank higher"
      ),
      (.askedToWait(until: moment), "the server asked to wait until 2027-01-15T08:00:00Z"),
      (.limitReached(.transfer(ByteCount(1 << 20))), "the run has received downloads.max_transfer (1.00 MiB)"),
      (.limitReached(.duration(.seconds(5400))), "the run has lasted downloads.max_duration (1 h 30 min)"),
      (.limitReached(.transfer(ByteCount(1 << 20), setBy: .flag)), "the run has received --max-transfer (1.00 MiB)"),
      (.limitReached(.duration(.seconds(60), setBy: .environment)), "the run has lasted $SYNCJOB_MAX_DURATION (1 min)"),
    ])
  func reasons(reason: Reason, words: String) { #expect(reason.words == words) }

  @Test("a failure because of what the manifest declares names the manifest first")
  func declared() throws {
    let id = try #require(ItemID("a"))
    func words(_ kind: FailureKind) -> String {
      SkipReason.failedForGood(ErrorRecord(kind: kind, message: "why", at: Self.moment)).words(id: id)
    }
    #expect(words(.http) == "why; try again with: syncjob retry a")
    #expect(
      words(.checksum)
        == "why; correct its checksum in the manifest, or, if the server had the wrong file, try again with: "
        + "syncjob retry a")
    #expect(
      words(.size)
        == "why; correct its size in the manifest, or, if the server had the wrong file, try again with: syncjob retry a"
    )
  }

  @Test("the quality of a file says what becomes of it")
  func qualities() throws {
    let error = ErrorRecord(kind: .http, status: 404, message: "the server answered 404", at: Self.moment)
    let rows: [(QualityVerdict, String)] = [
      (.asWanted, "here in normal quality, as wanted"),
      (
        .unavailable(here: .normal, wanted: .high),
        "here in normal quality; wanted in high quality, in which no URL of it is declared, so the file stays"
      ),
      (.upgrade(.quality(from: .normal, to: .high)), "here in normal quality; wanted in high quality"),
      (
        .waiting(.quality(from: .normal, to: .high), until: Self.moment),
        "here in normal quality; wanted in high quality, which the server gives from 2027-01-15T08:00:00Z on"
      ),
      (
        .givenUp(.quality(from: .normal, to: .high), error),
        "here in normal quality; wanted in high quality, which failed: the server answered 404; "
          + "try again with: syncjob retry a"
      ),
    ]
    let id = try #require(ItemID("a"))
    for (verdict, words) in rows {
      let note = Explanation.QualityNote(here: .normal, wanted: .high, verdict: verdict)
      #expect(note.words(id: id) == words)
    }
    #expect(Quality.source.words == "the best quality")
  }

  @Test("reasons of rules name the key that can be changed")
  func rules() throws {
    let news = try #require(PlaylistName("news"))
    let rows: [(Reason, String)] = [
      (
        .movedByHand(from: try #require(LibraryPath("b/x.mp3"))),
        "found at b/x.mp3, where it was moved by hand"
      ),
      (.inProgress, "kept; no playlist names it any more, but it is half played"),
      (.droppedByRetention(news, .dropAfter(.days(7))), "drop_after: 1w (playlists.news.retain)"),
      (.longestHereOfPlaylist(news), "here longest of news, whose share has no room for more"),
      (.lowestScoreOfPlaylist(news), "least used of news, whose share has no room for more"),
      (.noRoomInPlaylist(news, lacking: ByteCount(5)), "the share of news lacks 5 B"),
      (
        .evictedLately(until: Self.moment),
        "evicted recently; returns when there is room, not before 2027-01-15T08:00:00Z; `syncjob retry` asks for it sooner"
      ),
    ]
    for (reason, words) in rows { #expect(reason.words == words) }
  }

  @Test(
    "why something is passed over, and by which key",
    arguments: [
      (
        Unselected.beforeFirstReading, "select.initial skipped it when the source was first read", "select.initial"
      ), (.beyondLatest(3), "select.latest takes the newest 3 only", "select.latest"),
      (
        .publishedBefore(moment), "select.since takes only what was published since 2027-01-15T08:00:00Z",
        "select.since"
      ), (.unmatched(.duration), "select.match.duration does not hold", "select.match.duration"),
      (.excluded(.title), "select.exclude.title matches", "select.exclude.title"),
      (.wouldBeDropped(.keepUnplayed), "retain would drop it at once (keep_unplayed)", "retain"),
    ])
  func passedOver(reason: Unselected, words: String, key: String) {
    #expect(reason.words == words)
    #expect(reason.key == key)
  }

  @Test(
    "a rule is its key and value",
    arguments: [
      (RetentionRule.atMost(5), "at_most: 5"),
      (RetentionRule.keepLast(3), "keep_last: 3"), (.keepWithin(.hours(36)), "keep_within: 36h"),
      (.keepUnplayed, "keep_unplayed"), (.dropPlayedAfter(.days(2)), "drop_played_after: 2d"),
      (.dropAfter(.zero), "drop_after: 0s"),
    ])
  func retention(rule: RetentionRule, words: String) { #expect(rule.words == words) }

  @Test(
    "what holds an item, and why a candidate is not tried",
    arguments: [
      (EvictionProtection.changedByOthers.words, "changed by others, so it is never removed"),
      (EvictionProtection.unreachable.words, "in a folder that cannot be searched"),
      (EvictionProtection.pinnedByManifest.words, "pinned by the manifest"),
      (EvictionProtection.pinnedByCommand.words, "pinned by command"),
      (
        EvictionProtection.inProgress(PlaybackPosition(offset: .seconds(754), at: moment)).words,
        "half played: playback stopped at 12:34 on 2027-01-15T08:00:00Z"
      ),
      (
        EvictionProtection.tooYoung(until: moment).words,
        "too young to be evicted until 2027-01-15T08:00:00Z (storage.evict.min_age)"
      ), (CandidateRefusal.otherVersion("live").words, "not tried: another version (\"live\")"),
      (
        CandidateRefusal.outsideTolerance(.seconds(75)).words,
        "not tried: +1 min 15 s, more than alternatives.tolerance"
      ), (CandidateRefusal.beyondMax(3).words, "not tried: alternatives.max is 3"),
      (
        CandidateRefusal.qualityUnknown.words,
        "not tried for another quality: nobody says which quality it has"
      ),
      (CandidateRefusal.switchedOff.words, "not tried: features.alternatives is off"),
    ])
  func explained(words: String, expected: String) { #expect(words == expected) }

  @Test("a host that is left alone is named, with a port that is not the usual one")
  func host() throws {
    let words = "failed too often and is left alone in this run"
    #expect(Reason.hostLeftAlone(try RemoteURL("https://a.example/x").origin).words == "a.example \(words)")
    #expect(Reason.hostLeftAlone(try RemoteURL("http://[::1]:81/x").origin).words == "[::1]:81 \(words)")
  }

  @Test("every standing says what would change it")
  func standings() throws {
    let id = try #require(ItemID("it's"))
    let error = ErrorRecord(kind: .http, status: 404, message: "the server answered 404 (not found)", at: Self.moment)
    #expect(
      SkipReason.failedForGood(error).words(id: id)
        == #"the server answered 404 (not found); try again with: syncjob retry 'it'\''s'"#)
    #expect(
      SkipReason.upgradeFailed(error, to: .quality(.high)).words(id: id)
        == #"its file stays, because the one in high quality failed: the server answered 404 (not found); "#
        + #"try again with: syncjob retry 'it'\''s'"#)
    #expect(SkipReason.paused.words(id: id) == #"paused; fetch it with: syncjob resume 'it'\''s'"#)
    #expect(SkipReason.cancelled.words(id: id) == #"cancelled; bring it back with: syncjob retry 'it'\''s'"#)
    #expect(
      SkipReason.removedByUser.words(id: id) == #"removed by command; bring it back with: syncjob retry 'it'\''s'"#)
    #expect(
      SkipReason.missingAndSkipped.words(id: id)
        == #"its file was deleted, and storage.on_missing is "skip"; bring it back with: syncjob retry 'it'\''s'"#)
  }

  @Test(
    "an id is one operand of a shell command",
    arguments: [
      ("night-drive", "night-drive"), ("news:ep_1.2/3@4%5+6=7,8", "news:ep_1.2/3@4%5+6=7,8"), ("a b", "'a b'"),
      ("$(rm)", "'$(rm)'"), ("it's", #"'it'\''s'"#), ("é", "'é'"), ("*", "'*'"), ("~", "'~'"), ("-rf", "-- -rf"),
      ("-r f", "-- '-r f'"), ("a\u{202E}b", #"'a\u{202E}b'"#),
    ])
  func shellWords(text: String, expected: String) throws {
    #expect(try #require(ItemID(text)).shellWord == expected)
  }
}
