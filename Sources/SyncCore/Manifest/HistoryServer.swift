// SPDX-License-Identifier: Apache-2.0

/// A server that keeps a history of plays, as an entry of `history` names it. One of kind `listenbrainz` is only pushed
/// to.
package struct HistoryServer: Hashable, Sendable {
  /// The exchange of plays with the server.
  package enum Direction: String, CaseIterable, Sendable {
    /// Counts the server's plays here.
    case pull
    /// Sends the plays that were counted here to the server.
    case push
    case both
  }

  /// The actions that are pushed to a server of kind `gpodder`.
  package enum Actions: String, CaseIterable, Sendable {
    /// Plays and positions.
    case plays
    /// Also downloads into the library, and deletions from it.
    case all
  }

  package var server: MediaServer
  package var direction: Direction
  package var actions: Actions
  /// True if a server of kind `gpodder` is told of the feeds of this manifest, as subscriptions.
  package var subscribes = false

  package init(_ server: MediaServer, _ direction: Direction, actions: Actions = .plays) {
    (self.server, self.direction, self.actions) = (server, direction, actions)
  }

  package var pulls: Bool { direction != .push }
  package var pushes: Bool { direction != .pull }
  package var pushesAnything: Bool { pushes || subscribes }
  package var pushesFiles: Bool { pushes && actions == .all }
}
