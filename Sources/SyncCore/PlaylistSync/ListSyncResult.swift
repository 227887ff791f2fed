// SPDX-License-Identifier: Apache-2.0

/// The result of one sync of one playlist.
package struct ListSyncResult: Equatable, Sendable {
  package var playlist: PlaylistName
  /// The name of the playlist on the server.
  package var title: String
  /// The changes that came from the server.
  package var pulled: [ListChange] = []
  /// The changes that go to the server.
  package var pushed: [ListChange] = []
  /// The changes that both sides had made alike.
  package var merged: [ListChange] = []
  package var conflicts: [ListConflict] = []
  package var status = Status.done
  /// True if the server does not have the playlist, and nobody here asked for that.
  package var isMissing = false
  /// The titles of the songs, by their ids, as far as they are known.
  package var titles: [String: String] = [:]

  package enum Status: Equatable, Sendable {
    case done
    /// Nothing is sent: this is a preview.
    case planned
    /// The changes to push wait for a later sync.
    case waiting(ListSyncProblem)
  }

  package init(playlist: PlaylistName, title: String) { (self.playlist, self.title) = (playlist, title) }

  /// True if nothing changed and nothing is wrong.
  package var isEmpty: Bool { !hasChanges && status == .done }

  package var hasChanges: Bool {
    !(pulled.isEmpty && pushed.isEmpty && merged.isEmpty && conflicts.isEmpty)
  }

  /// The number of changes that the server took.
  package var pushedCount: Int { status == .done ? pushed.count : 0 }

  package func title(of element: ListElement) -> String {
    switch element {
    case .song(let id): titles[id] ?? id
    case .foreign(let line): line
    }
  }
}

/// The reason why changes were not pushed.
package enum ListSyncProblem: Hashable, Sendable {
  /// The list was not read, so nothing was merged.
  case notRead
  /// The server says that this user may not change the playlist.
  case readOnly
  /// The server refused. Holds its reason.
  case refused(reason: String)
  /// The server accepted the change, and its list is another one.
  case notTaken
  /// There was no usable answer. Holds the reason.
  case unanswered(reason: String)

  /// True if a later sync may succeed by itself.
  package var isTransient: Bool {
    switch self {
    case .notRead, .notTaken, .unanswered: true
    case .readOnly, .refused: false
    }
  }
}
