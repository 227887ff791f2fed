// SPDX-License-Identifier: Apache-2.0

/// What was found out of order in the job's memory when a run began, and what was made of it.
package enum RecoveryNote: Hashable, Sendable {
  /// What the memory was put together from instead of the queue file.
  package enum Origin: String, CaseIterable, Sendable { case previous, journal, library }

  /// A run ended while these were going on.
  case itemsRequeued(Int)
  /// That a run recorded and did not live to carry out.
  case removalsFinished(Int)
  case journalTailTorn
  case journalLinesDamaged(Int)
  /// Not one line of it is whole, although the run that wrote it had put files into the library.
  case journalUnreadable
  /// The queue file was lost together with the changes of the run that wrote it.
  case runForgotten
  /// - Parameters:
  ///   - problem: what is wrong with the queue file, in words; nil when it is gone.
  ///   - keptAside: the damaged file's name now; nil when nothing was to be changed.
  case restored(from: Origin, problem: String?, keptAside: String?)
  /// Names, in the state folder, of everything that was damaged.
  case keptAside([String])
  /// Something else than syncjob wrote the queue file, and everything that it says was recorded so.
  case checksRenewed
  /// Items whose lines somebody edited; they agree with their files and are taken as they are.
  case linesEdited([ItemID])
  /// Items whose lines were damaged, or edited so that they contradict their files: they are as they were recorded
  /// before. None: it was what stands outside of the lines.
  case linesRestored([ItemID])
  /// Items whose lines are damaged, with nothing that tells what they said; lines that are missing cannot be named.
  /// - Parameter problem: what is wrong with the queue file, in words.
  case linesLost([ItemID], problem: String?)
  /// The file of decisions is damaged: what its whole lines and the queue say is written anew.
  /// - Parameters:
  ///   - problem: what is wrong with it, in words.
  ///   - keptAside: its name now; nil when nothing was to be changed.
  case decisionsDamaged(problem: String, keptAside: String?)
  /// A run that took stock was stopped before it had all of it.
  case stockResumed
  case stockTaken(Stocktaking)

  /// A run that fetches and removes nothing, because the memory is lost: it takes over what is in the library.
  package struct Stocktaking: Hashable, Sendable {
    package var adopted: Int
    /// Wanted items that no file was found for.
    package var lacking: Int
    /// Media that belongs to no item, as far as can be told.
    package var unmatched: [LibraryPath]
    package init(adopted: Int, lacking: Int, unmatched: [LibraryPath]) {
      self.adopted = adopted
      self.lacking = lacking
      self.unmatched = unmatched
    }
  }

  /// The file that this note says is kept aside.
  package var keptAside: String? {
    switch self {
    case .restored(_, _, let name), .decisionsDamaged(_, let name): name
    default: nil
    }
  }

  /// Something that was remembered is lost, as far as can be told.
  package var isLoss: Bool {
    switch self {
    case .journalLinesDamaged, .journalUnreadable, .runForgotten, .restored, .linesRestored, .linesLost,
      .decisionsDamaged,
      .stockResumed:
      true
    case .itemsRequeued, .removalsFinished, .journalTailTorn, .keptAside, .checksRenewed, .linesEdited, .stockTaken:
      false
    }
  }

  /// Whoever looks at the queue should know of it.
  package var isDoubt: Bool {
    switch self {
    case .linesEdited, .checksRenewed: true
    default: isLoss
    }
  }
}
