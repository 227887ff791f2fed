// SPDX-License-Identifier: Apache-2.0

/// A supysonic on loopback: a server of the Subsonic API that takes passwords and no tokens.
package final class Supysonic: Sendable {
  package static let user = "alice"
  package static let password = "wonder-land"

  private let server: PeerServer

  /// - Parameters:
  ///   - songs: The files of its songs by their names.
  ///   - pictures: The pictures beside them by their names.
  package init(songs: [String: GeneratedAudio], pictures: [String: [UInt8]] = [:]) throws {
    guard let cli = Tool.supysonicCLI.path else { throw PeerServer.Problem.notInstalled(Tool.supysonicCLI.name) }
    server = try PeerServer(
      .supysonicServer,
      arguments: { folder, port in
        let music = folder.file("music")
        for (name, song) in songs { try FileBytes.write(song.bytes, to: "\(music)/\(name)") }
        for (name, picture) in pictures { try FileBytes.write(picture, to: "\(music)/\(name)") }
        // It is read from the folder.
        try FileBytes.write(Self.configuration(folder.path), to: folder.file("supysonic.conf"))
        try FileBytes.write("", to: folder.file("cache/keep"))
        for arguments in [
          ["user", "add", Self.user, "-p", Self.password], ["folder", "add", "Music", music],
          ["folder", "scan", "Music", "--foreground"],
        ] {
          let result = try PeerServer.command(cli, arguments, in: folder).run(timeout: 60)
          guard result.ending == .exited(0) else { throw PeerServer.Problem.failed(result.standardError) }
        }
        return ["-S", "waitress", "-h", "127.0.0.1", "-p", "\(port)"]
      }, isReady: { Self.request("ping", "", at: $0)?.contains("\"status\"") == true })
  }

  /// The folder of its songs.
  package var music: String { server.folder.file("music") }

  package var url: String { "http://127.0.0.1:\(server.port)" }

  /// Makes a request, such as `createPlaylist` with `name=Gym&songId=1`.
  /// - Returns: The response, head and body. Nil if there is none.
  package func request(_ method: String, _ parameters: String) -> String? {
    Self.request(method, parameters, at: server.port)
  }

  private static func request(_ method: String, _ parameters: String, at port: UInt16) -> String? {
    let login = "u=\(user)&p=\(password)&v=1.10.0&c=test&f=json"
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
