// SPDX-License-Identifier: Apache-2.0

/// A server that keeps a history of plays, as an entry of `history` names it.
package struct HistoryServer: Hashable, Sendable {
  package enum Direction: String, CaseIterable, Sendable {
    /// Plays that the server knows are counted here.
    case pull
    /// Plays that were counted here are told to the server.
    case push
    case both
  }

  package var server: MediaServer
  package var direction: Direction

  package init(_ server: MediaServer, _ direction: Direction) { (self.server, self.direction) = (server, direction) }

  package var pulls: Bool { direction != .push }
  package var pushes: Bool { direction != .pull }
}
