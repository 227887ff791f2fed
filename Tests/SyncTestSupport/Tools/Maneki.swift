// SPDX-License-Identifier: Apache-2.0

import Glibc
import Synchronization

/// A maneki on loopback in its own folder: a server of the OpenSubsonic API that takes tokens. Its ids are words, its songs
/// have no bit rate, and its API lies below `/audio`.
package final class Maneki: Sendable {
  package enum Problem: Error, Equatable {
    case notInstalled
    /// It ended, or did not answer in time. Holds its standard error.
    case didNotStart(String)
  }

  package static let user = "alice"
  package static let password = "looking-glass"

  package let port: UInt16
  /// The folder of its songs.
  package let music: String
  private let folder: TemporaryDirectory
  private let process: Mutex<RunningCommand>

  /// - Parameters:
  ///   - songs: The files of its songs by their paths, which are `ARTIST/ALBUM/NAME`.
  ///   - pictures: The pictures beside them by their paths.
  package init(songs: [String: GeneratedAudio], pictures: [String: [UInt8]] = [:]) throws {
    guard let program = Tool.maneki.path else { throw Problem.notInstalled }
    let folder = try TemporaryDirectory("syncjob-maneki")
    self.folder = folder
    music = folder.file("music")
    port = try Listener.freePort()
    for (name, song) in songs { try FileBytes.write(song.bytes, to: folder.file("music/\(name)")) }
    for (name, picture) in pictures { try FileBytes.write(picture, to: folder.file("music/\(name)")) }
    try FileBytes.write(
      "[server]\nusername = \"\(Self.user)\"\npassword = \"\(Self.password)\"\n",
      to: folder.file(".config/maneki/maneki.toml"))
    let process = try Command(
      program,
      [
        "serve", folder.file("music"), "--host", "127.0.0.1", "--port", "\(port)", "--no-ui", "--no-artist-images",
        "--workers", "1",
      ],
      environment: Command.plainEnvironment.merging(["HOME": folder.path]) { $1 }, directory: folder.path
    ).start()
    self.process = Mutex(process)
    // A stranger on this port would not know the user.
    guard process.isReady(within: 30, { request("ping", "")?.contains(#""status":"ok""#) == true }) else {
      process.signal(SIGKILL)
      throw Problem.didNotStart(process.wait(timeout: 5).standardError)
    }
  }

  deinit { _ = process.withLock { $0.signal(SIGKILL) } }

  package var url: String { "http://127.0.0.1:\(port)/audio" }

  /// Makes a request, such as `createPlaylist` with `name=Gym&songId=1`.
  /// - Returns: The response, head and body. Nil if there is none.
  package func request(_ method: String, _ parameters: String) -> String? {
    let login = "u=\(Self.user)&p=\(Self.password)&v=1.16.1&c=test&f=json"
    return PlainRequest.get(port: port, path: "/audio/rest/\(method).view?\(login)&\(parameters)")
  }
}
