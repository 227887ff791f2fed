// SPDX-License-Identifier: Apache-2.0

import Glibc
import Synchronization

/// A supysonic on loopback in its own folder: a server of the Subsonic API that takes passwords and no tokens.
package final class Supysonic: Sendable {
  package enum Problem: Error, Equatable {
    case notInstalled
    /// A command of its own failed; holds its standard error.
    case failed(String)
    /// It ended, or did not answer in time; holds its standard error.
    case didNotStart(String)
  }

  package static let user = "alice"
  package static let password = "wonder-land"

  package let port: UInt16
  /// The folder of its songs.
  package let music: String
  private let folder: TemporaryDirectory
  private let process: Mutex<RunningCommand>

  /// - Parameters:
  ///   - songs: The files of its songs by their names.
  ///   - pictures: The pictures beside them by their names.
  package init(songs: [String: GeneratedAudio], pictures: [String: [UInt8]] = [:]) throws {
    guard let server = Tool.supysonicServer.path, let cli = Tool.supysonicCLI.path else { throw Problem.notInstalled }
    let folder = try TemporaryDirectory("syncjob-supysonic")
    self.folder = folder
    music = folder.file("music")
    port = try Listener.freePort()
    for (name, song) in songs { try FileBytes.write(song.bytes, to: "\(music)/\(name)") }
    for (name, picture) in pictures { try FileBytes.write(picture, to: "\(music)/\(name)") }
    try FileBytes.write(Self.configuration(folder.path), to: folder.file("supysonic.conf"))
    try FileBytes.write("", to: folder.file("cache/keep"))
    for arguments in [
      ["user", "add", Self.user, "-p", Self.password], ["folder", "add", "Music", music],
      ["folder", "scan", "Music", "--foreground"],
    ] {
      let result = try Self.command(cli, arguments, in: folder).run(timeout: 60)
      guard result.ending == .exited(0) else { throw Problem.failed(result.standardError) }
    }
    let process = try Self.command(
      server, ["-S", "waitress", "-h", "127.0.0.1", "-p", "\(port)"], in: folder
    ).start()
    self.process = Mutex(process)
    guard process.isReady(within: 15, { request("ping", "")?.contains("\"status\"") == true }) else {
      process.signal(SIGKILL)
      throw Problem.didNotStart(process.wait(timeout: 5).standardError)
    }
  }

  /// It reads `supysonic.conf` from its folder.
  private static func command(_ program: String, _ arguments: [String], in folder: TemporaryDirectory) -> Command {
    let environment = Command.plainEnvironment.merging(["HOME": folder.path]) { $1 }
    return Command(program, arguments, environment: environment, directory: folder.path)
  }

  deinit { _ = process.withLock { $0.signal(SIGKILL) } }

  package var url: String { "http://127.0.0.1:\(port)" }

  /// Makes a request, such as `createPlaylist` with `name=Gym&songId=1`.
  /// - Returns: The response, head and body. Nil if there is none.
  package func request(_ method: String, _ parameters: String) -> String? {
    let login = "u=\(Self.user)&p=\(Self.password)&v=1.10.0&c=test&f=json"
    return PlainRequest.get(port: port, path: "/rest/\(method).view?\(login)&\(parameters)")
  }

  private static func configuration(_ folder: String) -> String {
    """
    [base]
    database_uri = sqlite:///\(folder)/supysonic.db
    scanner_extensions = mp3
    [webapp]
    cache_dir = \(folder)/cache
    log_level = WARNING
    [daemon]
    socket = \(folder)/daemon.sock
    run_watcher = off
    [transcoding]
    transcoder = ffmpeg -v error -nostdin -i %srcpath -map 0:a -b:a %outratek -f %outfmt -
    """
  }
}
