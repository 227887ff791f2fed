// SPDX-License-Identifier: Apache-2.0
package import SyncCore

extension RecoveryNote {
  /// One sentence without a full stop.
  package var words: String {
    switch self {
    case .itemsRequeued(let count): "\(count.counted("item")) of an interrupted run put back into the queue"
    case .removalsFinished(let count): "\(count.counted("removal")) of an interrupted run finished"
    case .journalTailTorn: "the last change of an interrupted run was cut off and is set aside"
    case .journalLinesDamaged(let count): "\(count.counted("damaged journal line")) skipped, a copy is kept"
    case .journalUnreadable:
      "the journal of an interrupted run cannot be read, and its files are in the library"
    case .runForgotten:
      "the journal of the last run is lost together with the queue file, and its files are in the library"
    case .restored(let origin, let problem, let keptAside): Self.restored(origin, problem, keptAside)
    case .keptAside(let names):
      "kept in the state folder, for you to look at: \(names.map(\.quoted).joined(separator: ", "))"
    case .checksRenewed:
      "the queue file was rewritten by something other than syncjob; it says what was recorded, and has its checks again"
    case .linesEdited(let ids):
      "\(ids.count.counted("line")) of the queue file \(ids.count == 1 ? "was" : "were") changed by something other than syncjob,"
        + " and no file contradicts: taken as \(ids.count == 1 ? "it is" : "they are") (\(ids.listed))"
    case .linesRestored([]):
      "the queue file was damaged or changed outside of its items, and is as it was recorded before"
    case .linesRestored(let ids):
      "\(ids.count.counted("line")) of the queue file \(ids.count == 1 ? "was" : "were") damaged, missing, or changed so that the"
        + " files contradict; each item is as it was recorded before (\(ids.listed))"
    case .linesLost(let ids, let problem):
      "lines of the queue file are damaged or missing\(problem.map { " (\($0))" } ?? ""), and there is no earlier copy to"
        + " restore them from" + (ids.isEmpty ? "" : "; not believed: \(ids.listed)")
    case .decisionsDamaged(let problem, let keptAside):
      "the file of decisions (decisions.json) is damaged (\(problem)); it is written anew from the queue file and its whole"
        + " lines\(keptAside.map { ", and kept as \($0.quoted)" } ?? "")"
    case .playsDamaged(let lines, let keptAside):
      "\(lines.counted("line")) of the log of plays (plays.jsonl) \(lines == 1 ? "is" : "are") damaged and left out; the"
        + " counts in the queue file stay as they are, and what was played before the last recorded play of an item is not"
        + " counted again\(keptAside.map { "; the damaged log is kept as \($0.quoted)" } ?? "")"
    case .playsTorn(let keptAside):
      "the last line of the log of plays (plays.jsonl) is torn, as after a power cut; it was not counted, and is read again"
        + " from where it came\(keptAside.map { "; it is kept as \($0.quoted)" } ?? "")"
    case .strangerPutAside(let name, let keptAside):
      "\(name.quoted) in the state folder was not written by syncjob; it is kept there as \(keptAside.quoted), and a new one"
        + " takes its place"
    case .playsUnusable:
      "the log of plays (plays.jsonl) was not written by syncjob and is left alone; no play is recorded or imported until it"
        + " is moved away"
    case .clockDamaged(let keptAside):
      "the latest time that a run has seen (clock) is damaged; the latest time in the queue file counts instead, and the"
        + " damaged file is kept as \(keptAside.quoted)"
    case .stockResumed: "a run that rebuilt the state from the library was stopped before its end"
    case .stockTaken(let stock): stock.words
    }
  }

  private static func restored(_ origin: Origin, _ problem: String?, _ keptAside: String?) -> String {
    let what =
      problem.map { "the queue file could not be read (\($0))" } ?? "the queue file is gone"
    let kept = keptAside.map { "; it is kept as \($0.quoted)" } ?? ""
    switch origin {
    case .previous: return "\(what) and was restored from the one before it\(kept)"
    case .journal: return "\(what) and was restored from the journal\(kept)"
    case .library:
      return "\(what), and there is no copy to restore it from: the media in the library is taken over\(kept)"
        + "; failures, and what was removed for room, are forgotten; decisions.json and plays.jsonl tell what a person"
        + " decided and what was played"
    }
  }
}

extension RecoveryNote.Stocktaking {
  /// More are in the JSON report.
  private static let told = 5

  fileprivate var words: String {
    "this run rebuilds the state: it fetches and removes nothing, and the next one goes on as usual; "
      + "\(adopted.counted("file")) taken over, \(lacking.counted("wanted item")) without a file"
      + (unmatched.isEmpty ? "" : "; files that belong to no item are left alone: \(names)")
  }

  private var names: String {
    let first = unmatched.prefix(Self.told).map(\.text.quoted).joined(separator: ", ")
    return unmatched.count > Self.told ? "\(first) and \(unmatched.count - Self.told) more" : first
  }
}
