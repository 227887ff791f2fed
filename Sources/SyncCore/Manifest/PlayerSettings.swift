// SPDX-License-Identifier: Apache-2.0

/// The player that `play` hands items to (`player`).
package struct PlayerSettings: Equatable, Sendable {
  /// The raw values are those of `player.program`.
  package enum Program: String, CaseIterable, Sendable {
    case auto, mpv, mpd
  }

  /// The volume normalisation of the player. The raw values are those of `player.replay_gain`.
  package enum ReplayGain: String, CaseIterable, Sendable {
    /// The player decides by its own settings.
    case unchanged = "default"
    case off, track, album
  }

  package var program = Program.auto
  /// The IPC socket of an mpv that is running. Nil to start one.
  package var socket: String?
  /// The host name, or the path of the socket, of MPD. Nil for that of `MPD_HOST`, or the usual places.
  package var host: String?
  package var port: Int?
  /// The folder that paths in MPD start from. Nil to ask MPD, which answers on its Unix socket.
  package var musicDirectory: String?
  package var replayGain = ReplayGain.unchanged
  /// The overlap of two items, for a player that has it.
  package var crossfade = Duration.zero
  package init() {}
}
