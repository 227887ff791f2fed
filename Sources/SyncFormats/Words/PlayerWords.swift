// SPDX-License-Identifier: Apache-2.0
package import SyncCore

extension PlayerProblem {
  /// One sentence without a full stop: the problem and the advice.
  package var words: String {
    switch self {
    case .none:
      "there is no player: neither mpv nor MPD is here. Install the package mpv, or mpd and start it, or name an MPD in"
        + " MPD_HOST"
    case .noMpv: "mpv is not here; install the package mpv, or use MPD with player: { program: mpd }"
    case .notStarted(let code): "mpv cannot be started: \(code.words)"
    case .notReached(let place, let code):
      "no player answers at \(place.quoted) (\(code.words)); start it, or name its place under player: in the manifest, for MPD"
        + " also in MPD_HOST and MPD_PORT. The packages are mpd and mpv"
    case .unknownHost(let name): "the host \(name.quoted) of MPD is not known; check MPD_HOST, or player.host"
    case .notUnderstood: "something else than the player answers there; check the place that is named for it"
    case .noAnswer: "the player does not answer any more"
    case .gone: "the player has ended; what it had played is recorded, and `syncjob play` goes on from there"
    case .refused(let command, let message): "MPD refuses the command \(command): \(message.printable)"
    case .wrongPassword: "MPD refuses the password in MPD_HOST"
    case .badHost(let text): "\(text.quoted) names no host; check MPD_HOST, or player.host"
    case .badPort(let text): "MPD_PORT is \(text.quoted), which is not a port number"
    case .busy: "another `syncjob play` is at work on this library; end it first, or add to its list with --queue add"
    case .nothingToPlay: "there is nothing to play; name a playlist or items whose files are here"
    case .listLocked: "another command is changing the list and does not end; try again"
    }
  }
}

extension TrackProblem {
  /// One sentence without a full stop.
  package func words(_ id: ItemID, _ invocation: Invocation) -> String {
    switch self {
    case .media(let problem): "not played: \(problem.words(invocation))"
    case .refused(let detail): "\(id.text.quoted) was not played: the player says \(detail.quoted)"
    case .outsideMusic(let path):
      "\(id.text.quoted) was not played: \(path.text.quoted) is not below the music directory of MPD; reach MPD by its Unix"
        + " socket, with MPD_HOST or player.host"
    case .musicUnknown(let path):
      "\(id.text.quoted) was not played: by TCP, MPD does not tell where \(path.text.quoted) is for it; write its music"
        + " directory in player.music_directory, or reach it by its Unix socket"
    case .sealedElsewhere(let path):
      "\(id.text.quoted) was not played: \(path.text.quoted) is sealed, and is opened only for a player on this machine"
    }
  }
}
