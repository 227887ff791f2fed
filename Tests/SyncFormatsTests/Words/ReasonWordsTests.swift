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
      (Reason.new, "new"), (.partialKept(ByteCount(2048)), "2.00 KiB are here already"),
      (.failedBefore, "failed in an earlier run"), (.lost, "its file is gone"), (.wantedAgain, "wanted again"),
      (.playedSinceEviction, "played since it was evicted"), (.roomAgain, "evicted once, there is room again"),
      (.sameContent(.declaredChecksum), "a file with the declared checksum is in its place"),
      (.sameContent(.declaredSize), "a file of the declared size is in its place"),
      (.sameContent(.recordedHash), "a file with its recorded hash is in its place"),
      (.sameContent(.name), "a file of its name is in its place"),
      (.takingStock, "this run only takes stock; the next one fetches it"),
      (.publishedBeforeInterruption, "was finished when the last run was interrupted"), (.present, "present"),
      (.noLongerInSource, "kept; its source no longer lists it"), (.orphanKept, "kept; no playlist names it any more"),
      (.changedByOthers, "kept; somebody changed the file"), (.notSelectedAnymore, "kept; no longer selected"),
      (.leftManifest, "no playlist names it any more"), (.orphanEvicted, "no playlist names it, and room is needed"),
      (.lowestScore, "least used, and room is needed"),
      (.noRoomInBudget(lacking: ByteCount(5)), "the budget lacks 5 B"),
      (.noFreeSpace(lacking: ByteCount(5)), "the file system lacks 5 B"),
      (.noRoomToReturn, "evicted earlier, no spare room"),
      (.askedToWait(until: moment), "the server asked to wait until 2027-01-15T08:00:00Z"),
      (.limitReached(.transfer(ByteCount(1 << 20))), "the run has received downloads.max_transfer (1.00 MiB)"),
      (.limitReached(.duration(.seconds(5400))), "the run has lasted downloads.max_duration (1 h 30 min)"),
    ])
  func reasons(reason: Reason, words: String) { #expect(reason.words == words) }

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
      Standing.failedForGood(error).words(id: id)
        == #"the server answered 404 (not found); try again with: syncjob retry 'it'\''s'"#)
    #expect(Standing.cancelled.words(id: id) == #"cancelled; bring it back with: syncjob retry 'it'\''s'"#)
    #expect(Standing.removedByUser.words(id: id) == #"removed by command; bring it back with: syncjob retry 'it'\''s'"#)
    #expect(Standing.missingAndSkipped.words(id: id) == #"its file was deleted, and storage.on_missing is "skip""#)
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
