// SPDX-License-Identifier: Apache-2.0
import SyncCore
import SyncFormats
import Testing

@Suite("a recovery in words")
struct RecoveryWordsTests {
  @Test(
    "every recovery",
    arguments: [
      (RecoveryNote.itemsRequeued(1), "1 item of an interrupted run put back into the queue"),
      (.itemsRequeued(2), "2 items of an interrupted run put back into the queue"),
      (.removalsFinished(1), "1 removal of an interrupted run finished"),
      (.journalTailTorn, "the last change of an interrupted run was cut off and is set aside"),
      (.journalLinesDamaged(3), "3 damaged journal lines passed over, a copy is kept"),
      (
        .journalUnreadable,
        "nothing of the journal of an interrupted run can be read, and its files are in the library"
      ),
      (
        .runForgotten,
        "the journal of the last run is lost together with the queue file, and its files are in the library"
      ),
      (
        .restored(from: .previous, problem: "why", keptAside: "x"),
        "the queue file could not be read (why) and was restored from the one before it; it is kept as \"x\""
      ),
      (
        .restored(from: .previous, problem: nil, keptAside: nil),
        "the queue file is gone and was restored from the one before it"
      ),
      (
        .restored(from: .journal, problem: "why", keptAside: nil),
        "the queue file could not be read (why) and was restored from the journal"
      ),
      (
        .restored(from: .library, problem: nil, keptAside: nil),
        "the queue file is gone, and there is nothing to restore it from: what is in the library is taken over; "
          + "pins, plays and failures are forgotten"
      ),
      (.stockResumed, "a run that took over what is in the library was stopped before it had all of it"),
      (.keptAside(["a", "b"]), "kept in the state folder, for you to look at: \"a\", \"b\""),
    ])
  func recoveries(note: RecoveryNote, sentence: String) { #expect(note.words == sentence) }

  @Test("a stock names a few files that belong to nobody, and counts the rest")
  func stock() throws {
    let paths = try (1...7).map { try #require(LibraryPath("mix/\($0).mp3")) }
    let begin = "because of that this run takes stock: it fetches and removes nothing, the next one goes on as usual; "
    #expect(
      RecoveryNote.stockTaken(.init(adopted: 2, lacking: 1, unmatched: [])).words
        == begin + "2 files taken over, 1 wanted item without a file")
    #expect(
      RecoveryNote.stockTaken(.init(adopted: 0, lacking: 0, unmatched: paths)).words
        == begin + "0 files taken over, 0 wanted items without a file; media of no known item, which stays as it is: "
        + #""mix/1.mp3", "mix/2.mp3", "mix/3.mp3", "mix/4.mp3", "mix/5.mp3" and 2 more"#)
  }

  @Test("only what is lost for good is a loss")
  func losses() {
    #expect(!RecoveryNote.restored(from: .library, problem: nil, keptAside: nil).isLoss)
    #expect(RecoveryNote.restored(from: .library, problem: "why", keptAside: nil).isLoss)
    #expect(!RecoveryNote.journalTailTorn.isLoss && !RecoveryNote.keptAside(["a"]).isLoss)
    #expect(RecoveryNote.runForgotten.isLoss && RecoveryNote.journalUnreadable.isLoss)
  }
}
