// SPDX-License-Identifier: Apache-2.0
import SyncFormats
import Testing

@testable import SyncCore

@Suite("words about saved plans")
struct PlanWordsTests {
  private func step(_ action: Step.Action, _ path: String? = "mix/A.mp3", bytes: Int64? = 2048) throws
    -> OutlinedStep
  {
    OutlinedStep(
      id: try #require(ItemID("a")), action: action, path: path.flatMap { LibraryPath($0) },
      bytes: bytes.map { ByteCount($0) })
  }

  @Test("a difference names the item and says what would become of it now")
  func differences() throws {
    for (difference, words) in [
      (PlanDifference.added(try step(.evict)), "\"a\" (mix/A.mp3) would be evicted now, which was not planned"),
      (.added(try step(.download, nil)), "\"a\" would be downloaded now, which was not planned"),
      (.dropped(try step(.move)), "\"a\" (mix/A.mp3) would not be moved now"),
      (.changed(try step(.download), try step(.resume)), "\"a\" (mix/A.mp3) would be resumed now, not downloaded"),
      (
        .changed(try step(.download), try step(.download, "mix/B.mp3")),
        "\"a\" would be downloaded as \"mix/B.mp3\" now, not as \"mix/A.mp3\""
      ),
      (
        .changed(try step(.download, bytes: nil), try step(.download)),
        "\"a\" (mix/A.mp3) would be downloaded with 2.00 KiB now, not with an unknown size"
      ),
      (
        .changed(try step(.download, bytes: 248_901), try step(.download, bytes: 248_900)),
        "\"a\" (mix/A.mp3) would be downloaded with 248900 bytes now, not with 248901 bytes"
      ),
      (
        .changed(try step(.download, bytes: 4096), try step(.download)),
        "\"a\" (mix/A.mp3) would be downloaded with 2.00 KiB now, not with 4.00 KiB"
      ),
      (.trash(.emptied), "the trash would be emptied now"), (.trash(.expired), "old trash would be removed now"),
      (.trash(.kept), "the trash would be kept now"),
    ] {
      #expect(difference.words == words)
    }
  }

  @Test("a plan that does not hold says why, that nothing was done, and how to make it anew")
  func stale() {
    let invocation = Invocation(manifest: "/home/anna/my car.yaml")
    for (staleness, words) in [
      (PlanStaleness.manifest, "the manifest was changed"),
      (
        .variables,
        "a variable that the manifest names has another value, or a manifest from a pipe is in another folder"
      ),
      (.program, "it was made by another build of this program"),
      (
        .fromTheFuture(Timestamp(secondsSince1970: 1_800_000_000)),
        "it was made for 2027-01-15T08:00:00Z, which has not come yet"
      ),
      (.anotherLibrary, "the library is another one"),
      (.queue, "the state was changed by an earlier `apply` of it, a run, a command or a history file"),
      (.library, "files in the library, partial downloads or the trash have changed"),
      (.difference(.trash(.emptied)), "the trash would be emptied now"),
    ] {
      let error = JobError.stalePlan(path: "car.plan", staleness)
      #expect(
        error.words(invocation) == "the plan in \"car.plan\" no longer holds: \(words); nothing was done. "
          + "Make a new one with: syncjob plan -o car.plan '/home/anna/my car.yaml'")
      #expect(error.status == .safety)
    }
  }

  @Test("a source that could not be read is named before what differs, and of many the first")
  func unread() throws {
    func source(_ name: String) throws -> UnreadSource {
      UnreadSource(playlist: try #require(PlaylistName(name)), problem: .empty)
    }
    let difference = PlanDifference.dropped(try step(.download))
    #expect(
      PlanStaleness.unread([try source("news")], difference).words
        == "news: the source is empty; and \"a\" (mix/A.mp3) would not be downloaded now")
    #expect(
      PlanStaleness.unread(try ["a", "b", "c", "d", "e"].map(source), difference).words
        == "a: the source is empty; b: the source is empty; c: the source is empty; 2 more sources could not be read; "
        + "and \"a\" (mix/A.mp3) would not be downloaded now")
  }

  @Test("a file that is no saved plan says what is wrong with it and what to name instead")
  func bad() {
    let none = JobError.badPlan(path: "x", .missingField(.file, field: "basis"))
    #expect(
      none.words()
        == "cannot apply \"x\": it does not say what it rests on; write one that does with: syncjob plan -o FILE")
    let newer = JobError.badPlan(path: "x", .newerVersion(found: 2, known: 1))
    #expect(
      newer.words()
        == "cannot apply \"x\": it has version 2, and version 1 is known; name a file that `syncjob plan -o` wrote")
    #expect(newer.status == .fatal)
  }

  @Test("a plan that removes too much is refused with its own reason")
  func refused() {
    let stop = SafetyStop.tooManyRemovals(count: 11, limit: 10, finished: 30)
    let error = JobError.refusedPlan(path: "car.plan", reason: stop.words)
    #expect(
      error.words(Invocation(manifest: "car.yaml"))
        == "the plan in \"car.plan\" must not be applied: 11 of 30 finished items would be removed, more than "
        + "storage.max_delete allows (10); look at it with `syncjob plan`, then allow it once with --max-delete 11, "
        + "as a flag of: syncjob plan -o car.plan car.yaml")
    #expect(error.status == .safety)
  }

  @Test("a saved plan says what to do with it")
  func saved() {
    var plan = Plan(
      generatedAt: Timestamp(secondsSince1970: 0), steps: [], bookkeeping: [],
      storage: StorageForecast(before: .zero, after: .zero, partial: .zero, trash: .zero, free: .zero))
    #expect(
      PlanWords.saved("-my plan", plan) == "Saved as \"-my plan\". Carry it out with: syncjob apply -- '-my plan'")
    plan.safetyStop = .tooManyRemovals(count: 11, limit: 10, finished: 30)
    #expect(PlanWords.saved("car.plan", plan) == "Saved as \"car.plan\", which `syncjob apply` refuses.")
  }
}
