// SPDX-License-Identifier: Apache-2.0

/// A problem with a synced playlist that a person should know about.
package enum ListTrouble: Hashable, Sendable {
  /// The playlist file is not text. Nothing is taken from it, and it stays.
  case fileNotText(String)
  /// The playlist file has no song of the playlist any more. Nothing is taken from it, and it stays.
  case fileEmpty(String)
  /// The playlist file has lost its end. The songs that are missing there stay in the playlist.
  case fileCut(String, spared: Int)
  /// Lines of the playlist file that are not songs of the server. They stay here.
  case linesKept(String, count: Int, first: String)
  /// The state of the playlist was damaged. Its local changes are lost, and the server's list counts.
  case stateDamaged
  /// The state of the playlist cannot be read or written, so it is not synced.
  case stateUnusable(FileError)
  /// The changes wait, or the server does not take them.
  case notPushed(waiting: Int, ListSyncProblem)
  /// The playlist is not synced any more, so its local changes are dropped.
  case editsDropped(Int)
}

extension ListTrouble {
  /// True if changes of a person are lost, or will be unless somebody acts.
  package var isLasting: Bool {
    switch self {
    case .stateDamaged, .stateUnusable, .editsDropped, .fileNotText: true
    case .notPushed(_, let problem): !problem.isTransient
    case .fileEmpty, .fileCut, .linesKept: false
    }
  }

  /// True if a later run may push what this one could not.
  package var isForLater: Bool { if case .notPushed(_, let problem) = self { problem.isTransient } else { false } }
}
