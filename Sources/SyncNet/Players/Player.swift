// SPDX-License-Identifier: Apache-2.0
package import SyncCore
package import SyncFormats

/// A track for a player.
package struct PlayerTrack: Hashable, Sendable {
  package enum Source: Hashable, Sendable {
    /// The absolute path of a file.
    case file(String)
    /// A sealed file, served on this machine.
    case stream(url: String)
  }

  /// The number by which reports name it. No two tracks of a session have the same.
  package var number: Int
  package var source: Source
  /// The path in the library, for messages.
  package var path: LibraryPath
  /// The position to begin at.
  package var start: Duration

  package init(number: Int, source: Source, path: LibraryPath, start: Duration) {
    (self.number, self.source, self.path, self.start) = (number, source, path, start)
  }
}

/// The state of a player, and the events since its last report.
package struct PlayerReport: Hashable, Sendable {
  package enum Ending: Hashable, Sendable {
    /// It was played to its end.
    case end
    /// Something else is played instead.
    case left
    /// The player does not tell whether it was played to its end.
    case unknown
    /// It could not be played.
    case failed(String)
  }

  package struct Ended: Hashable, Sendable {
    package var number: Int
    package var ending: Ending
  }

  /// The number of the track that plays. Nil if none of ours does.
  package var current: Int?
  /// Nil until the track is open.
  package var position: Duration?
  package var duration: Duration?
  package var isPaused = false
  /// In the order of their ends.
  package var ended: [Ended] = []
}

/// A player that works through tracks.
package protocol Player: Sendable {
  /// The source of the plays in the log.
  nonisolated var kind: PlaySource { get }
  /// Plays a track now. Everything else that it was given is dropped.
  /// - Returns: Nil if it takes the track.
  func play(_ track: PlayerTrack) async throws(PlayerProblem) -> TrackProblem?
  /// Has a track follow the last one, without a gap where the player can.
  func enqueue(_ track: PlayerTrack) async throws(PlayerProblem) -> TrackProblem?
  /// Waits until something happens, and tells it.
  /// - Parameter time: The longest time to wait.
  func report(within time: Duration) async throws(PlayerProblem) -> PlayerReport
  func setPaused(_ isPaused: Bool) async throws(PlayerProblem)
  /// Moves in the present track. A negative distance goes back.
  func seek(by distance: Duration) async throws(PlayerProblem)
  /// Stops what it was given, and undoes what was changed about it. Ends the player if it was started here.
  func end() async
}
