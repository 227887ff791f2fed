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
      (.journalLinesDamaged(3), "3 damaged journal lines skipped, a copy is kept"),
      (
        .journalUnreadable,
        "the journal of an interrupted run cannot be read, and its files are in the library"
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
        "the queue file is gone, and there is no copy to restore it from: the media in the library is taken over; "
          + "failures, and what was removed for room, are forgotten; decisions.json and plays.jsonl tell what a person "
          + "decided and what was played"
      ),
      (.stockResumed, "a run that rebuilt the state from the library was stopped before its end"),
      (.keptAside(["a", "b"]), "kept in the state folder, for you to look at: \"a\", \"b\""),
    ])
  func recoveries(note: RecoveryNote, sentence: String) { #expect(note.words == sentence) }

  @Test("lines of the queue file that were not as they were written")
  func lines() throws {
    let item = try #require(ItemID("a"))
    let many = try (1...12).map { try #require(ItemID("i\($0)")) }
    let table: [(RecoveryNote, String)] = [
      (
        .checksRenewed,
        "the queue file was rewritten by something other than syncjob; it says what was recorded, and has its checks again"
      ),
      (
        .linesEdited([item]),
        "1 line of the queue file was changed by something other than syncjob, and no file contradicts: taken as it is "
          + #"("a")"#
      ),
      (
        .linesRestored(many),
        "12 lines of the queue file were damaged, missing, or changed so that the files contradict; each item is as it was "
          + #"recorded before ("i1", "i2", "i3", "i4", "i5", "i6", "i7", "i8", "i9", "i10" and 2 more)"#
      ),
      (
        .linesRestored([]),
        "the queue file was damaged or changed outside of its items, and is as it was recorded before"
      ),
      (
        .strangerPutAside(name: "clock", keptAside: "clock.corrupt-2026"),
        "\"clock\" in the state folder was not written by syncjob; it is kept there as \"clock.corrupt-2026\", and a new one"
          + " takes its place"
      ),
      (
        .playsUnusable,
        "the log of plays (plays.jsonl) was not written by syncjob and is left alone; no play is recorded or imported until"
          + " it is moved away"
      ),
      (
        .clockDamaged(keptAside: "clock.corrupt-2026"),
        "the latest time that a run has seen (clock) is damaged; the latest time in the queue file counts instead, and the"
          + " damaged file is kept as \"clock.corrupt-2026\""
      ),
      (
        .decisionsDamaged(problem: "why", keptAside: "x"),
        "the file of decisions (decisions.json) is damaged (why); it is written anew from the queue file and its whole "
          + #"lines, and kept as "x""#
      ),
      (
        .linesLost([item], problem: "why"),
        "lines of the queue file are damaged or missing (why), and there is no earlier copy to restore them from; not "
          + #"believed: "a""#
      ),
      (
        .linesLost([], problem: nil),
        "lines of the queue file are damaged or missing, and there is no earlier copy to restore them from"
      ),
    ]
    for (note, sentence) in table { #expect(note.words == sentence) }
  }

  @Test("lines of the log of plays that are not as they were written")
  func plays() {
    let table: [(RecoveryNote, String)] = [
      (
        .playsDamaged(lines: 1, keptAside: "x"),
        "1 line of the log of plays (plays.jsonl) is damaged and left out; the counts in the queue file stay as they are, "
          + "and what was played before the last recorded play of an item is not counted again; the damaged log is kept "
          + "as \"x\""
      ),
      (
        .playsDamaged(lines: 2, keptAside: nil),
        "2 lines of the log of plays (plays.jsonl) are damaged and left out; the counts in the queue file stay as they "
          + "are, and what was played before the last recorded play of an item is not counted again"
      ),
      (
        .playsTorn(keptAside: "x"),
        "the last line of the log of plays (plays.jsonl) is torn, as after a power cut; it was not counted, and is read "
          + "again from where it came; it is kept as \"x\""
      ),
    ]
    for (note, sentence) in table { #expect(note.words == sentence) }
  }

  @Test("a stock names a few files that belong to nobody, and counts the rest")
  func stock() throws {
    let paths = try (1...7).map { try #require(LibraryPath("mix/\($0).mp3")) }
    let begin = "this run rebuilds the state: it fetches and removes nothing, and the next one goes on as usual; "
    #expect(
      RecoveryNote.stockTaken(.init(adopted: 2, lacking: 1, unmatched: [])).words
        == begin + "2 files taken over, 1 wanted item without a file")
    #expect(
      RecoveryNote.stockTaken(.init(adopted: 0, lacking: 0, unmatched: paths)).words
        == begin + "0 files taken over, 0 wanted items without a file; files that belong to no item are left alone: "
        + #""mix/1.mp3", "mix/2.mp3", "mix/3.mp3", "mix/4.mp3", "mix/5.mp3" and 2 more"#)
  }

  @Test("a part of the state that was lost is a loss, whether it could be made up for or not")
  func losses() {
    #expect(RecoveryNote.restored(from: .library, problem: nil, keptAside: nil).isLoss)
    #expect(RecoveryNote.stockResumed.isLoss && RecoveryNote.linesRestored([]).isLoss)
    #expect(!RecoveryNote.linesEdited([]).isLoss && RecoveryNote.linesEdited([]).isDoubt)
    #expect(RecoveryNote.restored(from: .library, problem: "why", keptAside: nil).isLoss)
    #expect(!RecoveryNote.journalTailTorn.isLoss && !RecoveryNote.keptAside(["a"]).isLoss)
    #expect(RecoveryNote.runForgotten.isLoss && RecoveryNote.journalUnreadable.isLoss)
  }
}
