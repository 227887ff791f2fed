// SPDX-License-Identifier: Apache-2.0

/// The kinds of actions that are pushed to servers. The raw values are those of the outbox.
package enum PushedAction: String, CaseIterable, Sendable {
  /// A play, or the position at which playback left an item.
  case play
  /// A file came into the library.
  case download
  /// A person or a rule removed a file from the library.
  case delete

  var isAboutFile: Bool { self == .download || self == .delete }

  /// The word for several actions.
  package enum Noun: String, Sendable { case play, action }
}

/// An action about the file of an item.
package struct FileAction: Equatable, Sendable {
  package var kind: PushedAction
  package var at: Timestamp

  package init(_ kind: PushedAction, at: Timestamp) { (self.kind, self.at) = (kind, at) }
}

extension QueueItem {
  /// The actions that bring a server up to date with the item's file. Another file in its place, a file that room required
  /// to go, and one that came back after that are no news.
  /// - Parameter last: The last action that was recorded for the server. Nil if none was.
  package func fileActions(after last: FileAction?) -> [FileAction] {
    guard let file = lastFile else { return [] }
    var (actions, last): ([FileAction], FileAction?) = ([], last)
    func add(_ kind: PushedAction, at time: Timestamp) {
      // A restored file has its former time.
      let action = FileAction(kind, at: last.map { max(time, $0.at + .seconds(1)) } ?? time)
      actions.append(action)
      last = action
    }
    let isHere = state.storedFile != nil
    if last?.kind != .download, isHere || last.map({ file.completedAt > $0.at }) ?? true {
      add(.download, at: file.completedAt)
    }
    if case .removed(let removal) = state, removal.isDecided, last?.kind == .download { add(.delete, at: removal.at) }
    return actions
  }
}

extension Removal {
  /// True if a person, or a rule that a person wrote for the item, removed the file.
  fileprivate var isDecided: Bool {
    switch cause {
    case .user, .retention: true
    case .evicted, .orphan, .lost, .expired: false
    }
  }
}
