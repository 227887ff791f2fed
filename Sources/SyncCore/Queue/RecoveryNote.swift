// SPDX-License-Identifier: Apache-2.0

/// A defect found in the state at the start of a run, and the remedy.
package enum RecoveryNote: Hashable, Sendable {
  /// The data from which the state was restored instead of the queue file.
  package enum Origin: String, CaseIterable, Sendable { case previous, journal, library }

  /// Items were in progress when a run ended.
  case itemsRequeued(Int)
  /// Removals that an earlier run recorded but did not finish.
  case removalsFinished(Int)
  case journalTailTorn
  case journalLinesDamaged(Int)
  /// The journal has no whole line, although the run that wrote it had put files into the library.
  case journalUnreadable
  /// The queue file was lost together with the changes of the run that wrote it.
  case runForgotten
  /// - Parameters:
  ///   - problem: The problem with the queue file, in words. Nil if the file is gone.
  ///   - keptAside: The present name of the damaged file. Nil if nothing was to be changed.
  case restored(from: Origin, problem: String?, keptAside: String?)
  /// The names of all damaged files in the state folder.
  case keptAside([String])
  /// Another program rewrote the queue file without changing the recorded contents. Its checks were renewed.
  case checksRenewed
  /// Items whose lines were edited by hand. The lines agree with the files and are accepted.
  case linesEdited([ItemID])
  /// Items whose lines were damaged, or edited so that they contradict the files. They are restored to the last record.
  /// Empty if only the text outside the lines was damaged.
  case linesRestored([ItemID])
  /// Items whose lines are damaged and cannot be restored. Missing lines cannot be named.
  /// - Parameter problem: The problem with the queue file, in words.
  case linesLost([ItemID], problem: String?)
  /// The decisions file is damaged. It is rewritten from its whole lines and the queue.
  /// - Parameters:
  ///   - problem: The problem with the file, in words.
  ///   - keptAside: The present name of the damaged file. Nil if nothing was to be changed.
  case decisionsDamaged(problem: String, keptAside: String?)
  /// Lines of the log of plays are damaged. They are left out of it.
  /// - Parameter keptAside: The name of the copy of the damaged log. Nil if nothing was to be changed.
  case playsDamaged(lines: Int, keptAside: String?)
  /// The last line of the log of plays was being written when the machine stopped.
  case playsTorn(keptAside: String?)
  /// Something with the name of a helper in the state folder could not be one, and a new one takes its place.
  case strangerPutAside(name: String, keptAside: String)
  /// The log of plays could not be one: it is a folder, a link or a pipe, or far too large. It is left alone.
  case playsUnusable
  /// The latest time that any run has seen is damaged. The latest time in the queue file takes its place.
  case clockDamaged(keptAside: String)
  /// A rebuild was stopped before it was complete.
  case stockResumed
  case stockTaken(Stocktaking)

  /// The result of a rebuild: a run that adopts the files in the library because the state is lost.
  /// It fetches and removes nothing.
  package struct Stocktaking: Hashable, Sendable {
    package var adopted: Int
    /// Selected items without a matching file.
    package var lacking: Int
    /// Media that seems to belong to no item.
    package var unmatched: [LibraryPath]
    package init(adopted: Int, lacking: Int, unmatched: [LibraryPath]) {
      self.adopted = adopted
      self.lacking = lacking
      self.unmatched = unmatched
    }
  }

  /// The damaged file that this note says was kept.
  package var keptAside: String? {
    switch self {
    case .restored(_, _, let name), .decisionsDamaged(_, let name), .playsDamaged(_, let name), .playsTorn(let name):
      name
    case .strangerPutAside(_, let name), .clockDamaged(let name): name
    default: nil
    }
  }

  /// True if recorded data seems to be lost.
  package var isLoss: Bool {
    switch self {
    case .journalLinesDamaged, .journalUnreadable, .runForgotten, .restored, .linesRestored, .linesLost,
      .decisionsDamaged, .playsDamaged, .playsUnusable, .stockResumed:
      true
    case .itemsRequeued, .removalsFinished, .journalTailTorn, .playsTorn, .keptAside, .strangerPutAside, .clockDamaged,
      .checksRenewed,
      .linesEdited,
      .stockTaken:
      false
    }
  }

  /// True if everybody who reads the queue should know about this.
  package var isDoubt: Bool {
    switch self {
    case .linesEdited, .checksRenewed: true
    default: isLoss
    }
  }
}
