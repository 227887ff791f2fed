// SPDX-License-Identifier: Apache-2.0
import SyncCore

extension ListTrouble {
  /// One sentence without a full stop.
  func words(of playlist: PlaylistName) -> String {
    "playlist \(playlist.text.quoted): \(reason(playlist))"
  }

  private func reason(_ playlist: PlaylistName) -> String {
    switch self {
    case .fileNotText(let file):
      "\(file.quoted) is not text any more, so nothing is taken from it and it stays as it is; delete it, and the next"
        + " run writes it again"
    case .fileEmpty(let file):
      "\(file.quoted) has no song of the playlist any more, which is not taken for a wish to remove them all; delete the file, and"
        + " the next run writes it again, or remove songs with `syncjob playlist remove`"
    case .fileCut(let file, let spared):
      "\(file.quoted) has lost its last line, as a file does that was cut; \(spared.counted("song")) at its end"
        + " \(spared == 1 ? "stays" : "stay") in the playlist; remove songs with `syncjob playlist remove`, or keep"
        + " that line"
    case .linesKept(let file, let count, let first):
      "\(file.quoted) names \(count == 1 ? "1 entry" : "\(count) entries") that \(count == 1 ? "is not a song" : "are not songs") of the"
        + " server (\(first.quoted)\(count > 1 ? ", …" : "")); such entries stay in the file, and the server does not"
        + " get them"
    case .stateDamaged:
      "its state in the state folder was damaged and is kept aside; changes made here since the last sync are lost,"
        + " and the server's list counts"
    case .stateUnusable(let error): "its state cannot be used, so it is not synced: \(error.words)"
    case .notPushed(let waiting, let problem):
      "\(waiting.counted("change")) \(waiting == 1 ? "waits" : "wait") for the server: \(problem.words)"
    case .editsDropped(let count):
      "it is not synced any more, so \(count.counted("change")) made here \(count == 1 ? "is" : "are") dropped"
    }
  }
}

extension ListSyncProblem {
  /// A part of a sentence.
  package var words: String {
    switch self {
    case .notRead: "its list was not read; the next run tries again"
    case .readOnly:
      "the server says that this user may not change the playlist; ask its owner, or write sync: pull in the manifest"
    case .refused(let reason):
      "the server refused (\(reason)); see whether this user owns the playlist, or write sync: pull in the manifest"
    case .notTaken: "the server accepted the list, and has another one; the next run merges them"
    case .unanswered(let reason): "\(reason); the next run tries again"
    }
  }
}

extension ListChange {
  /// The reason of a change that a server is told.
  var words: String {
    let place = kind == .removed ? nil : position
    return ListOrigin.here.words(kind) + (place.map { ", place \($0)" } ?? "")
  }
}

/// The side on which a change was made.
enum ListOrigin: String, CaseIterable {
  case here, there, both

  /// The reason of a change, for programs.
  func code(_ kind: ListChange.Kind) -> String { "\(kind.rawValue)_\(self == .both ? "on_both_sides" : rawValue)" }

  /// The reason of a change.
  func words(_ kind: ListChange.Kind) -> String {
    switch self {
    case .here: "\(kind.rawValue) here"
    case .there: "\(kind.rawValue) on the server"
    case .both: "\(kind.rawValue) on both sides"
    }
  }
}

extension ListConflict {
  /// The reason for the side that was taken.
  package var words: String {
    let side = taken == .local ? "the change made here" : "the change made on the server"
    switch kind {
    case .movedTwice: return "moved to different places on both sides; \(side) counts"
    case .addedTwice: return "added at different places on both sides; \(side) counts"
    case .removedHereMovedThere: return "removed here and moved on the server; \(side) counts"
    case .movedHereRemovedThere: return "moved here and removed on the server; \(side) counts"
    case .deletedHereEditedThere:
      return "the playlist was deleted here and edited on the server; "
        + (taken == .local ? "it is deleted" : "it stays")
    case .editedHereDeletedThere:
      return "the playlist was edited here and deleted on the server; "
        + (taken == .local ? "it is made again" : "the changes made here are dropped")
    }
  }
}
