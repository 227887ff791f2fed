// SPDX-License-Identifier: Apache-2.0
package import SyncCore

/// The reason why a player cannot be used.
package enum PlayerProblem: Error, Hashable, Sendable {
  /// Neither mpv nor MPD is there.
  case none
  /// There is no mpv.
  case noMpv
  case notStarted(ErrnoCode)
  /// Nothing listens at this place, or it may not be used.
  case notReached(String, ErrnoCode)
  case unknownHost(String)
  /// Something else than the expected player answers.
  case notUnderstood
  case noAnswer
  /// The player ended, or closed the connection.
  case gone
  /// MPD refused a command.
  case refused(command: String, message: String)
  case wrongPassword
  /// `MPD_HOST`, or `player.host`, names nothing.
  case badHost(String)
  /// `MPD_PORT` is not a port.
  case badPort(String)
  /// Another `play` works on this library.
  case busy
  /// There is nothing in the list.
  case nothingToPlay
  /// The list is being changed by another process.
  case listLocked

  package var status: ExitStatus {
    switch self {
    case .busy, .listLocked: .locked
    case .nothingToPlay, .badHost, .badPort: .usage
    default: .fatal
    }
  }
}

/// The reason why one item is not played.
package enum TrackProblem: Error, Equatable, Sendable {
  /// The item has no file, cannot be opened, or may not be.
  case media(MediaProblem)
  /// The player cannot open or decode the file.
  case refused(String)
  /// MPD is on another machine, or reached by TCP, and the file is not below its music directory.
  case outsideMusic(LibraryPath)
  /// MPD does not know its music directory by TCP.
  case musicUnknown(LibraryPath)
  /// A sealed file is served on this machine only.
  case sealedElsewhere(LibraryPath)
}
