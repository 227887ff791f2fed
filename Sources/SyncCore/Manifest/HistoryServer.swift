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

  package var server: MediaServer
  package var direction: Direction

  package init(_ server: MediaServer, _ direction: Direction) { (self.server, self.direction) = (server, direction) }

  package var pulls: Bool { direction != .push }
  package var pushes: Bool { direction != .pull }
}
